import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

describe('discussions resolve and unresolve', () => {
  it('change the state of a thread', async () => {
    const world = await testApp();
    const { code, out, err, sent } = await world.run('discussions', 'resolve', '!1', threads.thread);
    expect(code).toBe(0);
    expect(sent).toMatchObject([{ method: 'GET' }, { method: 'PUT', body: '{"resolved":true}' }]);
    expect(out.split('\t')[1]).toBe('resolved');
    expect(err).toBe(`resolved thread ${threads.thread}\nhttp://service.test/acme/app/-/merge_requests/1#note_120\n`);
    expect((await world.run('discussions', 'unresolve', '!1', '120')).out.split('\t')[1]).toBe('open');
  });

  it('show the thread on a terminal, and as JSON', async () => {
    expect(await ranIn({ terminal: true }, 'discussions', 'resolve', '!1', '3333')).toMatchObject({
      out: 'http://service.test/acme/app/-/merge_requests/1#note_120\n', err: `resolved thread ${threads.thread.slice(0, 8)}\n` });
    expect((await ranIn({ terminal: true }, 'discussions', 'resolve', '!1', '3333', '-o', 'table')).out).toContain('[resolved by @developer]');
    expect(JSON.parse((await ran('discussions', 'resolve', '!1', '3333', '--json')).out)).toMatchObject({
      id: threads.thread, notes: [{ resolved: true }, { resolved: true }] });
  });

  it('fail if the response of the service says that the thread has kept its state', async () => {
    const service = await testService();
    const answer = async (request: HttpRequest) =>
      service.handle(request.method === 'PUT' ? { method: 'GET', target: request.target, headers: request.headers } : request);
    const rows = [['resolve', '!1', '3333'], ['resolve', '!1', '--all', '--yes'], ['reply', '!1', '3333', '-m', 'Yes.', '--resolve'],
      ['unresolve', '!1', '4444']];
    await everyRow(rows, (words) => words.join(' '), async (words) => {
      const { code, err } = await ranIn({ service, answer }, 'discussions', ...words, '--retries', '0');
      expect([code, err]).toEqual([1, expect.stringMatching(/the service left thread [0-9a-f]{40} of mr\/1 (un)?resolved/)]);
    });
  });

  it('fail if the response of the service shows a note of the thread that is still open, such as a new reply', async () => {
    const service = await testService();
    const answer = async (request: HttpRequest) => {
      const response = await service.handle(request);
      if (request.method !== 'PUT') return response;
      const thread = JSON.parse(String(response.body)) as { readonly notes: readonly object[] };
      return json(200, { ...thread, notes: [...thread.notes, { ...thread.notes[0], id: 999, resolved: false, resolved_by: null }] });
    };
    const { code, err } = await ranIn({ service, answer }, 'discussions', 'resolve', '!1', '3333');
    expect([code, err]).toEqual([1, `colloquy: the service left thread ${threads.thread} of mr/1 unresolved\n`]);
  });

  it('fail if the response of the service is about another thread, or shows no state', async () => {
    const service = await testService();
    const { body } = await service.get('/projects/acme%2Fapp/merge_requests/1/discussions') as { body: { id: string }[] };
    const other = body.find(({ id }) => id !== threads.thread);
    const rows = [[other, 10, 'the response is another object: its id is '], [{ id: threads.thread, notes: [] }, 1, 'in an unknown state']] as const;
    await everyRow(rows, ([, code]) => String(code), async ([shown, expected, problem]) => {
      const answer = async (request: HttpRequest) => request.method === 'PUT' ? json(200, shown) : service.handle(request);
      const { code, err } = await ranIn({ service, answer }, 'discussions', 'resolve', '!1', '3333', '--retries', '0');
      expect([code, err]).toEqual([expected, expect.stringContaining(problem)]);
    });
  });

  it('are not for snippets and commits', async () => {
    const { code, err, sent } = await ran('discussions', 'resolve', '$40', threads.snippet);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain('threads of snippet/40 are not resolvable\nchoose a thread of a merge request, an issue or an epic');
  });

  it.each([['16.6', 6, '[404]'], ['16.7', 0, 'resolved']])(
    'ask the service about a thread of an issue: %s', async (serviceVersion, code, text) => {
      const world = await testApp({ service: await testService({ dialect: 'live', serviceVersion }) });
      const { out, err, ...done } = await world.run('discussions', 'resolve', '#1', threads.issue);
      expect(done.code).toBe(code);
      expect(out + err).toContain(code === 0 ? text : 'update the service: issues require version 16.7, epics version 18.1');
      const shown = await world.run('discussions', 'check', '#1');
      expect(shown).toMatchObject({ code });
    });

  it('resolve all threads of an epic', async () => {
    const world = await testApp({ service: await testService({ dialect: 'live' }) });
    await world.run('notes', 'add', 'acme&1', '-m', 'Why?', '--resolvable');
    expect(await world.run('discussions', 'resolve', 'acme&1', '--all', '--yes')).toMatchObject({ code: 0 });
    expect(await world.run('discussions', 'check', 'acme&1')).toMatchObject({ code: 0, err: 'no unresolved threads on epic/1\n' });
  });

  it('require permission', async () => {
    expect(await ranIn({ env: { COLLOQUY_TOKEN: 'guest-token' } }, 'discussions', 'resolve', '!1', threads.diff)).toMatchObject({ code: 5 });
  });

  it('send nothing for a thread that is in that state already, and report it', async () => {
    for (const word of [threads.resolved, '4444', '122']) {
      const { code, out, err, sent } = await ran('discussions', 'resolve', '!1', word, '--json=id');
      expect({ code, out, err }).toEqual({
        code: 0, out: `{"id":"${threads.resolved}"}\n`, err: `thread ${threads.resolved} was already resolved\nhttp://service.test/acme/app/-/merge_requests/1#note_122\n` });
      expect(sent.map(({ method }) => method)).toEqual(['GET']);
    }
    expect(await ranIn({ terminal: true }, 'discussions', 'unresolve', '!1', '3333')).toMatchObject({
      code: 0, out: 'http://service.test/acme/app/-/merge_requests/1#note_120\n', err: `thread ${threads.thread.slice(0, 8)} was already unresolved\n` });
  });

  it('print their help', async () => {
    for (const verb of ['resolve', 'unresolve']) {
      expect((await ran('discussions', verb, '--help')).out).toContain(`colloquy discussions ${verb} mr/12 0287db`);
    }
  });
});

