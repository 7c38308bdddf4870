import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { testApp, type Ran, type WorldOptions } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';
import { blocker, shifting, shiftingWorld, threadId } from '../../../support/shifting.js';

const mergeRequest = '/projects/20/merge_requests/1';
const env = { COLLOQUY_TOKEN: 'root-token' };

/** A service where the author deletes a thread between two pages, so many times. */
const world = async (most: number, options: WorldOptions = {}) => {
  const service = await testService({ world: shiftingWorld });
  return testApp({ service, env, answer: shifting(service, most), ...options });
};

const lists = ({ sent }: Pick<Ran, 'sent'>) => sent.filter(({ method, target }) => method === 'GET' && /\/discussions\?/.test(target)).length;

const threadsIn = (text: string) => text.trimEnd().split('\n').map((line) => JSON.parse(line) as Discussion);

describe('a list that shifts while it is read', () => {
  it('is read again until two reads agree, where the command says that there is nothing else', async () => {
    const rows: readonly (readonly [string, (ran: Ran) => void])[] = [
      ['discussions check !1', ({ code, err }) => expect([code, err.includes('mr/1: reviewer: blocker')]).toEqual([8, true])],
      ['discussions check !1 --author reviewer', ({ code }) => expect(code).toBe(8)],
      ['discussions resolve !1 --all --yes -o id', ({ code, out }) => expect({ code, out }).toEqual({ code: 0, out: `${blocker.id}\n` })],
      ['discussions export !1', ({ code, out }) => expect([code, threadsIn(out).length, out.includes(blocker.id)]).toEqual([0, 130, true])],
    ];
    await everyRow(rows, ([line]) => line, async ([line, check]) => {
      const ran = await (await world(1)).run(...line.split(' '));
      check(ran);
      expect(lists(ran)).toBe(6);
    });
  });

  it('is read once, and again only if its total changes, by commands that show it', async () => {
    const ndjson = await (await world(1)).run('discussions', 'list', '!1', '-o', 'ndjson');
    expect(threadsIn(ndjson.out).at(-1)!.id).toBe(blocker.id);
    expect([threadsIn(ndjson.out).length, lists(ndjson)]).toEqual([131, 4]);
    const rows = ['discussions list !1 -o id', 'discussions list !1 --json=id', 'discussions list !1 --unresolved -o id', 'discussions view !1 --json=id',
      'notes list !1 --json=id,body', 'discussions list !1 -q .[].id', 'discussions list !1 -o csv'];
    await everyRow(rows, (line) => line, async (line) => {
      const ran = await (await world(1)).run(...line.split(' '));
      expect([ran.out.includes(line.startsWith('notes') ? 'blocker' : blocker.id), lists(ran)]).toEqual([true, 4]);
      expect(lists(await (await world(0)).run(...line.split(' ')))).toBe(2);
    });
  });

  it('costs twice the requests of the list, and one for the merge request', async () => {
    const { code, sent } = await (await world(0)).run('discussions', 'check', '!1', '--author', 'author');
    expect([code, sent.filter(({ target }) => !target.includes('/users')).length]).toEqual([0, 4]);
    const resolved = await world(0);
    await resolved.run('discussions', 'resolve', '!1', blocker.id);
    const green = await resolved.run('discussions', 'check', '!1');
    expect([green.code, green.sent.map(({ target }) => target.replace(/^.*merge_requests\/1/, ''))]).toEqual([0,
      [...Array.from({ length: 2 }, () => ['/discussions?per_page=100', '/discussions?per_page=100&page=2']).flat(), '']]);
  });

  it('starts again at most five times, then exits with 10', async () => {
    for (const [most, code, reads] of [[5, 8, 7], [6, 10, 7], [99, 10, 7]] as const) {
      const ran = await (await world(most)).run('discussions', 'check', '!1');
      expect([most, ran.code, lists(ran)]).toEqual([most, code, 2 * reads]);
      if (code === 10) expect(ran.err).toMatch(/the list changed each time it was read, so that items may be missing\nrun the command again when/);
    }
    const shown = await (await world(99)).run('discussions', 'list', '!1', '-o', 'id');
    expect([shown.code, lists(shown)]).toEqual([0, 12]);
  });

  it('still has the own note that it moved to an earlier page', async () => {
    const service = await testService({ world: shiftingWorld });
    const own = await testApp({ service, env });
    const upsert = ['notes', 'upsert', '!1', '--key', 'k', '--json=action'];
    const post = ['notes', 'post', '!1', '--from', 'lines', '-', '--key', 'f', '--filter', 'all', '--json=created,kept'];
    // A hundred threads are left, and the note of the program comes behind the first page.
    for (let number = 101; number <= 131; number++) {
      await service.delete(`${mergeRequest}/discussions/${threadId(number)}/notes/${1_000 + number}`, { as: 'root' });
    }
    await own.run(...upsert, '-m', 'One.');
    const shifted = (stdin = '') => testApp({ service, env, stdin, answer: shifting(service) });
    expect((await (await shifted()).run(...upsert, '-m', 'One.'))).toMatchObject({ code: 0, out: '{"action":"unchanged"}\n' });
    await own.run('discussions', 'resolve', '!1', '--all', '--yes');
    const first = await (await testApp({ service, env, stdin: 'a.c:1: error: x\n' })).run(...post);
    expect(first.code).toBe(0);
    const again = await (await shifted('a.c:1: error: x\n')).run(...post);
    expect((JSON.parse(again.out) as { readonly created: unknown[] }).created).toEqual([]);
  });

  it('compares the totals too, where they are sent', async () => {
    const page = (request: HttpRequest, total: number | undefined): HttpResponse | undefined => {
      if (!/\/discussions\?/.test(request.target)) return undefined;
      const response = json(200, []);
      return { ...response, headers: { ...response.headers, 'x-page': '1', 'x-next-page': '', ...(total !== undefined && { 'x-total': `${total}` }) } };
    };
    let reads = 0;
    const changing = await (await testApp({ answer: (request) => page(request, Math.min(reads++, 2)) })).run('discussions', 'check', '!1');
    expect([changing.code, lists(changing)]).toEqual([8, 4]);
    const unsent = await (await testApp({ answer: (request) => page(request, undefined) })).run('discussions', 'check', '!1', '--author', 'guest');
    expect([unsent.code, lists(unsent)]).toEqual([8, 2]);
  });

  it('may have fewer threads than the service counts', async () => {
    const service = await testService();
    await service.put(`${mergeRequest}/discussions/${'3'.repeat(40)}`, { json: { resolved: true } });
    await service.put(`${mergeRequest}/discussions/${'5'.repeat(40)}`, { json: { resolved: true } });
    const answer = async (request: HttpRequest) => {
      const response = await service.handle(request);
      return /\/discussions\?/.test(request.target) ? { ...response, headers: { ...response.headers, 'x-total': '9' } } : response;
    };
    expect(await (await testApp({ service, answer })).run('discussions', 'check', '!1')).toMatchObject({ code: 0 });
  });
});

