import { describe, expect, it } from 'vitest';
import { json, unknownRoute } from '../../../support/answers.js';
import { ranIn, type WorldOptions } from '../../../support/app.js';
import { inboxWorld } from '../../../support/inboxes.js';
import { testService } from '../../../support/service.js';

interface Entry { readonly ref: string; readonly [key: string]: unknown }

const opened = async (options: WorldOptions = {}) => {
  const service = await testService({ dialect: 'live', world: inboxWorld });
  const run = (...words: string[]) => ranIn({ service, ...options }, 'discussions', 'inbox', ...words);
  const entries = async (...words: string[]) => JSON.parse((await run(...words, '--json')).out) as Entry[];
  return { run, entries, refs: async (...words: string[]) => (await entries(...words)).map(({ ref }) => ref) };
};

const all = ['acme/app!2', 'acme/site!7', 'acme/app!1', 'acme/app!3'];

describe('discussions inbox', () => {
  it('lists open merge requests of all projects, the one that waits longest first', async () => {
    const { entries } = await opened();
    expect(await entries()).toEqual([
      { ref: all[0], url: 'http://service.test/acme/app/-/merge_requests/2', title: 'Change 2', open: 1, waiting: 1, mentions: 0, new: 2 },
      { ref: all[1], url: 'http://service.test/acme/site/-/merge_requests/7', title: 'Red \u001b[31m', open: 1, waiting: 1, mentions: 0, new: 1 },
      { ref: all[2], url: 'http://service.test/acme/app/-/merge_requests/1', title: 'Change 1', open: 2, waiting: 1, mentions: 2, new: 3 },
      { ref: all[3], url: 'http://service.test/acme/app/-/merge_requests/3', title: 'Change 3', open: 0, waiting: 0, mentions: 0, new: 0 },
    ]);
  });

  it('is narrowed by -p and -g only, not by the settings', async () => {
    const { refs } = await opened({ env: { COLLOQUY_PROJECT: 'acme/site', COLLOQUY_GROUP: 'none' } });
    expect(await refs()).toEqual(all);
    expect(await refs('-p', 'acme/site')).toEqual([all[1]]);
    expect(await refs('-p', 'acme/site', '-p', '20')).toEqual(all);
    expect(await refs('-g', 'acme')).toEqual(all);
  });

  it('lists those with new notes with --new', async () => {
    expect(await (await opened()).refs('--new')).toEqual(all.slice(0, 3));
  });

  it('reads project by project where the service has no list of all', async () => {
    const { refs } = await opened({ answer: ({ target }) => /^\/api\/v4\/merge_requests\?/.test(target) ? unknownRoute : undefined });
    expect(await refs()).toEqual(all);
  });

  it('asks for the reviewer by name where the service has no such scope', async () => {
    const older = json(400, { error: 'scope does not have a valid value' });
    const { refs } = await opened({ answer: ({ target }) => target.includes('reviews_for_me') ? older : undefined });
    expect(await refs()).toEqual(all);
  });

  it('names a project that fails, and lists the others', async () => {
    const { run, refs } = await opened();
    expect(await run('-p', 'acme/none', '-p', 'acme/site')).toMatchObject({ code: 6, out: expect.stringContaining('acme/site!7\t') as string,
      err: expect.stringContaining('cannot read acme/none: 404 Project Not Found') as string });
    expect(await refs('-p', 'acme/none')).toEqual([]);
    expect((await run('-p', 'acme/none', '-p', 'acme/nowhere')).err).toContain('cannot read 2 projects or groups\n  acme/none: ');
  });

  it('names the project whose threads cannot be read', async () => {
    const forbidden = json(403, { message: '403 Forbidden' });
    const { run } = await opened({ answer: ({ target }) => target.includes('/projects/20/merge_requests/2/') ? forbidden : undefined });
    const { code, out, err } = await run();
    expect([code, out.split('\n').map((line) => line.split('\t')[0]), err]).toEqual([
      5, [all[1], all[2], all[3], ''], expect.stringContaining('cannot read acme/app: 403 Forbidden') as string]);
  });

  it('prints a line for each at a terminal, escaped, without zeros', async () => {
    const { run } = await opened({ terminal: true });
    const { out } = await run();
    expect(out).toMatch(/^REF +OPEN +WAITING +MENTIONS +NEW +TITLE\n/);
    expect(out).toMatch(/^acme\/site!7 +1 +1 +1 +Red \\u001b\[31m$/m);
    expect(out).toMatch(/^acme\/app!3 +Change 3$/m);
  });

  it('says that there is nothing, and rejects a wrong token', async () => {
    expect(await (await opened({ env: { COLLOQUY_TOKEN: 'outsider-token' } })).run('-o', 'table')).toMatchObject(
      { code: 0, out: '', err: 'no open merge requests\n' });
    expect(await (await opened({ env: { COLLOQUY_TOKEN: 'wrong' } })).run()).toMatchObject({ code: 4, out: '' });
  });
});
