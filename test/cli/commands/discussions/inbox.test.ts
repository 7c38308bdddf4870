import { describe, expect, it } from 'vitest';
import { inboxRefs as all, inboxRuns } from '../../../support/inboxes.js';

describe('discussions inbox', () => {
  it('lists open merge requests of all projects, the one that waits longest first', async () => {
    const { entries } = await inboxRuns();
    expect(await entries()).toEqual([
      { ref: all[0], url: 'http://service.test/acme/app/-/merge_requests/2', title: 'Change 2', open: 1, waiting: 1, mentions: 0, new: 2 },
      { ref: all[1], url: 'http://service.test/acme/site/-/merge_requests/7', title: 'Red \u001b[31m', open: 1, waiting: 1, mentions: 0, new: 1 },
      { ref: all[2], url: 'http://service.test/acme/app/-/merge_requests/1', title: 'Change 1', open: 2, waiting: 1, mentions: 2, new: 3 },
      { ref: all[3], url: 'http://service.test/acme/app/-/merge_requests/3', title: 'Change 3', open: 0, waiting: 0, mentions: 0, new: 0 },
    ]);
  });

  it('is narrowed by -p and -g only, not by the settings', async () => {
    const { refs } = await inboxRuns({ env: { COLLOQUY_PROJECT: 'acme/site', COLLOQUY_GROUP: 'none' } });
    expect(await refs()).toEqual(all);
    expect(await refs('-p', 'acme/site')).toEqual([all[1]]);
    expect(await refs('-p', 'acme/site', '-p', '20')).toEqual(all);
    expect(await refs('-g', 'acme')).toEqual(all);
  });

  it('asks for as many threads at a time as the service gives', async () => {
    const { run } = await inboxRuns();
    const lists = (await run()).sent.filter(({ target }) => target.includes('/discussions'));
    expect(new Set(lists.map(({ target }) => target.split('?')[1]))).toEqual(new Set(['per_page=100']));
  });

  it('lists those with new notes with --new', async () => {
    expect(await (await inboxRuns()).refs('--new')).toEqual(all.slice(0, 3));
  });

  it('prints a line for each at a terminal, escaped, without zeros', async () => {
    const { run } = await inboxRuns({ terminal: true });
    const { out } = await run();
    expect(out).toMatch(/^REF +OPEN +WAITING +MENTIONS +NEW +TITLE\n/);
    expect(out).toMatch(/^acme\/site!7 +1 +1 +1 +Red \\u001b\[31m$/m);
    expect(out).toMatch(/^acme\/app!3 +Change 3$/m);
  });

  it('has no new notes after `discussions list --mark-read`, by path in any case or number of the project', async () => {
    const { entries, other } = await inboxRuns();
    expect(await other('discussions', 'list', '!2', '-p', 'Acme/APP', '--mark-read')).toMatchObject({ code: 0 });
    expect(await other('discussions', 'list', '!7', '-p', '21', '--mark-read')).toMatchObject({ code: 0 });
    expect((await entries()).map((entry) => entry['new'])).toEqual([0, 0, 3, 0]);
    expect(await other('discussions', 'list', '!1', '--mark-read', '--unresolved')).toMatchObject({ code: 2, sent: [] });
  });

  it('says that there is nothing, and rejects a wrong token', async () => {
    expect(await (await inboxRuns({ env: { COLLOQUY_TOKEN: 'outsider-token' } })).run('-o', 'table')).toMatchObject(
      { code: 0, out: '', err: 'no open merge requests\n' });
    expect(await (await inboxRuns({ env: { COLLOQUY_TOKEN: 'wrong' } })).run()).toMatchObject({ code: 4, out: '' });
  });
});
