import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { formats } from '../../../../src/cli/command-line/flags.js';
import { run } from '../../../../src/cli/run.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { ranIn, testApp } from '../../../support/app.js';
import { manyThreads } from '../../../support/threads.js';

/** Escape sequences, C1 and bidirectional controls, a bell, a backspace, half a surrogate pair. */
const hostile = 'a\x1b]0;title\x07\x1b[2J\x9b31m\u202egnp.\u2066\x08\rb\ud800c';
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const own = /\x1b\[\d+m|\x1b\]8;;[\x21-\x7e]*\x1b\\/g;

/** Two threads, or the requested one, with this text; author and file name are untrusted too. */
const saying = (body: string) => (request: HttpRequest): HttpResponse => {
  const answer = manyThreads(2, { body })(request.target.includes('?') ? request : { ...request, target: '/?per_page=2' });
  const threads = JSON.parse(String(answer.body)) as { notes: { author: object; position?: object }[] }[];
  for (const { notes: [note] } of threads) {
    const text = body.slice(0, 300);
    note!.author = { ...note!.author, name: text, username: text };
    note!.position = { base_sha: text, start_sha: 'b', head_sha: 'c', position_type: 'text', new_path: text, old_path: text, new_line: 1 };
  }
  return { ...answer, body: JSON.stringify(request.target.includes('?') ? threads : threads[0]) };
};

const list = ['discussions', 'list', 'issue/1'];
const get = ['discussions', 'get', 'issue/1', '1'.padStart(40, '0')];
const terminal = { terminal: true, colors: 1, columns: 80, rows: 10, env: { FORCE_HYPERLINK: '1' } } as const;

describe('untrusted control characters', () => {
  it.each([['list', list], ['notes', ['notes', 'list', 'issue/1']], ['get', get]])('are escaped in every format of %s', async (_, words) => {
    for (const format of ['', ...formats]) {
      const { code, out, err } = await ranIn({ ...terminal, answer: saying(hostile) }, ...words, ...(format && ['-o', format]));
      expect([format, code, err]).toEqual([format, 0, '']);
      expect([format, acting.exec(out.replace(own, ''))]).toEqual([format, null]);
    }
  });

  it.each([true, false])('are escaped in ids, which stay on one line each, on a terminal: %s', async (isTerminal) => {
    const body = JSON.stringify([{ id: `${hostile}\nb`, individual_note: false, notes: [] }]);
    const answer = () => ({ status: 200, headers: { 'content-type': 'application/json', 'x-next-page': '' }, body });
    for (const call of [list, ['api', 'GET', 'x'], ['api', 'GET', 'x', '--all']]) {
      const { out } = await ranIn({ answer, terminal: isTerminal }, ...call, '-o', 'id');
      expect(out).toMatch(/^[^\n]+\n$/);
      expect(acting.exec(out)).toBeNull();
    }
  });

  it('are escaped in a pager, and in plain text in a pipe', async () => {
    const texts: string[] = [];
    const tools = { page: async (_: string, text: string) => { texts.push(text); return true; } };
    await ranIn({ ...terminal, env: { PAGER: 'less' }, rows: 3, tools, answer: saying(`${hostile}\n\n`.repeat(20)) }, ...get);
    texts.push((await ranIn({ answer: saying(hostile) }, ...get)).out, (await ranIn({ answer: saying(hostile) }, ...list)).out);
    expect(texts.map((text) => acting.exec(text.replace(own, '')))).toEqual([null, null, null]);
  });

  it('are unchanged in JSON for a program', async () => {
    const { out } = await ranIn({ answer: saying(hostile) }, ...get, '--json=notes');
    expect(JSON.parse(out)).toMatchObject({ notes: [{ body: hostile }] });
  });
});

describe('long lines and wide characters', () => {
  it.each([
    ['one line of 200,000', 'x'.repeat(200_000)], ['wide', '漢字'.repeat(500)], ['combining', 'e\u0301\u0323'.repeat(500)], ['joined', '👩‍👩‍👧'.repeat(300)],
  ])('keep a table aligned and within the terminal: %s', async (_, body) => {
    const { out } = await ranIn({ ...terminal, colors: 0, env: {}, columns: 100, answer: saying(body) }, ...list);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(100);
    const [header, ...rows] = lines;
    const before = (line: string, part: string) => stringWidth(line.slice(0, line.indexOf(part)));
    for (const row of rows) expect(before(row, '1 hour')).toBe(before(header!, 'CREATED'));
  });

  it('are shown in full in a conversation', async () => {
    const { code, out } = await ranIn({ ...terminal, answer: saying('x'.repeat(200_000)) }, ...get);
    expect(code).toBe(0);
    expect(out).toContain('x'.repeat(200_000));
  });

  it('are printed in full to a pipe', async () => {
    const { out } = await ranIn({ answer: saying('x'.repeat(200_000)) }, ...list);
    expect(out.split('\n').map((line) => line.length > 200_000)).toEqual([true, true, false]);
  });
});

it('invalid UTF-8 from a service is shown as replacement characters', async () => {
  const answer = (request: HttpRequest): HttpResponse => {
    const whole = saying('a?b')(request);
    return { ...whole, body: Buffer.from(String(whole.body).replaceAll('a?b', 'a\xffb'), 'latin1') };
  };
  for (const options of [{ answer }, { ...terminal, answer }]) {
    for (const words of [list, get]) {
      const { app } = await testApp(options);
      let out = '';
      expect(await run(words, { ...app, out: { ...app.out, write: async (text) => { out += text; } } })).toBe(0);
      expect(out).toContain('a\ufffdb');
      expect(out.replace(own, '')).not.toMatch(acting);
    }
  }
});
