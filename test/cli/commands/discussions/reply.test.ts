import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { threads } from '../../../support/worlds.js';

const reply = ['discussions', 'reply', '!1', '3333', '-m', 'Because.'];

describe('discussions reply', () => {
  it('adds a note to the thread', async () => {
    const { code, out, err, sent } = await ran(...reply);
    expect(code).toBe(0);
    expect(sent.at(-1)).toMatchObject({
      method: 'POST', target: `/api/v4/projects/acme%2Fapp/merge_requests/1/discussions/${threads.thread}/notes`, body: '{"body":"Because."}' });
    expect(out).toMatch(/^\d+\topen\tdeveloper\t2024-05-01T12:00:00.000Z\t\tBecause\.\n$/);
    expect(err).toBe(`added note 141 to thread ${threads.thread}\nhttp://service.test/acme/app/-/merge_requests/1#note_141\n`);
  });

  it('shows the note field by field on a terminal, and as JSON', async () => {
    expect((await ranIn({ terminal: true }, ...reply)).out).toMatch(/^http:\/\/service\.test\/acme\/app\/-\/merge_requests\/1#note_\d+\n$/);
    expect((await ranIn({ terminal: true }, ...reply, '-o', 'table')).out).toContain('author   developer\ncreated  just now\nplace\ntext     Because.\n');
    expect(JSON.parse((await ran(...reply, '--json=body,type')).out)).toEqual({ body: 'Because.', type: 'DiscussionNote' });
  });

  it('fails if a single comment cannot become a thread', async () => {
    const { code, err } = await ran('discussions', 'reply', 'snippet/40', '110', '-m', 'x');
    expect(code).toBe(7);
    expect(err).toContain('Discussion can not be replied to');
  });

  it('prints its help', async () => {
    expect((await ran('discussions', 'reply', '--help')).out).toContain('colloquy discussions reply mr/12 0287db');
  });

  it('sends a note id of the thread if the service requires one', async () => {
    const { code, sent } = await ranIn({
      answer: ({ method, body }) => method === 'POST' && !String(body).includes('note_id') ? json(400, { error: 'note_id is missing' }) : undefined,
    }, ...reply);
    expect(code).toBe(0);
    const posts = sent.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(String(body)) as unknown);
    const thread = sent.at(-2)!;
    expect(thread).toMatchObject({ method: 'GET', target: expect.stringMatching(/\/discussions\/3{40}$/) as string });
    expect(posts).toEqual([{ body: 'Because.' }, { body: 'Because.', note_id: expect.any(Number) as number }]);
  });

  it('does not retry after another error', async () => {
    const { code, sent } = await ranIn({ answer: ({ method }) => method === 'POST' ? json(400, { error: 'body is invalid' }) : undefined }, ...reply);
    expect(code).toBe(7);
    expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('discussions reply --resolve', () => {
  const requests = (sent: readonly HttpRequest[]) => sent.map(({ method, target }) => `${method} ${target.split('/').slice(-2).join('/')}`);
  const both = [`POST ${threads.thread}/notes`, `PUT discussions/${threads.thread}`];

  it('adds the note, then resolves the thread', async () => {
    const { code, out, err, sent } = await ran('discussions', 'reply', '!1', threads.thread, '-m', 'Done.', '--resolve', '--json=body,resolved');
    expect({ code, sent: requests(sent) }).toEqual({ code: 0, sent: both });
    expect(JSON.parse(out)).toEqual({ body: 'Done.', resolved: true });
    expect(err).toBe(`added note 141 to thread ${threads.thread}\nhttp://service.test/acme/app/-/merge_requests/1#note_141\nresolved thread ${threads.thread}\n`);
  });

  describe('with a key that a note already has', () => {
    const keyed = (thread: string) => ['discussions', 'reply', '!1', thread, '--key', 'done', '-m', 'Done.', '--resolve'];

    it('leaves the thread open if the note is in another one', async () => {
      const world = await testApp();
      expect((await world.run(...keyed(threads.thread))).code).toBe(0);
      const { code, err, sent } = await world.run(...keyed(threads.diff));
      expect({ code, writes: sent.filter(({ method }) => method !== 'GET') }).toEqual({ code: 1, writes: [] });
      expect(err).toContain(`note 141 of mr/1 already has this key, in thread ${threads.thread}\n`);
      expect(err).toContain(`did not resolve thread ${threads.diff}: note 141 is in another thread\nuse another --key`);
    });

    it('leaves the thread open if somebody answered the note', async () => {
      const world = await testApp();
      const reviewer = await testApp({ service: world.service, env: { COLLOQUY_TOKEN: 'reporter-token' } });
      await world.run(...keyed(threads.thread));
      await world.run('discussions', 'unresolve', '!1', threads.thread);
      await reviewer.run('discussions', 'reply', '!1', threads.thread, '-m', 'No, not done.');
      const { code, err, sent } = await world.run(...keyed(threads.thread));
      expect({ code, writes: sent.filter(({ method }) => method !== 'GET') }).toEqual({ code: 1, writes: [] });
      expect(err).toContain(`did not resolve thread ${threads.thread}: reporter answered note 141`);
    });

    it('resolves the thread if an earlier run only posted the note', async () => {
      const world = await testApp();
      await world.run(...keyed(threads.thread).slice(0, -1));
      expect(await world.run(...keyed(threads.thread))).toMatchObject({
        code: 0, err: expect.stringContaining(`resolved thread ${threads.thread}`) as string });
    });

    it('succeeds if the thread is still resolved, also when somebody answered', async () => {
      const world = await testApp();
      const reviewer = await testApp({ service: world.service, env: { COLLOQUY_TOKEN: 'reporter-token' } });
      await world.run(...keyed(threads.thread));
      await reviewer.run('discussions', 'reply', '!1', threads.thread, '-m', 'Thanks!');
      expect((await world.run(...keyed(threads.thread))).code).toBe(0);
    });
  });

  it('leaves the thread as it is if the note is rejected', async () => {
    const answer = ({ method }: HttpRequest) => method === 'POST' ? json(400, { error: 'body is invalid' }) : undefined;
    const { code, sent } = await ranIn({ answer }, 'discussions', 'reply', '!1', threads.thread, '-m', 'x', '--resolve');
    expect({ code, sent: requests(sent) }).toEqual({ code: 7, sent: [both[0]] });
  });

  it('prints the note if the thread cannot be resolved, and exits with the failure', async () => {
    const answer = ({ method }: HttpRequest) => method === 'PUT' ? json(403, { message: '403 Forbidden' }) : undefined;
    const { code, out, err } = await ranIn({ answer }, 'discussions', 'reply', '!1', threads.thread, '-m', 'Done.', '--resolve', '--json=body');
    expect({ code, out }).toEqual({ code: 5, out: '{"body":"Done."}\n' });
    expect(err).toContain('added note');
  });

  it('resolves the thread after a text of quick actions alone, which creates no note', async () => {
    const answer = ({ method }: HttpRequest) => method === 'POST' ? json(202, { commands_changes: { todo: true }, summary: ['Added a to-do.'] }) : undefined;
    const { code, err, sent } = await ranIn({ answer }, 'discussions', 'reply', '!1', threads.thread, '-m', '/todo', '--resolve');
    expect({ code, sent: requests(sent) }).toEqual({ code: 0, sent: both });
    expect(err).toContain('The service ran the quick actions');
  });

  it('prints both requests in a dry run', async () => {
    const { code, out, sent } = await ran('discussions', 'reply', '!1', threads.thread, '-m', 'x', '--resolve', '--dry-run');
    expect({ code, sent }).toEqual({ code: 0, sent: [] });
    expect(out).toMatch(/POST [^]*PUT /);
  });

  it('is rejected for snippets and commits, and where the service does not resolve threads of issues', async () => {
    expect(await ran('discussions', 'reply', '$40', threads.snippet, '-m', 'x', '--resolve')).toMatchObject({
      code: 2, sent: [], err: expect.stringContaining('threads of snippet/40 are not resolvable') as string });
    const { code, err, sent } = await ran('discussions', 'reply', '#1', threads.issue, '-m', 'x', '--resolve');
    expect({ code, writes: sent.filter(({ method }) => method !== 'GET') }).toEqual({ code: 6, writes: [] });
    expect(err).toContain('the service does not resolve threads of issue/1\nupdate the service: issues require version 16.7');
  });

  it('removes the draft of the text once the note is stored', async () => {
    const world = await testApp({ stdin: 'Done.', answer: ({ method }) => method === 'PUT' ? json(403, { message: '403 Forbidden' }) : undefined });
    expect((await world.run('discussions', 'reply', '!1', threads.thread, '--resolve')).code).toBe(5);
    expect(world.drafts.size).toBe(0);
  });
});
