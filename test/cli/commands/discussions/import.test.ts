import { describe, expect, it } from 'vitest';
import { bodyLimit } from '../../../../src/contract/conventions.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { json } from '../../../support/answers.js';
import { testApp, type Ran, type WorldOptions } from '../../../support/app.js';
import { at, bodies, comment, importInto, lines, listed, posts, sha, thread } from '../../../support/imports.js';
import { testService } from '../../../support/service.js';
import { refs } from '../../../support/worlds.js';

const anchor = {
  base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text', old_path: 'app.js', new_path: 'app.js',
  new_line: 2,
};

describe('discussions import', () => {
  it.each(['!2', '#1', 'snippet/40', 'epic/id:500', `@${refs.commit}`])('creates threads, replies and comments on %s, with author and time', async (ref) => {
    const file = lines(comment({ body: 'a comment' }), thread([{ body: 'a question' }, { body: 'an answer' }]));
    const { code, created, result } = await importInto(ref, file);
    expect([code, result]).toMatchObject([0, { created: 3, existing: 0, failed: [] }]);
    expect(bodies(created).map((notes) => notes.map((body) => body.split('\n\n')[1]))).toEqual([['a comment'], ['a question', 'an answer']]);
    for (const { notes } of created) for (const { body } of notes) expect(body).toMatch(/^`bob` wrote on 2023-01-01 10:0\d UTC:\n\n/);
    expect(created.map(({ individual_note }) => individual_note)).toEqual([!ref.startsWith('@'), false]);
  });

  it('hides the values of secret variables', async () => {
    const { created, err } = await importInto('!2', lines(comment({ body: 'a "secret/12" b' })), [], { env: { DEPLOY_TOKEN: '"secret/12"' } });
    expect(bodies(created)[0]![0]!.split('\n\n')[1]).toBe('a [masked] b');
    expect(err).toContain('masked the values of secret variables in f\n');
  });

  it('masks no positions', async () => {
    const { created } = await importInto('!1', lines(thread([{ position: anchor }])), [], { env: { PROJECT_KEY: anchor.head_sha } });
    expect(created[0]!.notes[0]!.position).toMatchObject(anchor);
  });

  it('adds nothing when it runs again', async () => {
    const file = lines(comment({}), thread([{ resolved: true }, { resolved: true }]), thread([{ position: anchor }]));
    const { service, world } = await importInto('!1', file);
    const before = await listed(world, '!1');
    const again = await importInto('!1', file, [], { service });
    expect(again.result).toMatchObject({ created: 0, existing: 4, resolved: 0, failed: [] });
    expect(posts(again)).toBe(0);
    expect(await listed(world, '!1')).toEqual(before);
  });

  it('continues where an import was stopped', async () => {
    const threads = [thread([{ resolved: true }, { resolved: true }]), comment({}), thread([{}, {}])];
    const service = await testService();
    const partly = { ...threads[0]!, notes: threads[0]!.notes.slice(0, 1).map((note) => ({ ...note, resolved: false })) };
    await importInto('!2', lines(partly, threads[1]!), [], { service });
    const { world, result } = await importInto('!2', lines(...threads), [], { service });
    expect(result).toMatchObject({ created: 3, existing: 2, resolved: 1 });
    expect((await listed(world, '!2')).map(({ notes }) => notes.length)).toEqual([2, 1, 2]);
  });

  it('keeps creation times where the service stores them, and says so where it does not', async () => {
    const threads = [thread([{ at: 1 }, { at: 5 }]), thread([{ at: 3 }])];
    const { created, err } = await importInto('#2', lines(...threads));
    expect(created.map(({ notes }) => notes.map(({ created_at }) => created_at)))
      .toEqual(threads.map(({ notes }) => notes.map(({ created_at }) => created_at)));
    expect(err).not.toContain('creation times');
    const other = await importInto('!2', lines(...threads), [], { env: { COLLOQUY_TOKEN: 'developer-token' } });
    expect(other.err).toContain('the service ignores creation times, except from owners and administrators: the texts name them\n');
    expect(other.created.map(({ notes }) => notes.length)).toEqual([2, 1]);
  });

  it('starts threads one after the other where creation times are ignored, in the order of the file', async () => {
    const threads = Array.from({ length: 30 }, (_, i) => thread([{ body: `thread ${i}`, at: 30 - i }]));
    const { created } = await importInto('!2', lines(...threads), [], { env: { COLLOQUY_TOKEN: 'developer-token' } });
    expect(bodies(created).map(([body]) => body!.split('\n\n')[1])).toEqual(threads.map((_, i) => `thread ${i}`));
  });

  it('makes links to uploads absolute with what the export or its notes say about their project', async () => {
    const upload = `/uploads/${'0f'.repeat(16)}/a.txt`;
    const body = `see [the log](${upload})`;
    const first = thread([{ body }]);
    const { notes: [note], ...second } = thread([{ body }]);
    const author = { ...note!.author, web_url: 'https://old.test/gl/bob' };
    const ofOther = { ...second, notes: [{ ...note!, project_id: 7, author }] };
    const { created, err } = await importInto('#1', lines({ ...first, uploads_url: 'https://old.test/acme/app' }, ofOther,
      thread([{ body }])));
    expect(bodies(created).map(([text]) => /\((.*)\)/.exec(text!)?.[1])).toEqual([
      `https://old.test/acme/app${upload}`, `https://old.test/gl/-/project/7${upload}`, upload]);
    expect(err).toContain('notes with links to uploads of an unknown project, which do not work: 1\n');
    const rejected = await importInto('#1', lines({ ...first, uploads_url: 'https://ada:x@old.test/acme' }));
    expect([rejected.code, rejected.err]).toEqual([2, expect.stringContaining('line 1: `uploads_url` is not an http address')]);
  });

  it('quotes system notes, or skips them', async () => {
    const file = lines(comment({ body: 'changed the title\n/close', system: true }), thread([{ body: 'x' }, { body: 'changed', system: true }]));
    const quoted = await importInto('#1', file);
    expect(bodies(quoted.created)[0]![0]).toMatch(/^`bob`: system note on 2023-01-01 10:0\d UTC:\n\n> changed the title\n> \u2060?\/close$/u);
    const skipped = await importInto('#1', file, ['--system-notes', 'skip']);
    expect(skipped.result).toMatchObject({ created: 1, skipped: 2 });
    expect(bodies(skipped.created)).toEqual([[expect.stringContaining('\n\nx')]]);
  });

  it('runs no quick action of the texts and mentions nobody, unless --raw-text is given', async () => {
    const file = lines(thread([{ body: '@root see #1\n/close' }]));
    const safe = await importInto('!2', file, [], { service: await testService({ quickActions: true }) });
    expect(bodies(safe.created)[0]![0]).toMatch(/\n\n@\u2060root see #\u20601\n\u2060\/close$/);
    expect(safe.created[0]!.notes[0]).not.toMatchObject({ commands_changes: { state_event: 'close' } });
    const raw = await importInto('!2', file, ['--raw-text'], { service: await testService({ quickActions: true }) });
    expect(bodies(raw.created)[0]![0]).toMatch(/\n\n@root see #1$/);
  });

  it('shows a username as it is, and nothing in it has an effect', async () => {
    const strange = { ...thread([{}]), notes: [{ ...thread([{}]).notes[0], author: { username: '@all`\n/close' } }] };
    const { created } = await importInto('!2', lines(strange), [], { service: await testService({ quickActions: true }) });
    expect(bodies(created)[0]![0]).toMatch(/^``@all` \/close`` wrote on /);
  });

  it('keeps a position if the diff has its version, else names file and line in the text', async () => {
    const other = { ...anchor, head_sha: sha(1) };
    const { created, result, err } = await importInto('!1', lines(thread([{ position: anchor }, { position: anchor }]), thread([{ position: other }])));
    expect(created[0]!.notes.map(({ position }) => position)).toEqual([anchor, anchor]);
    expect(bodies(created)[0]![0]).not.toContain('app.js');
    expect(created[1]!.notes[0]).toMatchObject({ type: 'DiscussionNote', body: expect.stringMatching(/^`bob` wrote about `app\.js:2` on /) as string });
    expect(result).toMatchObject({ unanchored: 1 });
    expect(err).toContain('threads without their position in the diff, which their text names: 1\n');
  });

  it('names file and line in the text if the service rejects the position', async () => {
    const { created } = await importInto('!1', lines(thread([{ position: { ...anchor, new_line: 99 } }])));
    expect(created[0]!.notes[0]).toMatchObject({ type: 'DiscussionNote', body: expect.stringContaining('about `app.js:99`') as string });
  });

  it('resolves resolved threads, but not one that somebody answered or reopened with an answer since', async () => {
    const file = lines(thread([{ resolved: true }]), thread([{ resolved: true }, { resolved: false }]));
    const { created, world, service, result } = await importInto('!2', file);
    expect(created.map(({ notes }) => notes.map(({ resolved }) => resolved))).toEqual([[true], [false, false]]);
    expect(result).toMatchObject({ resolved: 1 });
    await world.run('discussions', 'unresolve', '!2', created[0]!.id);
    await world.run('discussions', 'reply', '!2', created[0]!.id, '-m', 'Not fixed.');
    expect((await importInto('!2', file, [], { service })).result).toMatchObject({ created: 0, resolved: 0 });
  });

  it('reports resolved threads on a kind that has none', async () => {
    const { err } = await importInto('#1', lines(thread([{ resolved: true }])));
    expect(err).toContain('issue/1 has no resolved threads: 1 of the imported ones were resolved\n');
  });

  it('plans to resolve threads of an issue only where the service resolves them', async () => {
    const file = lines(thread([{ resolved: true }]));
    for (const dialect of ['document', 'live'] as const) {
      const service = await testService({ dialect });
      const planned = await importInto('#1', file, ['--dry-run'], { service });
      const done = await importInto('#1', file, [], { service });
      const resolved = dialect === 'live' ? 1 : 0;
      expect([planned.result, done.result]).toEqual([expect.objectContaining({ resolved }), expect.objectContaining({ resolved })]);
      expect(planned.err.includes('issue/1 has no resolved threads: 1 of the imported ones were resolved\n')).toBe(resolved === 0);
    }
  });

  it('does not say that a kind has no resolved threads if an import of one failed', async () => {
    const answer: WorldOptions['answer'] = ({ method, body }) =>
      method === 'POST' && String(body).includes('refuse me') ? json(400, { message: '400 Bad request' }) : undefined;
    const { code, err } = await importInto('#1', lines(thread([{ resolved: true }, { resolved: true, body: 'refuse me' }])), [], { answer });
    expect(code).not.toBe(0);
    expect(err).not.toContain('has no resolved threads');
  });

  it('sends nothing with --dry-run and reports what it would do', async () => {
    const file = lines(thread([{ resolved: true }, { resolved: true }]), thread([{ position: { ...anchor, head_sha: sha(1) } }]));
    const { code, sent, result, err, created } = await importInto('!1', file, ['--dry-run']);
    expect([code, posts({ sent } as Ran), created]).toEqual([0, 0, []]);
    expect(result).toMatchObject({ created: 3, resolved: 1, unanchored: 1 });
    expect(err).toContain('mr/1 on http://service.test: would import 3 notes, would resolve 1\n');
  });

  it('says how many texts the service has no room for, before it cuts them and after, and counts each once', async () => {
    const body = `${'x'.repeat(bodyLimit - 100)}\nthe conclusion`;
    const file = lines(thread([{ body: 'short' }, { body }]), thread([{ body, position: { ...anchor, new_line: 99 } }]));
    for (const args of [['--dry-run'], []]) {
      const { code, result, err } = await importInto('!1', file, args);
      expect([code, result]).toMatchObject([0, { created: 3, cut: 2 }]);
      expect(err).toContain('notes whose text is too long and loses its end: 2\n');
    }
  });

  it.each<[string, string]>([
    ['{"id":', 'invalid JSON'], ['[]', 'not an object'], ['{"id":1}', '`id` is not the id of a thread'],
    [lines({ ...thread([{}]), notes: [] }), '`notes` is not a list of notes'],
    [lines({ ...thread([{}]), notes: [{ ...thread([{}]).notes[0], created_at: 'soon' }] }), 'notes[0]: `created_at` is not a time'],
    [lines({ ...thread([{}]), notes: [{ ...thread([{}]).notes[0], body: null }] }), 'notes[0]: `body` is not a text'],
    [lines(thread([{ position: { ...anchor, new_line: '2' } }])), 'notes[0]: `position.new_line` has the wrong type'],
  ])('rejects a file with the line %j before any request', async (line, problem) => {
    const world = await at(await testService(), `${lines(thread([{}]))}\n${line}`);
    expect(await world.run('discussions', 'import', '#1', 'f')).toMatchObject({
      code: 2, out: '', sent: [], err: `colloquy: f, line 3: ${problem}\nfix or remove the line; nothing was sent\n`,
    });
  });

  it('rejects a thread that is in the file twice', async () => {
    const one = thread([{}]);
    const world = await at(await testService(), lines(one, one));
    expect((await world.run('discussions', 'import', '#1', 'f')).err).toContain(`f, line 2: thread ${one.id} is on line 1 too`);
  });

  it('imports the other threads after one failed, and names the line', async () => {
    const answer: WorldOptions['answer'] = ({ method, body }) => method === 'POST' && String(body).includes('refuse me') ? {
      status: 400, headers: { 'content-type': 'application/json' }, body: '{"message":"400 Bad request - no"}' } : undefined;
    const { code, result, err } = await importInto('#2', lines(thread([{}]), thread([{ body: 'refuse me' }]), thread([{}])), [], { answer });
    expect([code, result]).toMatchObject([7, { created: 2, failed: [{ line: 2, error: 'the service rejected the request: "no" (HTTP 400)' }] }]);
    expect(JSON.parse(err.split('\n').at(-2)!)).toMatchObject({ error: { message: '1 of 3 threads were not imported' } });
  });

  it('reads standard input', async () => {
    const world = await testApp({ stdin: lines(thread([{}])), env: { COLLOQUY_TOKEN: 'owner-token' } });
    expect(await world.run('discussions', 'import', '#2', '-')).toMatchObject({ code: 0, err: 'issue/2: imported 1 note\nhttp://service.test/acme/app/-/issues/2\n' });
  });

  it('prints one line and the web address on a terminal', async () => {
    const world = await at(await testService(), lines(thread([{ body: 'x' }])), { terminal: true });
    const { code, out, err } = await world.run('discussions', 'import', '#2', 'f');
    expect([code, out]).toEqual([0, 'http://service.test/acme/app/-/issues/2\n']);
    expect(err).toContain('issue/2: imported 1 note\n');
  });

  it('refuses --limit, which it would ignore', async () => {
    const world = await testApp({ files: { 'a.ndjson': lines(comment({ body: 'a comment' })) } });
    const { code, err, sent } = await world.run('discussions', 'import', '#2', 'a.ndjson', '--limit', '1');
    expect([code, err, sent]).toEqual([2, expect.stringContaining('--limit is not available for `discussions import`') as string, []]);
  });

  it('requires a file', async () => {
    const world = await testApp();
    expect(await world.run('discussions', 'import', '#2')).toMatchObject({ code: 2, sent: [] });
  });

  it('cuts a text that is too long with its author and marker', async () => {
    const { created, result } = await importInto('#2', lines(thread([{ body: 'x'.repeat(1_000_000) }])));
    expect(result).toMatchObject({ created: 1, cut: 1 });
    expect(created[0]!.notes[0]!.body).toContain('\n\n… (cut)\n\n<!-- colloquy:');
  });

  it('deletes the copy that a service stored late for a stopped import', async () => {
    const file = lines(thread([{}, {}]));
    const { service, world, created: [first] } = await importInto('#2', file);
    await service.post('/projects/20/issues/2/discussions', { as: 'owner', json: { body: first!.notes[0]!.body } });
    const { result } = await importInto('#2', file, [], { service });
    expect(result).toMatchObject({ created: 0, existing: 2 });
    expect((await listed(world, '#2')).map(({ id }) => id)).toEqual([first!.id]);
  });

  it.each([1, 2, 3])('creates every note once while a third of the requests fail, seed %i', async (seed) => {
    const threads = Array.from({ length: 25 }, (_, i) => i % 5 === 0 ? comment({ body: `comment ${i}` })
      : thread([{ body: `thread ${i}`, resolved: true }, { body: `reply ${i}`, resolved: true }]));
    const service = await testService({
      faultSeed: seed,
      faults: ['POST * => status 500 after p=0.3', 'POST * => status 502 p=0.1', 'GET * => status 500 p=0.2', 'PUT * => status 500 after p=0.3'],
    });
    const world = await at(service, lines(...threads));
    const ran = await world.run('discussions', 'import', '!2', 'f', '--retries', '10');
    expect(ran.code).toBe(0);
    expect(posts(ran)).toBeGreaterThan(45 + 20);
    await service.faults([]);
    const created = await listed(world, '!2');
    const expected = threads.map(({ notes }) => notes.map(({ body }) => body)).sort();
    expect(bodies(created).map((notes) => notes.map((body) => body.split('\n\n')[1]!)).sort()).toEqual(expected);
    expect(created.every(({ individual_note, notes }) => individual_note || notes.every(({ resolved }) => resolved))).toBe(true);
  });

  it.each(['garble', 'truncate', 'html', 'status 500'])('repeats reads and resolves after %s', async (failure) => {
    const once = (on: string) => ({ on, do: failure, times: 1 });
    const service = await testService({ faults: [once('GET /user'), once('GET /projects/*'), once('PUT *')] });
    const world = await at(service, lines(thread([{ body: 'thread', resolved: true }])));
    expect((await world.run('discussions', 'import', '!2', 'f')).code).toBe(0);
    expect(await listed(world, '!2')).toMatchObject([{ notes: [{ resolved: true }] }]);
  });

  it.each([0, 1, 2, 3])('deletes copies although reads are outdated and failures look like success, %i', async (skip) => {
    const service = await testService();
    const threads = Array.from({ length: 3 }, (_, i) => thread([{ body: `thread ${i}` }]));
    await (await at(service, lines(...threads))).run('discussions', 'import', '!2', 'f');
    await service.faults([
      { on: 'GET /projects/*', do: 'respond {"status":200,"body":[]}', times: 1 },
      { on: 'DELETE *', do: 'status 500 after', times: 1 },
      { on: 'GET /projects/*', do: 'stale', skip, times: 2 },
    ]);
    const world = await at(service, lines(...threads));
    expect((await world.run('discussions', 'import', '!2', 'f')).code).toBe(0);
    await service.faults([]);
    expect(await listed(world, '!2')).toHaveLength(3);
  });

  it('keeps a note of a person with the marker of an imported one, and names it', async () => {
    const service = await testService();
    const file = lines(thread([{ body: 'imported' }]));
    const { created: [first], world } = await importInto('!2', file, [], { service });
    const body = `My analysis.\n\n${first!.notes[0]!.body}`;
    const { body: pasted } = await service.post<Discussion>('/projects/20/merge_requests/2/discussions', { as: 'owner', json: { body } });
    const { code, err } = await (await at(service, file)).run('discussions', 'import', '!2', 'f');
    expect([code, err]).toEqual([0, expect.stringContaining(`left note ${pasted.notes[0]!.id} of mr/2: it is a copy`)]);
    expect((await listed(world, '!2')).map(({ notes }) => notes[0]!.body)).toEqual([first!.notes[0]!.body, body]);
  });

  it.each([1, 2, 3])('creates every note once although it is interrupted again and again, seed %i', async (seed) => {
    const threads = Array.from({ length: 20 }, (_, i) => thread([{ body: `thread ${i}` }, { body: `reply ${i}` }]));
    const service = await testService({ faultSeed: seed, faults: ['POST * => status 500 after p=0.3'] });
    let runs = 0;
    for (let code = 130; code !== 0; runs++) {
      let left = seed + (runs + 1) * 3;
      const world: Awaited<ReturnType<typeof at>> = await at(service, lines(...threads), { answer: ({ method }) => {
        if (method === 'POST' && --left === 0) world.stop.abort();
        return undefined;
      } });
      code = (await world.run('discussions', 'import', '!2', 'f', '--retries', '10')).code;
      expect([0, 130]).toContain(code);
    }
    expect(runs).toBeGreaterThan(3);
    const created = await listed(await at(service, ''), '!2');
    expect(bodies(created).map((notes) => notes.map((body) => body.split('\n\n')[1]!)).sort())
      .toEqual(threads.map(({ notes }) => notes.map(({ body }) => body)).sort());
  });
});
