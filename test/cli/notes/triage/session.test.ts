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

  const written = async (words: readonly string[]) => {
    const [left, seen] = [[...words, 'ctrl-d', 'ctrl-d'], [] as string[]];
    const world = await testApp({ terminal: true, screen: (shown) => { seen.push(shown); return left.shift()!; } });
    const { sent } = await world.run('discussions', 'triage', '!1');
    return { texts: sent.filter(({ method }) => method !== 'GET').map(({ body }) => body), shown: seen[words.length]! };
  };

  it.each([
    ['while a thread is resolved', ['x x'], ['{"resolved":true}'], /^2 of 2.*\nresolved the thread before; u reopens it; ignored keys/s],
    ['while a reply is sent', ['r', ':Hm', 'enter n x'], ['{"body":"Hm"}'], /^1 of 2.*\nreply sent; u deletes it; ignored keys/s],
    ['before the next thread is shown', ['n x n'], [], /^2 of 2.*\nignored keys typed too early\n/s],
    ['before the thread of a number is shown', ['g 2 enter x'], [], /^2 of 2.*\nignored keys/s],
    ['before the thread of a reply is shown', ['n r O k enter x'], [], /^2 of 2.*\nignored keys.*\nReply: Ok/s],
  ] as const)('changes nothing by keys that were typed %s', async (_, words, texts, shown) => {
    expect(await written(words)).toEqual({ texts, shown: expect.stringMatching(shown) as string });
  });

  it('takes other keys that were typed before a thread is shown, and all that are typed after it', async () => {
    expect((await written(['n p n r O k', 'enter'])).texts).toEqual(['{"body":"Ok"}']);
    expect((await written(['n x n', 'x'])).texts).toEqual(['{"resolved":true}']);
    expect((await written(['r O k enter'])).texts).toEqual(['{"body":"Ok"}']);
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
