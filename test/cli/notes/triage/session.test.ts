import { describe, expect, it } from 'vitest';
import { threadsOf } from '../../../support/reviews.js';
import { json } from '../../../support/answers.js';
import { testApp } from '../../../support/app.js';
import { threads } from '../../../support/worlds.js';

describe('a triage on a screen', () => {
  it('follows the size of the terminal', async () => {
    const screens: string[] = [];
    const options = { terminal: true, columns: 100, rows: 30, screen: (shown: string) => {
      screens.push(shown);
      options.columns = 40;
      return screens.length === 2 ? 'q' : 'resize';
    } };
    const world = await testApp(options);
    expect((await world.run('discussions', 'triage', '!1')).code).toBe(0);
    expect(screens.map((screen) => screen.split('\n').at(-1)!.length)).toEqual([98, 40]);
  });

  it('shows a thread without the lines of the diff if these cannot be read', async () => {
    const seen: string[] = [];
    const world = await testApp({ terminal: true, screen: (shown) => { seen.push(shown); return seen.length === 2 ? 'q' : 'n'; },
      answer: ({ target }) => /\/(diffs|versions|changes)/.test(target) ? json(500, { message: 'broken' }) : undefined });
    expect((await world.run('discussions', 'triage', '!1', '--retries', '0')).code).toBe(0);
    expect([seen[1]!.includes('why?'), seen[1]!.includes('zwei')]).toEqual([true, false]);
  });

  it('scrolls to a note that arrived', async () => {
    const world = await testApp();
    const long = Array.from({ length: 40 }, (_, i) => `line ${i}`).join('\n\n');
    const path = `/projects/20/merge_requests/1/discussions/${threads.thread}/notes`;
    await world.service.call('POST', path, { as: 'guest', json: { body: long } });
    const seen: string[] = [];
    const keys = ['r', 'paste:Hm', 'enter', 'q'];
    const triage = await testApp({ service: world.service, terminal: true, rows: 12, screen: (shown) => { seen.push(shown); return keys.shift()!; } });
    await triage.run('discussions', 'triage', '!1');
    expect([seen[0]!.includes('line 39'), seen[3]!.includes('Hm')]).toEqual([false, true]);
    expect((await threadsOf(world.service)).find(({ id }) => id === threads.thread)!.notes).toHaveLength(4);
  });
});
