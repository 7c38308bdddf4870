import { describe, expect, it } from 'vitest';
import type { HttpResponse } from '../../src/wire/http.js';
import { json } from '../client/support/scripted.js';
import { ranIn, testApp } from '../support/app.js';
import { everyRow } from '../support/rows.js';
import { threads } from '../support/worlds.js';

const ran = (answer: HttpResponse, ...words: string[]) => ranIn({ answer: () => answer }, ...words);

/** The program against a service that sends one response to every request. */
describe('an invalid response', () => {
  const lists = [['discussions', 'list', '#1'], ['notes', 'list', '#1'], ['epics', 'list', '&1']];
  const things = [['discussions', 'get', '#1', threads.issue], ['appearance', 'get'], ['notes', 'add', '#1', '-m', 'x'],
    ['appearance', 'set', '--title', 'x']];
  const odd = [null, 'x', 1, { message: 'x' }, [null], [1], [[]], [{}], [{ id: 'a', notes: null }], [{ id: 'a', notes: [null] }]];

  it.each(lists)('fails a list with exit code 10, reports the problem and prints nothing: %s %s', async (...words) => {
    for (const body of odd) {
      const { code, out, err } = await ran(json(200, body), ...words);
      expect([body, code, out]).toEqual([body, 10, '']);
      expect(err).toMatch(/^colloquy: GET \/api\/v4\/\S+: the response has /);
    }
  });

  it.each(things)('fails a command for a single record with exit code 10 as well: %s %s', async (...words) => {
    for (const body of [null, 'x', 1, []]) {
      const { code, out, err } = await ran(json(200, body), ...words);
      expect([body, code, out]).toEqual([body, 10, '']);
      expect(err).toMatch(/: the response has (null|text|a number|a list) where an object is expected/);
    }
  });

  const writes = [['notes', 'add', '!1', '-m', 'x'], ['notes', 'add', '#1', '-m', 'x'], ['discussions', 'reply', '!1', threads.thread, '-m', 'x'],
    ['discussions', 'resolve', '!1', threads.thread],
    ['notes', 'edit', '!1', '121', '-m', 'x', '--yes'], ['discussions', 'create', '!1', '-m', 'x'],
    ['epics', 'create', '&1', '--title', 'x', '-g', 'acme'], ['epics', 'assign', '&1', 'id:501', '-g', 'acme'],
    ['appearance', 'set', '--title', 'x', '--yes'], ['discussions', 'reply', '!1', threads.thread, '-m', 'x', '--resolve'],
    ['notes', 'upsert', '!1', '--key', 'k', '-m', 'x'], ['notes', 'exec', '!1', '--key', 'k', '--', 'true'],
    ['notes', 'add', '!1', '--thread', threads.thread, '-m', 'x']];
  const tools = { run: async () => ({ exit: 0, signal: null, error: null }) };

  it('does not report a change as made, whatever else has an id', async () => {
    const bodies = [{ error: 'not saved' }, { message: 'x', status: 'ok' }, { id: 4, message: 'x' }];
    const rows = writes.flatMap((words) => bodies.map((body) => [words, body] as const));
    await everyRow(rows, ([words, body]) => `${words.join(' ')} ${JSON.stringify(body)}`, async ([words, body]) => {
      const answer = ({ method }: { readonly method: string }) => method === 'GET' ? undefined : json(200, body);
      const { code, err } = await ranIn({ answer, tools, env: { COLLOQUY_TOKEN: 'root-token' } }, ...words);
      expect(code, err).toBe(10);
    });
  });

  it('does not report a change as made, or a text as sent, without the result', async () => {
    const bodies = [...[200, 202, 204].map((status) => ({ status, headers: {}, body: '' })), json(202, { summary: ['Closed.'] })];
    const rows = writes.flatMap((words) => bodies.map((response) => [words, response] as const));
    await everyRow(rows, ([words, { status, body }]) => `${words.join(' ')} ${status} ${body as string}`, async ([words, response]) => {
      const answer = ({ method }: { readonly method: string }) => method === 'GET' ? undefined : response;
      const { code, out, err } = await ranIn({ answer, tools, env: { COLLOQUY_TOKEN: 'root-token' } }, ...words);
      expect({ code, out }, err).toEqual({ code: 10, out: '' });
      expect(err).not.toMatch(/^(done|resolved|added|changed)/m);
    });
  });

  it('keeps a text from standard input as a draft if the response has no note, and says so', async () => {
    const answer = ({ method }: { readonly method: string }) => method === 'GET' ? undefined : { status: 204, headers: {}, body: '' };
    const { run, drafts } = await testApp({ answer, stdin: 'Hello' });
    const { code, err } = await run('notes', 'add', '!1');
    expect([code, [...drafts.values()].some((text) => text.includes('Hello'))]).toEqual([10, true]);
    expect(err).toMatch(/^colloquy: POST \/\S+: the service responded with 204 and without the result$/m);
    expect(err).toContain('--recover');
  });

  it('fails a read if it is empty, but not a comment of quick actions', async () => {
    const nothing = { status: 204, headers: {}, body: '' };
    expect(await ran(nothing, 'discussions', 'list', '#1')).toMatchObject({ code: 10, out: '' });
    expect(await ran(nothing, 'notes', 'add', '#1', '-m', '/close')).toMatchObject({ code: 0 });
  });

  it('on a later page also exits with 10, after printing the items before it', async () => {
    const thread = { id: threads.issue, individual_note: false, notes: [] };
    const { code, out, err } = await ranIn({
      answer: ({ target }) => json(200, target.includes('&page=2') ? [null] : [thread], { 'x-next-page': '2' }),
    }, 'discussions', 'list', '#1', '--json', '--all');
    expect([code, JSON.parse(out)]).toEqual([10, [thread]]);
    expect(JSON.parse(err)).toMatchObject({ error: { code: 'unavailable', message: expect.stringContaining('at [0]') as string } });
  });
});

