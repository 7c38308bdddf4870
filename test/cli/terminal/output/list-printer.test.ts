import { describe, expect, it } from 'vitest';
import { run } from '../../../../src/cli/run.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { manyThreads } from '../../../support/threads.js';

const list = ['discussions', 'list', '!1'];

/** Output that records everything as text. */
const printing = (print: (text: string) => void | Promise<void>) => ({
  write: async (text: string) => print(text),
  writeBytes: async (bytes: Uint8Array) => print(Buffer.from(bytes).toString()),
});

describe('a list', () => {
  it('is printed in full without a limit', async () => {
    expect((await ranIn({ answer: manyThreads(250) }, ...list, '-o', 'id')).out.trim().split('\n')).toHaveLength(250);
  });

  it('is one valid JSON array with --all --json, whatever the number of pages', async () => {
    const threads = JSON.parse((await ranIn({ answer: manyThreads(250) }, ...list, '--all', '--json')).out) as { id: string }[];
    expect(new Set(threads.map(({ id }) => id)).size).toBe(250);
  });

  it.each(['ndjson', 'id', 'csv', 'tsv', 'json', 'yaml', 'markdown'])('as %s prints page 1 before it requests page 2', async (format) => {
    const log: string[] = [];
    const answer = (request: HttpRequest) => { log.push('asked'); return manyThreads(150)(request); };
    const { app } = await testApp({ answer });
    const out = { ...app.out, ...printing((text) => { if (text && log.at(-1) !== 'printed') log.push('printed'); }) };
    const code = await run([...list, '-o', format], { ...app, out });
    expect(code).toBe(0);
    expect(log.slice(0, 3)).toEqual(['asked', 'printed', 'asked']);
  });

  it('requests no more than it needs', async () => {
    const { sent, out } = await ranIn({ answer: manyThreads(250) }, ...list, '-L', '7', '-o', 'id');
    expect(out.trim().split('\n')).toHaveLength(7);
    expect(sent.map(({ target }) => target.split('?')[1])).toEqual(['per_page=8']);
    const longer = await ranIn({ answer: manyThreads(5_000) }, ...list, '-L', '250', '-o', 'id');
    expect(longer.out.trim().split('\n')).toHaveLength(250);
    expect(longer.sent).toHaveLength(3);
  });

  it('reports what the limit left out, in a pipe as well, but not with --quiet', async () => {
    expect((await ranIn({ answer: manyThreads(250) }, ...list, '-L', '150', '-o', 'id')).err)
      .toBe('showing 150 of 250; use --all instead of --limit to show all\n');
    expect((await ranIn({ answer: manyThreads(250) }, ...list, '-L', '7', '-o', 'id', '--quiet')).err).toBe('');
    expect((await ranIn({ answer: manyThreads(100) }, ...list, '-L', '100', '-o', 'id')).err).toBe('');
    expect((await ranIn({ answer: manyThreads(101) }, ...list, '-L', '100', '-o', 'id')).err).not.toBe('');
  });

  it('stays one valid JSON value when a later page fails, and the command fails', async () => {
    const { code, out, err } = await ranIn({ answer: manyThreads(150, { failsOn: 2 }) }, ...list, '--json');
    expect(JSON.parse(out)).toHaveLength(100);
    expect(code).toBe(10);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'unavailable', status: 500 } });
  });

  it('streams 100,000 threads page by page without buffering them', async () => {
    const events: string[] = [];
    let isWriting = false;
    const answer = (request: HttpRequest) => { events.push('asked'); return manyThreads(100_000)(request); };
    const { app } = await testApp({ answer });
    const print = async (text: string) => {
      expect(isWriting).toBe(false);
      isWriting = true;
      await Promise.resolve();
      isWriting = false;
      events.push(`printed ${text.split('\n').length - 1}`);
    };
    expect(await run([...list, '-o', 'ndjson', '--quiet'], { ...app, out: { ...app.out, ...printing(print) } })).toBe(0);
    expect(events.slice(0, 3)).toEqual(['asked', 'printed 100', 'asked']);
    expect(events.filter((event) => event === 'printed 100')).toHaveLength(1_000);
    const ahead = events.reduce((most, _, i) => Math.max(most, i - 2 * events.slice(0, i).filter((event) => event !== 'asked').length), 0);
    expect(ahead).toBeLessThan(30);
  });

  describe('read by another program', () => {
    const notes = (body: string) => `[{"id":"a","notes":[]},{"id":"b","individual_note":false,"notes":[],"weight":12345678901234567890,"text":${body}}]`;
    const answer = (body: string) => () => ({ status: 200, headers: { 'content-type': 'application/json', 'x-next-page': '' }, body });

    it('is stored for completion, as far as it was read, before its last page is printed', async () => {
      const { app } = await testApp({ answer: manyThreads(250) });
      const kept: number[] = [];
      const print = async () => {
        kept.push(app.cache.names().length);
        await new Promise((resolve) => { setImmediate(resolve); });
      };
      expect(await run([...list, '--all', '-o', 'ndjson'], { ...app, out: { ...app.out, ...printing(print) } })).toBe(0);
      expect([kept[0], kept.at(-1)]).toEqual([0, 1]);
    });

    it('is printed as the service sent it, to the last digit and escape', async () => {
      const text = notes('"\\u003cb\\u003e 1.0"');
      expect((await ranIn({ answer: answer(text) }, ...list, '-o', 'ndjson')).out).toBe(`${text.slice(1, -1).replace('},{', '}\n{')}\n`);
      expect((await ranIn({ answer: answer(text) }, ...list, '--json')).out).toBe(`${text}\n`);
    });

    it('is printed one item per line if the service spreads items over several lines', async () => {
      const text = JSON.stringify(JSON.parse(notes('" x "')), null, 2);
      const { out } = await ranIn({ answer: answer(text) }, ...list, '-o', 'ndjson');
      expect(out.trimEnd().split('\n').map((line) => JSON.parse(line) as unknown)).toEqual(JSON.parse(text));
    });

    it('is serialized again for selected fields and for a terminal', async () => {
      const text = notes('"\\u003c"');
      expect((await ranIn({ answer: answer(text) }, ...list, '-o', 'ndjson', '--json=id')).out).toBe('{"id":"a"}\n{"id":"b"}\n');
      expect((await ranIn({ answer: answer(text), terminal: true }, ...list, '-o', 'ndjson')).out).toContain('"text":"<"');
    });

    it('must be valid from its first page, and JSON to its end', async () => {
      const first = { status: 200, headers: { 'content-type': 'application/json', 'x-next-page': '2' } };
      expect(await ranIn({ answer: () => ({ ...first, body: '[{"id":"a"}]' }) }, ...list, '-o', 'ndjson')).toMatchObject({ code: 10, out: '' });
      const broken = await ranIn({
        answer: ({ target }) => target.includes('&page=2') ? { ...first, body: '[{"id":tru}]' } : { ...first, body: '[{"id":"a","notes":[]}]' },
      }, ...list, '-o', 'ndjson');
      expect(broken).toMatchObject({ code: 10, out: '{"id":"a","notes":[]}\n' });
      expect(broken.err).toContain('the response is not valid JSON');
    });

    it('must start every page with a valid item, in every format', async () => {
      const answer = ({ target }: HttpRequest) => ({
        status: 200, headers: { 'content-type': 'application/json', 'x-next-page': '2' },
        body: target.includes('&page=2') ? '[{"message":"maintenance"}]' : '[{"id":"a","notes":[]}]',
      });
      for (const format of ['ndjson', 'json', 'id']) {
        const { code, err } = await ranIn({ answer }, ...list, '-o', format);
        expect(code).toBe(10);
        expect(err).toContain('has none of the expected fields, at [0]');
      }
    });

    it('ends at the limit', async () => {
      expect((await ranIn({ answer: manyThreads(250) }, ...list, '-L', '3', '-o', 'ndjson')).out.trimEnd().split('\n')).toHaveLength(3);
      expect(JSON.parse((await ranIn({ answer: manyThreads(250) }, ...list, '-L', '103', '--json')).out)).toHaveLength(103);
    });
  });

  it('accepts only one of --all and --limit', async () => {
    expect(await ran(...list, '--all', '-L', '3')).toMatchObject({ code: 2 });
    expect(await ran(...list, '-L', '0')).toMatchObject({ code: 2, sent: [] });
    expect(await ran(...list, '-L', 'many')).toMatchObject({ code: 2, sent: [] });
  });

  it('is aligned on a terminal however long it is', async () => {
    const { out } = await ranIn({ answer: manyThreads(250), terminal: true }, ...list);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(251);
    expect(new Set(lines.slice(1).map((line) => line.indexOf('0', 20)))).toEqual(new Set([lines[0]!.indexOf('NOTES')]));
  });

  it('rejects an unknown field before any request', async () => {
    const { code, err, sent } = await ran(...list, '--json=id,nots');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(JSON.parse(err)).toMatchObject({ error: {
      message: 'unknown field "nots"',
      hint: 'did you mean notes? choose from: id, individual_note, resolvable, resolved, notes, outdated, current_line, current_path, new, proof, thread, '
        + 'state, author, created, place, text, first_line, url',
    } });
  });

  it.each(['id,notes', 'id, notes', 'id notes'])('prints the selected fields, whatever separates them: %s', async (names) => {
    const { code, out } = await ran(...list, `--json=${names}`);
    expect({ code, fields: Object.keys((JSON.parse(out) as object[])[0]!) }).toEqual({ code: 0, fields: ['id', 'notes'] });
  });

  it.each([list, ['api', 'POST', 'x'], ['notes', 'add', '!1', '-m', 'x'], ['appearance', 'set', '--title', 'T']])(
    'rejects an empty selection of fields: %s %s', async (...command) => {
      const { code, err, sent } = await ran(...command, '--json=,');
      expect({ code, sent }).toEqual({ code: 2, sent: [] });
      expect(JSON.parse(err)).toMatchObject({ error: { message: '--json=, has no field names' } });
    });

  it('reports what it left out at the end', async () => {
    for (const format of ['json', 'ndjson', 'yaml', 'csv', 'table']) for (const isTerminal of [true, false]) {
      const { app } = await testApp({ answer: manyThreads(3) });
      const events: string[] = [];
      const out = { ...app.out, isTerminal, ...printing((text) => { if (text !== '') events.push('result'); }) };
      const err = { ...app.err, write: async (text: string) => { events.push(text); } };
      await run([...list, '-L', '2', '-o', format], { ...app, out, err });
      expect(events.at(-1)).toContain('showing 2 of 3');
      expect(events.slice(0, -1)).not.toHaveLength(0);
      expect(events.slice(0, -1).every((event) => event === 'result')).toBe(true);
    }
  });

  it.each([32, 40, 50, 60, 80])('fits a terminal of %i columns', async (columns) => {
    const position = { base_sha: 'a', start_sha: 'b', head_sha: 'c', position_type: 'text', new_path: 'src/delivery/send.ts', new_line: 13 };
    const note = (id: number) => ({
      id, type: 'DiffNote', body: 'What happens to a message after the last attempt?', author: { id: 1, username: 'a-long-name' }, system: false,
      created_at: '2024-05-01T10:00:00.000Z', updated_at: '2024-05-01T10:00:00.000Z', resolvable: true, resolved: true, position,
    });
    const body = JSON.stringify([{ id: 'a'.repeat(40), individual_note: false, notes: [note(12345), note(12346)] }]);
    const answer = () => ({ status: 200, headers: { 'content-type': 'application/json', 'x-next-page': '' }, body });
    for (const noun of ['discussions', 'notes']) {
      const { out } = await ranIn({ answer, terminal: true, columns }, noun, 'list', '!1');
      expect(out).toContain('What');
      for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it('rejects two formats at once', async () => {
    expect(await ran(...list, '--json', '-o', 'csv')).toMatchObject({ code: 2, sent: [] });
    expect((await ran(...list, '--json=id', '-o', 'ndjson')).out.split('\n')[0]).toBe(`{"id":"${'3'.repeat(40)}"}`);
  });
});

describe('an empty list', () => {
  it.each([['json', '[]\n'], ['ndjson', ''], ['id', ''], ['yaml', '[]\n'], ['csv', 'thread,state,author,created,notes,place,text\n']])(
    'as %s is %j', async (format, text) => {
      expect(await ran('discussions', 'list', '!2', '-o', format)).toMatchObject({ code: 0, out: text });
    });
});

describe('progress', () => {
  const printed = async (terminals: { out: boolean; err: boolean }, ...flags: string[]) => {
    const { app } = await testApp({ answer: manyThreads(250) });
    let err = '';
    const code = await run([...list, ...flags], {
      ...app, out: { ...app.out, isTerminal: terminals.out }, err: { ...app.err, isTerminal: terminals.err, write: async (text) => { err += text; } },
    });
    return { code, err };
  };
  const shown = '\rpage 1 of 3 …\x1b[K\rpage 2 of 3 …\x1b[K\r\x1b[K';

  it('is shown on a terminal while a page is requested, and cleared at the end', async () => {
    expect(await printed({ out: false, err: true }, '-o', 'ndjson')).toEqual({ code: 0, err: shown });
    expect(await printed({ out: true, err: true })).toEqual({ code: 0, err: shown });
    expect(await printed({ out: false, err: true }, '-q', 'length')).toEqual({ code: 0, err: shown });
  });

  it('is cleared before a message is printed', async () => {
    const { err } = await printed({ out: false, err: true }, '-L', '150');
    expect(err).toBe('\rpage 1 of 3 …\x1b[K\r\x1b[Kshowing 150 of 250; use --all instead of --limit to show all\n');
  });

  it.each([[{ out: true, err: false }, []], [{ out: false, err: true }, ['--quiet']], [{ out: true, err: true }, ['-o', 'ndjson']]] as const)(
    'is hidden where it is of no use: %j %j', async (terminals, flags) => {
      expect(await printed(terminals, ...flags)).toEqual({ code: 0, err: '' });
    });
});