const writes = (sent: readonly HttpRequest[]) => sent.filter(({ method }) => method !== 'GET').map(({ target }) => target.split('/').at(-1));
const two = [threads.thread, threads.diff];

describe('discussions resolve with several threads', () => {
  it('resolves each and prints the records, after one lookup for all', async () => {
    const { code, out, err, sent } = await ran('discussions', 'resolve', '!1', '3333', '#note_123', '120', '--json=id');
    expect({ code, ids: JSON.parse(out) as unknown }).toEqual({ code: 0, ids: two.map((id) => ({ id })) });
    expect(err).toBe(two.map((id, i) => `resolved thread ${id}\nhttp://service.test/acme/app/-/merge_requests/1#note_${120 + 3 * i}\n`).join(''));
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PUT', 'PUT']);
    expect((await ran('discussions', 'resolve', '!1', ...two, '-o', 'ndjson')).out.trim().split('\n')).toHaveLength(2);
    expect((await ran('discussions', 'resolve', '!1', ...two)).out).toMatch(/^3{40}\tresolved\t.*\n5{40}\tresolved\t.*\n$/);
  });

  it('prints a line and a web address for each on a terminal', async () => {
    const page = 'http://service.test/acme/app/-/merge_requests/1#note_';
    expect(await ranIn({ terminal: true }, 'discussions', 'resolve', '!1', ...two)).toMatchObject({
      code: 0, out: `${page}120\n${page}123\n`, err: two.map((id) => `resolved thread ${id.slice(0, 8)}\n`).join('') });
    expect((await ranIn({ terminal: true }, 'discussions', 'resolve', '!1', ...two, '-o', 'table')).out).toMatch(/^THREAD +STATE/);
  });

  it('takes a first word that is a thread as one, on the default merge request', async () => {
    const env = { CI_MERGE_REQUEST_IID: '1' };
    expect(writes((await ranIn({ env }, 'discussions', 'resolve', '3333', '5555')).sent)).toEqual(two);
    expect(writes((await ran('discussions', 'resolve', '3333', '5555', '--mr', '1')).sent)).toEqual(two);
    const urls = ['120', '123'].map((id) => `http://service.test/acme/app/-/merge_requests/1#note_${id}`);
    expect(writes((await ran('discussions', 'resolve', ...urls)).sent)).toEqual(two);
    expect((await ran('discussions', 'resolve', 'mr1', '3333')).err).toContain('"mr1" is not a valid reference\ndid you mean mr/1?');
  });

  it('rejects words that cannot be threads before it sends anything', async () => {
    expect(await ran('discussions', 'resolve', '!1', '3333', 'xyz')).toMatchObject({
      code: 2, sent: [], err: expect.stringContaining('"xyz" is not a valid thread') as string });
  });

  it('resolves the others if one fails, and exits with the failure', async () => {
    const missing = await ran('discussions', 'resolve', '!1', '3333', 'beef', '5555', '--json=id');
    expect({ code: missing.code, ids: JSON.parse(missing.out) as unknown }).toEqual({ code: 6, ids: two.map((id) => ({ id })) });
    expect(missing.err).toContain('"message":"mr/1 has no thread beef"');
    const answer = ({ method, target }: HttpRequest) =>
      method === 'PUT' && target.endsWith(threads.thread) ? json(403, { message: '403 Forbidden' }) : undefined;
    const denied = await ranIn({ answer, terminal: true }, 'discussions', 'resolve', '!1', ...two);
    expect(denied).toMatchObject({ code: 5, out: 'http://service.test/acme/app/-/merge_requests/1#note_123\n' });
    expect(denied.err.replace(/\s+/g, ' ')).toContain(`PUT /api/v4/projects/acme%2Fapp/merge_requests/1/discussions/${threads.thread}: HTTP 403`);
  });

  it('reports every failure if several fail, in one error with the code of the first', async () => {
    const { code, out, err } = await ran('discussions', 'resolve', '!1', 'beef', '3333', 'f00d', '--json=id');
    expect({ code, out }).toEqual({ code: 6, out: `[{"id":"${threads.thread}"}]\n` });
    expect(err).toContain('"message":"2 of 3 changes failed"');
    expect(err).toContain('  beef: mr/1 has no thread beef\\n  f00d: mr/1 has no thread f00d');
  });

  it('stops if the next thread would fail too', async () => {
    const answer = ({ method }: HttpRequest) => method === 'PUT' ? json(401, { message: '401 Unauthorized' }) : undefined;
    const { code, sent } = await ranIn({ answer }, 'discussions', 'resolve', '!1', ...two);
    expect({ code, writes: writes(sent) }).toEqual({ code: 4, writes: [threads.thread] });
  });

  it('says in a dry run that the service rejects it for a single comment', async () => {
    const { run } = await testApp();
    const note = (await run('notes', 'add', '!1', '-m', 'x', '-o', 'id')).out.trim();
    expect((await run('discussions', 'resolve', '!1', note)).code).not.toBe(0);
    const planned = await run('discussions', 'resolve', '!1', note, '-n');
    expect([planned.code, planned.out]).toEqual([0, expect.stringMatching(/^PUT /) as string]);
    expect(planned.err).toMatch(/^thread [0-9a-f]{40} is not resolvable: the service would reject the request\n$/);
    expect((await run('discussions', 'resolve', '!1', threads.thread, '-n')).err).toBe('');
  });

  it('prints the requests of all in a dry run, in JSON as one array', async () => {
    const { code, out, sent } = await ran('discussions', 'resolve', '!1', ...two, '-n', '--json');
    expect({ code, writes: writes(sent) }).toEqual({ code: 0, writes: [] });
    expect(JSON.parse(out)).toMatchObject(two.map((id) => ({ method: 'PUT', url: expect.stringContaining(id) as string })));
    expect((await ran('discussions', 'resolve', '!1', ...two, '-n')).out.match(/^PUT http/gm)).toHaveLength(2);
    expect((await ran('discussions', 'resolve', '!1', ...two, '-n', '-q', '.[].body.resolved')).out).toBe('true\ntrue\n');
  });
});