describe('a merge request with threads that the token cannot read', () => {
  const ranWith = async (value: unknown, ...words: string[]) => {
    const service = await testService();
    for (const digit of ['3', '5']) await service.put(`/projects/20/merge_requests/1/discussions/${digit.repeat(40)}`, { json: { resolved: true } });
    const answer = async (request: HttpRequest) => {
      const response = await service.handle(request);
      if (!/merge_requests\/1$/.test(request.target) || value === 'as it is') return response;
      if (value instanceof Error) return json(Number(value.message), { error: '404 Not Found' });
      const found = JSON.parse(Buffer.from(response.body).toString()) as object;
      return json(200, typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : { ...found, blocking_discussions_resolved: value });
    };
    return (await testApp({ service, answer })).run('discussions', 'check', '!1', '--retries', '0', ...words);
  };

  it('fails an unfiltered check', async () => {
    expect(await ranWith(false)).toMatchObject({ code: 8, err: 'colloquy: threads that this token cannot read are open on mr/1\n'
      + 'use a token that can read all threads, such as one of a reporter, who sees internal notes\n' });
    const rows: readonly (readonly [unknown, number])[] = [
      ['as it is', 0], [true, 0], [undefined, 0], [null, 0], [false, 8], ['false', 8], [0, 8], [{}, 8],
      [new Error('404'), 0], [new Error('403'), 5], [new Error('500'), 10],
      ['{}', 10], ['{"id":5,"iid":5,"title":"Another","blocking_discussions_resolved":true}', 10],
    ];
    await everyRow(rows, ([value]) => String(value), async ([value, code]) => { expect((await ranWith(value)).code).toBe(code); });
    expect((await ranWith(false, '--unresolved')).code).toBe(8);
    expect((await ranWith(false, '--wait', '25s')).err).toMatch(/^waiting: threads that this token cannot read are open on mr\/1\n/);
    expect(JSON.parse((await ranWith(false, '--json')).err)).toMatchObject({ error: { code: 'pending' } });
  });

  it('fails a check of some of its threads, which these may be, as long as it shows none that is open', async () => {
    const rows = ['--author guest', '--mine', '--path app.js', '--path docs', '--type diff', '--author owner --accept-by others'];
    await everyRow(rows, (words) => words, async (words) => {
      const hidden = await ranWith(false, ...words.split(' '));
      expect([hidden.code, hidden.err]).toEqual([8, expect.stringContaining('threads that this token cannot read are open on mr/1\n')]);
      expect((await ranWith(true, ...words.split(' '))).code).toBe(0);
    });
  });
});
