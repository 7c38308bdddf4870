import { describe, expect, it } from 'vitest';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { threads } from '../../../support/worlds.js';

describe('discussions resolve and unresolve', () => {
  it('change the state of a thread', async () => {
    const world = await testApp();
    const { code, out, err, sent } = await world.run('discussions', 'resolve', '!1', threads.thread);
    expect(code).toBe(0);
    expect(sent).toMatchObject([{ method: 'PUT', body: '{"resolved":true}' }]);
    expect(out.split('\t')[1]).toBe('resolved');
    expect(err).toBe(`resolved thread ${threads.thread}\n`);
    expect((await world.run('discussions', 'unresolve', '!1', '120')).out.split('\t')[1]).toBe('open');
  });

  it('show the thread on a terminal, and as JSON', async () => {
    expect(await ranIn({ terminal: true }, 'discussions', 'resolve', '!1', '3333')).toMatchObject({
      out: 'http://service.test/acme/app/-/merge_requests/1#note_120\n', err: `resolved thread ${threads.thread}\n` });
    expect((await ranIn({ terminal: true }, 'discussions', 'resolve', '!1', '3333', '-o', 'table')).out).toContain('[resolved by @developer]');
    expect(JSON.parse((await ran('discussions', 'resolve', '!1', '3333', '--json')).out)).toMatchObject({
      id: threads.thread, notes: [{ resolved: true }, { resolved: true }] });
  });

  it('are only for merge requests', async () => {
    const { code, err, sent } = await ran('discussions', 'resolve', '#1', threads.issue);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain('cannot resolve threads of issue/1');
  });

  it('require permission', async () => {
    expect(await ranIn({ env: { COLLOQUY_TOKEN: 'guest-token' } }, 'discussions', 'resolve', '!1', threads.diff)).toMatchObject({ code: 5 });
  });

  it('print their help', async () => {
    for (const verb of ['resolve', 'unresolve']) {
      expect((await ran('discussions', verb, '--help')).out).toContain(`colloquy discussions ${verb} mr/12 0287db`);
    }
  });
});
