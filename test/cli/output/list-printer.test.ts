import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/run.js';
import type { HttpRequest } from '../../../src/wire/http.js';
import { json } from '../../support/answers.js';
import { ran, ranIn, testApp } from '../../support/app.js';

/** Threads as the service answers them, so many in all, on pages of the size that is asked for. */
const threads = (count: number, failsOn = Infinity) => ({ target }: HttpRequest) => {
  const query = new URLSearchParams(target.split('?')[1]);
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page'))];
  if (page === failsOn) return json(500, { message: '500 Internal Server Error' });
  const items = Array.from({ length: count }, (_, i) => ({ id: String(i + 1).padStart(40, '0'), individual_note: false, notes: [] }));
  const next = page * size < count ? String(page + 1) : '';
  return {
    ...json(200, items.slice((page - 1) * size, page * size)),
    headers: { 'content-type': 'application/json', 'x-page': String(page), 'x-next-page': next, 'x-total': String(count),
      'x-total-pages': String(Math.ceil(count / size)), 'x-per-page': String(size) },
  };
};
const list = ['discussions', 'list', '!1'];

describe('a list', () => {
  it('is printed whole when no limit is given', async () => {
    expect((await ranIn({ answer: threads(250) }, ...list, '-o', 'id')).out.trim().split('\n')).toHaveLength(250);
    expect(JSON.parse((await ranIn({ answer: threads(250) }, ...list, '--all', '--json')).out)).toHaveLength(250);
  });

  it.each(['ndjson', 'id', 'table', 'csv', 'json', 'yaml', 'markdown'])('as %s prints page 1 before page 2 is asked for', async (format) => {
    const log: string[] = [];
    const answer = (request: HttpRequest) => { log.push('asked'); return threads(150)(request); };
    const { app } = await testApp({ answer });
    const code = await run([...list, '-o', format], { ...app, out: { ...app.out, write: async (text) => { if (text) log.push('printed'); } } });
    expect(code).toBe(0);
    expect(log.slice(0, 3)).toEqual(['asked', 'printed', 'asked']);
  });

  it('asks for no more than it needs', async () => {
    const { sent, out } = await ranIn({ answer: threads(250) }, ...list, '-L', '7', '-o', 'id');
    expect(out.trim().split('\n')).toHaveLength(7);
    expect(sent.map(({ target }) => target.split('?')[1])).toEqual(['per_page=8']);
  });

  it('says what the limit left out, in a pipe as well, and not with --quiet', async () => {
    expect((await ranIn({ answer: threads(250) }, ...list, '-L', '150', '-o', 'id')).err).toBe('there are more than 150 (250); --all prints all of them\n');
    expect((await ranIn({ answer: threads(250) }, ...list, '-L', '7', '-o', 'id', '--quiet')).err).toBe('');
    expect((await ranIn({ answer: threads(100) }, ...list, '-L', '100', '-o', 'id')).err).toBe('');
    expect((await ranIn({ answer: threads(101) }, ...list, '-L', '100', '-o', 'id')).err).not.toBe('');
  });

  it('stays one valid JSON value when a later page fails, and the command fails', async () => {
    const { code, out, err } = await ranIn({ answer: threads(150, 2) }, ...list, '--json');
    expect(JSON.parse(out)).toHaveLength(100);
    expect(code).toBe(10);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'unavailable', status: 500 } });
  });

  it('has two lengths at most once', async () => {
    expect(await ran(...list, '--all', '-L', '3')).toMatchObject({ code: 2 });
    expect(await ran(...list, '-L', '0')).toMatchObject({ code: 2, sent: [] });
    expect(await ran(...list, '-L', 'many')).toMatchObject({ code: 2, sent: [] });
  });

  it('is aligned for a terminal however long it is', async () => {
    const { out } = await ranIn({ answer: threads(250), terminal: true }, ...list);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(251);
    expect(new Set(lines.slice(1).map((line) => line.indexOf('0', 20)))).toEqual(new Set([lines[0]!.indexOf('NOTES')]));
  });

  it('refuses a field that is not there before anything is asked', async () => {
    const { code, err, sent } = await ran(...list, '--json=id,nots');
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(JSON.parse(err)).toMatchObject({ error: { message: 'there is no field "nots"', hint: 'fields: id, individual_note, notes' } });
  });

  it('refuses two formats at once', async () => {
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
