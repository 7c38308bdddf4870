import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { refs, threads } from '../../../support/worlds.js';

describe('notes add', () => {
  it.each(['!1', '#1', 'snippet/40', 'epic/id:500', '&1', `@${refs.commit}`])('comments on %s', async (ref) => {
    const { code, out, err } = await ran('notes', 'add', ref, '-m', 'Hello.');
    expect(code).toBe(0);
    expect(out).toMatch(/^\d+\t\tdeveloper\t2024-05-01T12:00:00.000Z\t\tHello\.\n$/);
    expect(err).toMatch(/(^|^commits have .*\n)added note \d+ to (mr\/1|issue\/1|snippet\/40|epic\/id:500|epic\/1|commit\/e+)\n(http\S+#note_\d+\n)?$/);
  });

  it.each(['!1', '#1', 'snippet/40', 'epic/id:500'])('adds a single comment to %s, which is never resolvable', async (ref) => {
    const world = await testApp();
    const { out } = await world.run('notes', 'add', ref, '-m', 'Hello.', '--json=id,type,resolvable');
    const note = JSON.parse(out) as { id: number };
    expect(note).toMatchObject({ type: null, resolvable: false });
    const threads = JSON.parse((await world.run('discussions', 'list', ref, '--json')).out) as Discussion[];
    expect(threads.find(({ notes }) => notes[0]!.id === note.id)).toMatchObject({ individual_note: true });
  });

  it('with a key posts once, also after a person added a text below the marker, which stays hidden', async () => {
    const world = await testApp();
    const add = async () => JSON.parse((await world.run('notes', 'add', '!1', '--key', 'deployed', '-m', 'Deployed.', '--json')).out) as Note;
    const { id, body } = await add();
    await world.service.put(`/projects/20/merge_requests/1/notes/${id}`, { json: { body: `${body}\n\n(rolled back)` } });
    expect((await add()).id).toBe(id);
    const { out } = await world.run('notes', 'list', '!1');
    expect(out).toContain('(rolled back)');
    expect(out).not.toContain('colloquy:');
  });

  it('does not make a check of open threads fail', async () => {
    const world = await testApp();
    const open = async () => (await world.run('discussions', 'list', '!1', '--unresolved', '-o', 'id')).out;
    const before = await open();
    await world.run('notes', 'add', '!1', '-m', 'Report.');
    expect(await open()).toBe(before);
    await world.run('notes', 'add', '!1', '--resolvable', '-m', 'Please check.');
    expect(await open()).not.toBe(before);
  });

  it.each([['--resolvable'], ['--file', 'app.js', '--line', '2']])('starts a thread with %s', async (...flags) => {
    const { sent, err } = await ran('notes', 'add', '!1', '-m', 'x', ...flags);
    expect(sent.at(-1)!.target).toMatch(/\/merge_requests\/1\/discussions$/);
    expect(err).toMatch(/^added note \d+ to mr\/1\nhttp\S+#note_\d+\n$/);
  });

  it('starts a thread on a commit and says so', async () => {
    const { err, sent } = await ran('notes', 'add', `@${refs.commit}`, '-m', 'x');
    expect(err).toMatch(/^commits have no plain comments: started a thread\nadded note/);
    expect(sent.map(({ method }) => method)).toEqual(['POST']);
  });

  describe('on a service without plain comments', () => {
    const answer = ({ target }: HttpRequest) => /\/notes$/.test(target) && !target.includes('/discussions/')
      ? { status: 404, headers: { 'content-type': 'application/json' }, body: '{"error":"404 Not Found"}' } : undefined;

    it('starts a thread and says so; the next command asks again, because the service may have been updated', async () => {
      const world = await testApp({ answer });
      const first = await world.run('notes', 'add', '!1', '-m', 'x');
      expect(first).toMatchObject({ code: 0,
        err: expect.stringMatching(/^the service does not support plain comments: started a thread, which can be resolved\n/) as string });
      expect(first.sent.length).toBe(2);
      expect((await world.run('notes', 'add', '#1', '-m', 'x')).sent.length).toBe(2);
    });

    it('reports an unknown merge request as such', async () => {
      const world = await testApp({ answer });
      expect(await world.run('notes', 'add', '!99', '-m', 'x')).toMatchObject({ code: 6 });
      expect((await world.run('notes', 'add', '!1', '-m', 'x')).sent.length).toBe(2);
    });
  });

  it('replies to a thread', async () => {
    const { sent, out } = await ran('notes', 'add', '!1', '--thread', '3333', '-m', 'x', '-o', 'id');
    expect(sent.at(-1)!.target).toContain(`/discussions/${threads.thread}/notes`);
    expect(out).toMatch(/^\d+\n$/);
  });

  it('prints the note as JSON, and field by field with -o table on a terminal', async () => {
    expect(JSON.parse((await ran('notes', 'add', '!1', '-m', 'x', '--json')).out)).toMatchObject({ body: 'x', author: { username: 'developer' } });
    expect((await ranIn({ terminal: true }, 'notes', 'add', '!1', '-m', 'x', '-o', 'table')).out).toContain('text     x\n');
  });

  it.each([
    ['!1', 'acme/app/-/merge_requests/1'], ['#1', 'acme/app/-/issues/1'], ['snippet/40', 'acme/app/-/snippets/40'],
    ['&1', 'groups/acme/-/epics/1'], [`@${refs.commit}`, `acme/app/-/commit/${refs.commit}`],
    ['http://service.test/open/site/-/issues/1', 'open/site/-/issues/1'],
  ])('prints one line and the web address of a note on %s on a terminal', async (ref, page) => {
    const { out, err } = await ranIn({ terminal: true, env: { COLLOQUY_TOKEN: 'owner-token' } }, 'notes', 'add', ref, '-m', 'x');
    const [, id] = /^added note (\d+) to \S+\n$/m.exec(err) ?? [];
    expect(out).toBe(`http://service.test/${page}#note_${id}\n`);
  });

  it('prints no web address if only the id of the project or epic is known, or in the sandbox', async () => {
    for (const flags of [['!1', '-p', '20'], ['epic/id:500'], ['mr/12', '--sandbox', '-p', 'acme/app']]) {
      expect(await ranIn({ terminal: true }, 'notes', 'add', ...flags, '-m', 'x')).toMatchObject({
        code: 0, out: '', err: expect.stringMatching(/(^|\n)added note \d+ to \S+\n$/) as string });
    }
  });

  it('prints the web address of a service that only a git remote names', async () => {
    const remotes = [{ name: 'origin', url: 'https://service.test/acme/other.git' }];
    const profiles = { current: 'work', profiles: { work: { url: 'https://service.test', token: 'developer-token' } } };
    const options = { terminal: true, remotes, profiles, env: { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined } };
    expect((await ranIn(options, 'notes', 'add', '!1', '-m', 'x', '--quiet')).out)
      .toMatch(/^https:\/\/service\.test\/acme\/app\/-\/merge_requests\/1#note_\d+\n$/);
  });

  it('rejects a position inside a thread', async () => {
    expect(await ran('notes', 'add', '!1', '--thread', '3333', '-m', 'x', '--file', 'app.js', '--line', '2')).toMatchObject({ code: 2, sent: [] });
  });

  it('rejects --resolvable and --commit-id inside a thread', async () => {
    expect(await ran('notes', 'add', '!1', '--thread', '3333', '-m', 'x', '--resolvable')).toMatchObject({ code: 2, sent: [] });
    expect(await ran('notes', 'add', '!1', '--thread', '3333', '-m', 'x', '--commit-id', 'a'.repeat(40))).toMatchObject({ code: 2, sent: [] });
  });

  it('comments on a line of the diff', async () => {
    expect((await ran('notes', 'add', '!1', '-m', 'x', '--file', 'app.js', '--line', '2')).out).toContain('\tapp.js:2\tx\n');
  });

  it('fails if the token may not comment', async () => {
    expect(await ranIn({ env: { COLLOQUY_TOKEN: 'guest-token' } }, 'notes', 'add', 'acme/old#1', '-m', 'x')).toMatchObject({ code: 5 });
    expect(await ranIn({ env: { COLLOQUY_TOKEN: 'wrong' } }, 'notes', 'add', '!1', '-m', 'x')).toMatchObject({ code: 4 });
  });

  it('prints its help', async () => {
    expect((await ran('notes', 'add', '--help')).out).toContain('npm test 2>&1 | colloquy notes add mr/12');
  });
});