describe('a note with unusual fields', () => {
  const author = { id: 1, name: 'Ada', username: 'ada', state: 'active', avatar_url: null, web_url: 'http://x' };
  const note = {
    id: 1, type: null, body: 'words', author, created_at: '2024-02-20T07:57:43.874Z', updated_at: '2024-02-20T07:57:43.874Z',
    system: false, noteable_id: 1, noteable_type: 'Issue',
  };
  const calls = [
    ['discussions', 'list', '#1'], ['discussions', 'get', '#1', threads.issue], ['notes', 'list', '#1'],
    ['discussions', 'list', '#1', '--author', 'bob'], ['discussions', 'list', '#1', '-o', 'csv'],
    ['discussions', 'list', '#1', '--match', 'x', '--path', 'src/*'],
  ];

  it.each([
    { body: null }, { body: 5 }, { body: {} }, { created_at: null, updated_at: null }, { created_at: {} },
    { created_at: 'yesterday' }, { author: { ...author, name: null, username: null, web_url: null } }, { author: {} },
    { position: 5 }, { position: null }, { position: { position_type: 'text', new_path: {}, new_line: {} } },
    { position: { position_type: 'text', line_range: [] } }, { type: {}, noteable_type: {} }, { system: 'x' },
    { resolvable: 'x', resolved: {}, resolved_by: {} }, { id: {} },
  ])('is shown to people and to programs: %j', async (change) => {
    const thread = { id: threads.issue, individual_note: false, notes: [{ ...note, ...change }] };
    for (const words of calls) {
      for (const terminal of [false, true]) {
        const answer = () => json(200, words[1] === 'get' ? thread : [thread]);
        expect([words, terminal, await ranIn({ answer, terminal }, ...words)]).toMatchObject([words, terminal, { code: 0 }]);
      }
    }
  });
});
