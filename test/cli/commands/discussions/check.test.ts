import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';
import { manyThreads } from '../../../support/threads.js';
import { refs, threads } from '../../../support/worlds.js';

const check = ['discussions', 'check', '!1'];
const page = 'http://service.test/acme/app/-/merge_requests/1';
/** On stderr. */
const listed = [`mr/1: guest: please explain\n  ${page}#note_120\n`, `app.js:2: reporter: why?\n  ${page}#note_123\n`];
const hint = 'answer and resolve them on their pages, or with `colloquy discussions triage mr/1`';
const hintForOne = hint.replace('them on their pages', 'it on its page');
const summary = '2 unresolved threads on mr/1: 1 by guest, 1 by reporter';
const resolve = (service: Awaited<ReturnType<typeof testService>>, id: string) =>
  service.put(`/projects/20/merge_requests/1/discussions/${id}`, { json: { resolved: true } });

describe('discussions check', () => {
  it('exits with 8 while threads are unresolved, and lists each with its place, author, first line and address', async () => {
    expect(await ran(...check)).toMatchObject({ code: 8, out: '', err: `${listed.join('')}colloquy: ${summary}\n${hint}\n` });
    expect(await ran(...check, '--quiet')).toMatchObject({ code: 8, out: '', err: `colloquy: ${summary}\n${hint}\n` });
    expect((await ranIn({ terminal: true }, ...check)).err).toContain(listed.join(''));
    expect((await ran(...check, '--path', 'app.js')).err.startsWith(listed[1]!)).toBe(true);
  });

  it('indents what is left of a row on a narrow terminal', async () => {
    const service = await testService();
    await service.post('/projects/20/merge_requests/1/discussions', { json: { body: 'Is this the right place for it, or does it belong elsewhere?' } });
    const { err } = await ranIn({ service, terminal: true, columns: 50 }, ...check);
    expect(err).toContain(`\nmr/1: developer: Is this the right place for\n    it, or does it belong elsewhere?\n  ${page}`);
  });

  it('ends with a command for the sandbox, whose threads have no pages', async () => {
    expect((await ran('discussions', 'check', 'mr/12', '--sandbox')).err.split('\n').at(-2))
      .toBe('answer and resolve them with `colloquy discussions triage mr/12 --sandbox`');
  });

  it('finds the address of a project that only has a number in the variables of the job, or asks for it', async () => {
    const job = { COLLOQUY_PROJECT: undefined, COLLOQUY_URL: undefined, CI_API_V4_URL: 'http://service.test/api/v4', CI_PROJECT_ID: '20' };
    const errOf = async (env: Record<string, string>) => (await ranIn({ env: { ...job, ...env } }, ...check)).err;
    expect(await errOf({ CI_PROJECT_PATH: 'acme/app' })).toContain(listed.join(''));
    expect(await errOf({ CI_PROJECT_PATH: 'me/fork', CI_PROJECT_ID: '7', CI_MERGE_REQUEST_PROJECT_ID: '20', CI_MERGE_REQUEST_PROJECT_PATH: 'acme/app' }))
      .toContain(listed.join(''));
    expect(await errOf({ CI_PROJECT_PATH: 'acme/app', COLLOQUY_PROJECT: '20', COLLOQUY_URL: 'http://service.test' })).toContain(listed.join(''));
    expect(await errOf({ CI_PROJECT_PATH: 'x/y', CI_API_V4_URL: 'http://other.test/api/v4', COLLOQUY_PROJECT: '20', COLLOQUY_URL: 'http://service.test' }))
      .toContain(listed.join(''));
    expect(await errOf({ CI_PROJECT_PATH: 'x/y', CI_PROJECT_ID: '7', COLLOQUY_PROJECT: '20' })).toContain(listed.join(''));
  });

  it('shows levels of findings in color', async () => {
    const service = await testService();
    for (const level of ['error', 'warning', 'note', 'fatal']) {
      await service.post('/projects/20/merge_requests/1/discussions', { json: { body: `**${level}** · \`r1\` · lint\n\nno` } });
    }
    const listOf = async (colors: 0 | 1) => (await ranIn({ service, colors }, ...check)).err.split('\n').filter((line) => line.startsWith('mr/1: developer'));
    const shown = (...levels: string[]) =>
      [...levels.map((level) => `${level}: no [lint r1]`), '**fatal** · `r1` · lint'].map((text) => `mr/1: developer: ${text}`);
    expect(await listOf(1)).toEqual(shown('\x1b[31merror\x1b[39m', '\x1b[35mwarning\x1b[39m', '\x1b[2mnote\x1b[22m'));
    expect(await listOf(0)).toEqual(shown('error', 'warning', 'note'));
  });

  it('names the tool and the rule or test of a finding, and the file if its thread has no position', async () => {
    const rows: readonly (readonly [string, string])[] = [
      ['**error** · `tests.test_app > test_send` · pytest', 'mr/1: developer: error: no [pytest tests.test_app > test_send]'],
      ['**error** · [`E722`](https://docs.example/E722) · ruff · `src/a · b.py:3`', 'src/a · b.py:3: developer: error: no [ruff E722]'],
      ['**error** · [`E722`](https://docs.example/E722) · ruff · `src/a.py:3`', 'src/a.py:3: developer: error: no [ruff E722]'],
      ['**note** · mypy · `src/a.py`', 'src/a.py: developer: note: no [mypy]'],
      ['**warning** · `no-var` · `src/a.js:2`', 'src/a.js:2: developer: warning: no [no-var]'],
      ['**warning** · `src/a.js:2`', 'src/a.js:2: developer: warning: no'],
      ['**error**', 'mr/1: developer: error: no'],
      ['**error** or not, `src/a.py:3`', 'mr/1: developer: **error** or not, `src/a.py:3`'],
      ['**error** · `a\u202eb` · x', 'mr/1: developer: error: no [x a\\u202eb]'],
      [`**error** · \`r${'y'.repeat(5_000)}\` · x`, `mr/1: developer: error: no [x r${'y'.repeat(197)}…]`],
    ];
    const service = await testService();
    for (const [title] of rows) await service.post('/projects/20/merge_requests/1/discussions', { json: { body: `${title}\n\nno` } });
    const { err } = await ranIn({ service }, ...check);
    expect(err.split('\n').filter((line) => line.includes(' developer: '))).toEqual(rows.map(([, row]) => row));
  });

  it('names the keys of a finding that several posted, and the command that resolves the threads of one', async () => {
    const service = await testService();
    const post = async (key: string, rule: string) => {
      const files = { report: `app.js:2:1: error: no ${rule} [${rule}]\n`, '/app/app.js': 'one\nzwei\nthree\nfour\n' };
      const { run } = await testApp({ service, env: { COLLOQUY_PROJECT: 'acme/app' }, workTree: '/app', files });
      return run('notes', 'post', 'mr/1', 'report', '--from', 'lines', '--key', key);
    };
    const rowsIn = (err: string) => err.split('\n').filter((line) => line.includes(' developer: '));
    for (const [key, rule] of [['lint/x', 'r1'], ['lint/x', 'r2']] as const) await post(key, rule);
    const before = (await ranIn({ service }, ...check)).err;
    expect([rowsIn(before), before.includes('--key')]).toEqual([['app.js:2: developer: error: no r2 [lint/x r2]'], false]);
    await post('style\u202e/x', 'r2');
    const { err } = await ranIn({ service }, ...check);
    expect(rowsIn(err)).toEqual(['lint/x', 'style\\u202e/x'].map((key) => `app.js:2: developer: error: no r2 [${key} r2, key ${key}]`));
    expect(err.split('\n').at(-2)).toBe('after a rename, resolve the threads of the old key with the token of the job: '
      + '`colloquy notes post mr/1 --key KEY --from lines --allow-empty /dev/null`');
  });

  it('lists the first 20, and says how many more there are', async () => {
    const world = await testApp({ answer: (request) => request.target.includes('/discussions') ? manyThreads(46, { body: 'a\nb' })(request) : undefined });
    const { err } = await world.run(...check);
    expect(err.match(/^mr\/1: ada: a$/gm)).toHaveLength(20);
    expect(err).toContain('\n3 more: run `colloquy discussions list mr/1 --unresolved` to list all\ncolloquy: 23 unresolved threads on mr/1');
  });

  it('shows texts of others as data, on one line of limited length', async () => {
    const service = await testService();
    await service.post('/projects/20/merge_requests/1/discussions', { json: { body: `\u001b[31m::error::\u202ex${'y'.repeat(5_000)}\nsecond` } });
    const { err } = await ranIn({ service }, ...check);
    expect(err).toMatch(/^mr\/1: developer: \\u001b\[31m::error::\\u202exy+…$/m);
    expect(err).not.toContain('second');
    expect(Math.max(...err.split('\n').map(({ length }) => length))).toBeLessThan(300);
  });

  it('has the address in each record of JSON, and the fields of the list', async () => {
    const records = JSON.parse((await ran(...check, '--json')).out) as Record<string, unknown>[];
    expect(records).toMatchObject([{ id: threads.thread, url: `${page}#note_120` }, { id: threads.diff, url: `${page}#note_123`, notes: [{ id: 123 }] }]);
    const fields = 'id,url,outdated,current_line,current_path,new,state,place,first_line';
    expect(JSON.parse((await ran(...check, `--json=${fields}`)).out)).toEqual(
      JSON.parse((await ran('discussions', 'list', '!1', '--unresolved', `--json=${fields}`)).out));
    expect((await ran(...check, '--json=url', '-o', 'tsv')).out).toBe(`${page}#note_120\n${page}#note_123\n`);
    expect((await ran(...check, '-q', '.[].url')).out).toBe(`${page}#note_120\n${page}#note_123\n`);
    expect((await ran(...check, '-o', 'agent')).out).toContain('55555555 open app.js:2');
  });

  it('lists the unresolved threads as JSON', async () => {
    const { code, out, err } = await ran(...check, '--json=id');
    expect({ code, out, err: JSON.parse(err) as unknown }).toEqual({
      code: 8, out: `[{"id":"${threads.thread}"},{"id":"${threads.diff}"}]\n`,
      err: { error: { code: 'pending', status: null, message: summary, hint, request: null } } });
  });

  it('exits with 0 if every thread that passes the filters is resolved', async () => {
    expect(await ran(...check, '--author', 'developer', '--json')).toMatchObject({ code: 0, out: '[]\n' });
    expect(await ran(...check, '--path', 'app.js', '--quiet')).toMatchObject({
      code: 8, err: `colloquy: 1 unresolved thread on mr/1: 1 by reporter; 1 other is open\n${hintForOne}\n` });
  });

  it('says what the filters left out', async () => {
    const rows: readonly (readonly [string[], string])[] = [
      [['--author', 'developer'], 'no unresolved threads by developer on mr/1; 2 others are open'],
      [['--author', '@Developer', '--author', 'owner'], 'no unresolved threads by developer or owner on mr/1; 2 others are open'],
      [['--author', 'me'], 'no unresolved threads by you on mr/1; 2 others are open'],
      [['--mine'], 'no unresolved threads by you on mr/1; 2 others are open'],
      [['--path', 'docs/'], 'no unresolved threads on mr/1 pass the filters; no thread is on docs/; 2 others are open'],
      [['--path', '*.{ts,tsx}'], 'no unresolved threads on mr/1 pass the filters; no thread is on *.{ts,tsx}; 2 others are open'],
      [['--path', 'app.js', '--author', 'guest'], 'no unresolved threads on mr/1 pass the filters; 2 others are open'],
      [['--author', 'guest', '--match', 'nothing of it'], 'no unresolved threads on mr/1 pass the filters; 2 others are open'],
      [['--unresolved', '--author', 'developer'], 'no unresolved threads by developer on mr/1; 2 others are open'],
      [['--waiting'], 'no unresolved threads on mr/1 pass the filters; 2 others are open'],
    ];
    await everyRow(rows, ([words]) => words.join(' '), async ([words, text]) => {
      expect(await ran(...check, ...words)).toMatchObject({ code: 0, out: '', err: `${text}\n` });
    });
    const service = await testService();
    await resolve(service, threads.diff);
    const world = await testApp({ service });
    expect((await world.run(...check, '--author', 'reporter')).err).toBe('no unresolved threads by reporter on mr/1; 1 other is open\n');
    await resolve(service, threads.thread);
    expect((await world.run(...check, '--author', 'reporter')).err).toBe('no unresolved threads by reporter on mr/1\n');
    expect((await world.run(...check, '--path', 'app.js')).err).toBe('no unresolved threads on mr/1 pass the filters\n');
    expect((await world.run(...check, '--path', 'app.jsx')).err).toBe('no unresolved threads on mr/1 pass the filters; no thread is on app.jsx\n');
    expect((await world.run(...check)).err).toBe('no unresolved threads on mr/1\n');
  });

  it('passes only what the service calls resolved in the words of the API', async () => {
    const rows: readonly (readonly [number, Record<string, unknown>])[] = [
      [0, { resolvable: true, resolved: true }], [0, { resolvable: false }], [0, { resolvable: false, resolved: false }],
      [0, { resolvable: undefined, resolved: undefined, type: null }], [0, { resolvable: undefined, resolved: true }],
      ...['false', 'true', 0, 1, null, undefined, {}, []].map((resolved) => [8, { resolvable: true, resolved }] as const),
      ...['true', 'false', 1, 0, {}, []].map((resolvable) => [8, { resolvable, resolved: false }] as const),
      [8, { resolvable: 'false', resolved: undefined }], [8, { resolvable: null, resolved: false }], [8, { resolvable: undefined, resolved: false }],
      [8, { resolvable: undefined, resolved: undefined }], [8, { resolvable: null, resolved: undefined, noteable_type: 'MergeRequest' }],
    ];
    const service = await testService();
    const nameOf = (note: object) => JSON.stringify(note, (_, value) => value === undefined ? 'missing' : value as unknown);
    await everyRow(rows, ([, note]) => nameOf(note), async ([code, note]) => {
      const { body } = await service.get<Discussion[]>('/projects/20/merge_requests/1/discussions');
      const [thread] = body.filter(({ id }) => id === threads.resolved);
      const notes = thread!.notes.map((one) => ({ ...one, ...note }));
      const changed = ({ target }: HttpRequest) => target.includes('/discussions') ? json(200, [{ ...thread, notes }])
        : target.endsWith('/merge_requests/1') ? unknownRoute : undefined;
      expect((await ranIn({ service, answer: changed }, ...check)).code).toBe(code);
    });
  });

  it('passes no thread without notes or without an author: it may be by the user of --author', async () => {
    const note = { id: 7, body: 'Why?', resolvable: true, resolved: false, position: { new_path: 'a.txt' } };
    const rows: readonly (readonly [unknown, string[], number])[] = [
      [[], [], 8], [[], ['--author', 'guest'], 8], [[], ['--path', 'docs'], 8], [[note], ['--author', 'guest'], 8], [[note], ['--mine'], 8],
      [[{ ...note, author: null }], ['--author', 'guest'], 8], [[note], ['--path', 'docs'], 0], [[note], ['--author', 'guest', '--path', 'docs'], 0],
    ];
    await everyRow(rows, ([notes, words]) => `${JSON.stringify(notes)} ${words.join(' ')}`, async ([notes, words, code]) => {
      const thread = { id: threads.thread, individual_note: false, notes };
      const answer = ({ target }: HttpRequest) => target.includes('/discussions') ? json(200, [thread]) : undefined;
      const { code: found, err } = await ranIn({ answer }, ...check, ...words);
      expect([found, err]).toEqual([code, expect.stringMatching(code === 0 ? /; 1 other is open/ : /1 unresolved thread on mr\/1/)]);
    });
  });

  it('lets what cannot be read of a thread pass the filter that needs it', async () => {
    const position = { new_path: 'docs/a.txt', old_path: 'docs/a.txt' };
    const note = {
      id: 7, type: 'DiffNote', body: 'Why?', author: { id: 5, username: 'ada' }, created_at: '2024-05-01T00:00:00Z', system: false,
      resolvable: true, resolved: false, position,
    };
    type Row = [odd: Record<string, unknown>, code: number, ...words: string[]];
    const rows: Row[] = [
      ...[null, undefined, {}, { ...position, new_path: null, old_path: null }, { new_path: 5, old_path: 'docs/a.txt' }, 'src/a.txt', 7]
        .map((odd) => [{ position: odd }, 8, '--path', 'src'] as Row),
      [{ position: null, type: undefined }, 8, '--path', 'src'],
      [{ position: null, type: 'DiscussionNote' }, 0, '--path', 'src'], [{ position: null, type: null }, 0, '--path', 'src'],
      [{}, 0, '--path', 'src'], [{ position: { new_path: 'docs/a.txt' } }, 0, '--path', 'src'],
      ...[null, undefined, '', 'soon', 'day 1', '2024-13-45', 5].flatMap((odd) => [['--since', '2025-01-01'], ['--until', '2023-01-01']]
        .map((words) => [{ created_at: odd }, 8, ...words] as Row)),
      [{}, 0, '--since', '2025-01-01'], [{ created_at: '2024-05-01T02:00:00.000+02:00' }, 0, '--since', '2025-01-01'],
      ...[null, undefined, 5].flatMap((odd) => [['--match', 'x'], ['--mentions', 'guest'], ['--mentions', 'me']]
        .map((words) => [{ body: odd }, 8, ...words] as Row)),
      [{}, 0, '--match', 'x'], [{}, 0, '--mentions', 'guest'], [{ system: 'no', body: '@guest' }, 8, '--mentions', 'guest'],
      ...[{ id: 5 }, { id: 5, username: null }, { id: 5, username: 6 }, null, undefined]
        .flatMap((author) => [['--author', 'guest'], ['--participant', 'guest'], ['--author', 'guest', '--author', 'me']]
          .map((words) => [{ author }, 8, ...words] as Row)),
      ...[{ username: 'ada' }, { id: '5', username: 'ada' }, null].flatMap((author) => [['--mine'], ['--participant', 'me'], ['--waiting']]
        .map((words) => [{ author }, 8, ...words] as Row)),
      [{}, 0, '--author', 'guest'], [{}, 0, '--participant', 'guest'], [{}, 0, '--mine'], [{}, 0, '--waiting'],
      [{ system: 'no', author: { id: 3, username: 'guest' } }, 8, '--participant', 'guest'],
      [{ system: 'no' }, 8, '--no-system'], [{ system: 'no' }, 8, '--waiting'],
      [{ system: null }, 8, '--type', 'system'], [{}, 0, '--type', 'system'], [{}, 0, '--type', 'thread'],
      [{ type: undefined, position: null }, 8, '--type', 'individual'], [{ type: null, position: null }, 0, '--type', 'individual'],
      [{ type: null, position: 'a.txt' }, 8, '--type', 'individual'],
      [{ body: null, author: { id: 5 }, created_at: null, position: null }, 8,
        '--match', 'x', '--mentions', 'guest', '--author', 'guest', '--participant', 'guest', '--since', '2025-01-01', '--path', 'src'],
      [{ body: null, author: { id: 5 } }, 0, '--match', 'x', '--author', 'guest', '--path', 'src'],
    ];
    const service = await testService();
    await everyRow(rows, (row) => JSON.stringify(row), async ([odd, code, ...words]) => {
      const thread = { id: threads.thread, individual_note: false, notes: [{ ...note, ...odd }] };
      const answer = ({ target }: HttpRequest) => target.includes('/discussions') ? json(200, [thread]) : undefined;
      const { code: found, err } = await ranIn({ service, answer }, ...check, ...words);
      expect([found, err]).toEqual([code, expect.stringMatching(code === 0 ? /; 1 other is open/ : /1 unresolved thread on mr\/1/)]);
    });
  });

  it('exits with 2 if there is no user with the name of --author, and nothing would ever be found', async () => {
    const ranFor = (...names: string[]) => ran(...check, '--quiet', ...names.flatMap((name) => ['--author', name]));
    expect(await ranFor('nobody')).toMatchObject({ code: 2, out: '',
      err: 'colloquy: no user named "nobody"\ncheck the spelling of --author: it takes a user name\n' });
    expect(await ranFor('guest', 'nobody')).toMatchObject({ code: 2 });
    expect(await ranFor('@Guest')).toMatchObject({ code: 8, err: `colloquy: 1 unresolved thread on mr/1: 1 by guest; 1 other is open\n${hintForOne}\n` });
    expect((await ranFor('guest')).sent.map(({ target }) => target)).toContainEqual(expect.stringMatching(/\/users\?.*username=guest/));
  });

  it('does without the list of users where the service has none or forbids it', async () => {
    for (const [status, body] of [[404, { error: '404 Not Found' }], [403, { message: '403 Forbidden' }]] as const) {
      const answer = ({ target }: { target: string }) => target.includes('/users?') ? json(status, body) : undefined;
      expect(await ranIn({ answer }, ...check, '--author', 'nobody')).toMatchObject({ code: 0 });
    }
  });

  it('takes me as the name of the owner of the token', async () => {
    const env = { COLLOQUY_TOKEN: 'guest-token' };
    for (const name of ['me', '@me']) {
      expect(await ranIn({ env }, ...check, '--quiet', '--author', name)).toMatchObject({
        code: 8, err: `colloquy: 1 unresolved thread on mr/1: 1 by guest; 1 other is open\n${hintForOne}\n` });
    }
    expect(await ranIn({ env }, ...check, '--quiet', '--author', 'me', '--author', 'reporter')).toMatchObject({
      code: 8, err: `colloquy: ${summary}\n${hint}\n` });
    expect(await ran(...check, '--author', 'me')).toMatchObject({ code: 0 });
  });

  it.each(['#1', '&1'])('reports that the service does not resolve threads of %s', async (ref) => {
    const world = await testApp();
    await world.run('notes', 'add', ref, '-m', 'Why?', '--resolvable');
    expect(await world.run('discussions', 'check', ref)).toMatchObject({
      code: 6, err: expect.stringContaining('the service does not resolve threads of') as string });
  });

  it.each(['$40', `@${refs.commit}`])('rejects %s, whose threads cannot be resolved, before it sends anything', async (ref) => {
    expect(await ran('discussions', 'check', ref)).toMatchObject({
      code: 2, sent: [], err: expect.stringContaining('are not resolvable') as string });
  });

  it('rejects --resolved', async () => {
    expect(await ran(...check, '--resolved')).toMatchObject({ code: 2, sent: [] });
  });

  it.each([[401, 4], [404, 6], [429, 9], [503, 10]])('keeps the exit code of HTTP %i: %i', async (status, code) => {
    const answer = ({ target }: { target: string }) => target.includes('/discussions') ? json(status, { message: 'no' }) : undefined;
    expect((await ranIn({ answer }, ...check, '--retries', '0')).code).toBe(code);
  });

  it('exits with 10 if the headers of a page contradict each other, and threads may be missing', async () => {
    const rows: readonly (readonly [number, Record<string, string>])[] = [
      [10, { 'x-page': '1', 'x-total-pages': '3', 'x-total': '50', 'x-next-page': '' }], [10, { link: '<http://h/x?page=3>; rel="last"' }],
      [10, { 'x-page': '2', 'x-total-pages': '2', 'x-next-page': '' }], [10, { 'x-prev-page': '1', 'x-next-page': '' }],
      [0, { 'x-page': '1', 'x-total-pages': '1', 'x-total': '50', 'x-next-page': '', 'x-prev-page': '' }],
    ];
    const service = await testService();
    await everyRow(rows, ([, headers]) => JSON.stringify(headers), async ([code, headers]) => {
      const response = json(200, []);
      const answer = ({ target }: HttpRequest) => target.includes('/discussions') ? { ...response, headers: { ...response.headers, ...headers } }
        : target.endsWith('/merge_requests/1') ? unknownRoute : undefined;
      expect(await ranIn({ service, answer }, ...check)).toMatchObject({ code, out: '' });
    });
  });

  it('prints its help', async () => {
    const { out } = await ran('discussions', 'check', '--help');
    expect(out).toContain('colloquy discussions check mr/12 --author bob --wait 10m');
    expect(out).toMatch(/-o, --output <format> .*agent/);
  });
});

describe('discussions check --wait', () => {
  it('ends as soon as the last thread is resolved', async () => {
    const service = await testService();
    const asleep = async (count: number) => {
      if (count === 2) await resolve(service, threads.thread);
      if (count === 3) await resolve(service, threads.diff);
    };
    const world = await testApp({ service, asleep });
    expect(await world.run(...check, '--wait', '10m')).toMatchObject({
      code: 0, err: `waiting: ${summary}\nno unresolved threads on mr/1\n` });
    expect(world.slept).toEqual([10_000, 10_000, 10_000]);
  });

  it('exits with 8 when the duration has passed', async () => {
    const world = await testApp();
    const { code, err } = await world.run(...check, '--wait', '25s');
    expect({ code, err }).toEqual({ code: 8, err: `waiting: ${summary}\n${listed.join('')}colloquy: ${summary}\n${hint}\n` });
    expect(world.slept).toEqual([10_000, 10_000, 5_000]);
  });

  it('waits as long when the clock is set', async () => {
    for (const hours of [-1, 1]) {
      const world = await testApp({ clockSet: (sleeps) => sleeps === 0 ? 0 : hours * 3_600_000 });
      expect(await world.run(...check, '--wait', '25s')).toMatchObject({ code: 8 });
      expect(world.slept).toEqual([10_000, 10_000, 5_000]);
    }
  });

  it('goes on after an outage, but is not green if the service is still away at the end', async () => {
    const away = async (from: number, to: number) => {
      const service = await testService();
      let times = 0;
      const asleep = async () => {
        times++;
        if (times === to) for (const id of [threads.thread, threads.diff]) await resolve(service, id);
      };
      return testApp({ service, asleep, answer: () => times >= from && times < to ? json(502, {}) : undefined });
    };
    const world = await away(1, 3);
    expect(await world.run(...check, '--wait', '10m', '--retries', '0')).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^waiting: .*\n(cannot read the threads of mr\/1: .*502.*; trying again\n){2}no unresolved threads on mr\/1\n$/) as string,
    });
    expect(await (await away(1, 99)).run(...check, '--wait', '25s', '--retries', '0')).toMatchObject({ code: 10, out: '' });
    expect(await (await away(0, 99)).run(...check, '--wait', '10m', '--retries', '0')).toMatchObject({ code: 10, out: '' });
  });

  it('rejects a value that is not a duration', async () => {
    expect(await ran(...check, '--wait', 'soon')).toMatchObject({ code: 2, sent: [], err: expect.stringContaining('10m') as string });
  });
});