describe('discussions resolve --all', () => {
  const all = ['discussions', 'resolve', '!1', '--all'];

  it('resolves the unresolved threads with --yes', async () => {
    const { code, out, sent } = await ran(...all, '--yes', '-o', 'id');
    expect({ code, out, writes: writes(sent) }).toEqual({ code: 0, out: `${two.join('\n')}\n`, writes: two });
  });

  it.each([
    ['--author guest', [threads.thread]], ['--path app.js', [threads.diff]], ['--type diff', [threads.diff]], ['--match see', [threads.thread]],
  ])('resolves only those that pass %s', async (filter, ids) => {
    expect(writes((await ran(...all, '--yes', ...filter.split(' '))).sent)).toEqual(ids);
  });

  it('shows the threads and asks on a terminal', async () => {
    const answered = async (answer: boolean) => {
      const world = await testApp({ terminal: true, answers: [answer] });
      return { ...await world.run(...all), asked: world.asked };
    };
    const agreed = await answered(true);
    expect({ asked: agreed.asked, writes: writes(agreed.sent) }).toEqual({ asked: ['Resolve 2 threads of mr/1 on http://service.test?'], writes: two });
    expect(agreed.err).toContain(`unresolved threads:\n  ${threads.thread}  please explain\n  ${threads.diff}  why?\n`);
    const declined = await answered(false);
    expect({ code: declined.code, writes: writes(declined.sent) }).toEqual({ code: 3, writes: [] });
  });

  it('leaves and names a thread that got a note while it asked, and resolves the others', async () => {
    const service = await testService();
    let isAnswered = false;
    const world = await testApp({ service, terminal: true, answers: [true], answer: async (request) => {
      if (world.asked.length > 0 && !isAnswered) {
        isAnswered = true;
        const path = `/projects/20/merge_requests/1/discussions/${threads.thread}/notes`;
        await service.call('POST', path, { as: 'guest', json: { body: 'Wait' } });
      }
      return service.handle(request);
    } });
    const { code, err, sent } = await world.run(...all);
    expect([code, writes(sent)], err).toEqual([1, [threads.diff]]);
    expect(err.replace(/\s+/g, ' ')).toContain(`thread ${threads.thread.slice(0, 8)} has notes that arrived after it was shown`);
  });

  it('requires --yes without a terminal', async () => {
    const { code, out, err, sent } = await ran(...all);
    expect({ code, out, writes: writes(sent) }).toEqual({ code: 2, out: '', writes: [] });
    expect(err).toBe('colloquy: refusing to resolve 2 threads of mr/1 on http://service.test without confirmation\npass --yes to confirm\n');
  });

  it('does nothing if there is nothing to do, and says so', async () => {
    expect(await ran('discussions', 'resolve', '!2', '--all', '--json')).toMatchObject({ code: 0, out: '[]\n', err: 'no unresolved threads on mr/2\n' });
    expect(await ranIn({ terminal: true }, ...all, '--author', 'nobody')).toMatchObject({
      code: 0, out: '', err: 'no note is by "nobody": check the spelling of --author\nno unresolved threads on mr/1 pass the filters\n' });
  });

  it('prints the same result in a dry run if there is nothing to do', async () => {
    const calls = [['resolve', '!2', '--all'], ['resolve', '!2', '--all', '--changed'], ['unresolve', '!2', '--all'],
      ['resolve', '!1', threads.resolved, threads.resolved]];
    await everyRow(calls, (call) => call.join(' '), async (call) => {
      const { code, out } = await ran('discussions', ...call, '--json');
      expect(await ran('discussions', ...call, '--json', '--dry-run')).toMatchObject({ code, out });
      expect([code, JSON.parse(out)]).toEqual([0, expect.any(Array)]);
    });
  });

  it('reopens the resolved threads with unresolve', async () => {
    const { code, sent } = await ran('discussions', 'unresolve', '!1', '--all', '--yes');
    expect({ code, writes: writes(sent) }).toEqual({ code: 0, writes: [threads.resolved] });
    expect((await ran('discussions', 'unresolve', '!2', '--all')).err).toBe('no resolved threads on mr/2\n');
  });

  it.each([
    [['!1', '3333', '--all'], '--all and a thread cannot be combined'], [['!1', '--all', '-L', '3'], '--all and --limit cannot be combined'],
    [['!1', '3333', '--author', 'ada'], 'filters require --all'], [['!1', '3333', '--no-system'], 'filters require --all'],
    [['!1'], 'no note or thread given'],
  ])('cannot be combined with threads, and filters require it: %j', async (words, message) => {
    expect(await ran('discussions', 'resolve', ...words)).toMatchObject({ code: 2, sent: [], err: expect.stringContaining(message) as string });
  });
});
