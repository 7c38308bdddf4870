import { describe, expect, it } from 'vitest';
import { Problem } from '../../../../../src/cli/command-line/failure.js';
import { testApp } from '../../../../support/app.js';
import { json } from '../../../../support/answers.js';
import { threads } from '../../../../support/worlds.js';
import { threadsOf } from '../../../../support/reviews.js';

const order = ['next', 'previous', 'reply', 'reply+resolve', 'resolve', 'undo', 'edit', 'comment', 'apply', 'editor', 'browser', 'go to', 'quit'];
const choose = (action: string) => order.indexOf(action);

const bodiesOf = async (world: Awaited<ReturnType<typeof testApp>>) =>
  (await threadsOf(world.service)).find(({ id }) => id === threads.thread)!.notes.map(({ body }) => body);

describe('a triage on a terminal that cannot move its cursor', () => {
  it('numbers the actions, and asks for texts', async () => {
    const world = await testApp({ terminal: true, env: { TERM: 'dumb' }, answers: [
      choose('reply'), 'Done', choose('next'), choose('comment'), '', 'Here', choose('go to'), '1', choose('reply'), '', choose('resolve'), choose('quit'),
    ] });
    const ran = await world.run('discussions', 'triage', '!1');
    expect(ran.code, ran.err).toBe(0);
    expect(world.asked[0]).toBe(['Do what?', ...order].join('\n  '));
    expect(await bodiesOf(world)).toEqual(['please explain', 'see below', 'Done']);
    expect(ran.err).toContain('reply sent; u deletes it\n');
    expect(ran.err).toContain('comment sent');
    expect(ran.err.match(/please explain/g)).toHaveLength(3);
    expect(ran.err).toMatch(/1 of 2 threads unresolved on mr\/1\n$/);
    expect(ran.err).not.toContain('\x1b');
  });

  it('asks again whether to send a text that was not sent', async () => {
    let fails = 2;
    const world = await testApp({
      terminal: true, answers: [choose('reply'), 'Done', 0, 1, 'Better', choose('edit'), 1, 'Best', choose('edit'), 2, choose('quit')],
      answer: ({ method }) => method === 'POST' && fails-- > 0 ? json(403, { message: '403 Forbidden' }) : undefined,
    });
    const ran = await world.run('discussions', 'triage', '!1');
    expect(ran.code, ran.err).toBe(0);
    expect(world.asked.slice(1, 4)).toEqual(['Text:', ...Array<string>(2).fill('Your text: Done\n  send it\n  write another one\n  go back')]);
    expect(await bodiesOf(world)).toEqual(['please explain', 'see below', 'Best']);
    expect(ran.err).toContain('! the service denied access (HTTP 403)\n');
  });

  it('asks whether to send a text of several lines, and shows them', async () => {
    const world = await testApp({ terminal: true, answers: [choose('reply'), 'Two questions:\n1\n5', 0, choose('quit')] });
    expect((await world.run('discussions', 'triage', '!1')).code).toBe(0);
    expect(world.asked[2]).toMatch(/^Your text: Two questions:\n1\n5\n {2}send it\n/);
    expect(await bodiesOf(world)).toEqual(['please explain', 'see below', 'Two questions:\n1\n5']);
  });

  it('ignores lines that were typed while it acted', async () => {
    const world = await testApp({ terminal: true, typed: ['13', '1'],
      answers: [choose('next'), choose('previous'), choose('reply'), 'Done', choose('resolve'), choose('quit')] });
    const { err } = await world.run('discussions', 'triage', '!1');
    expect(err.match(/\nignored lines typed too early\n/g)).toHaveLength(2);
  });

  it('ends at Ctrl-D, and saves the text', async () => {
    const world = await testApp({ terminal: true, answers: [choose('reply'), 'Done'],
      answer: ({ method }) => method === 'POST' ? json(403, { message: '403 Forbidden' }) : undefined });
    const ask = { ...world.app.ask, choose: async (message: string, choices: readonly string[]) => {
      if (message.startsWith('Your text')) throw new Problem('cancelled', 'cancelled');
      return world.app.ask.choose(message, choices);
    } };
    const { run } = await import('../../../../../src/cli/run.js');
    expect(await run(['discussions', 'triage', '!1'], { ...world.app, ask })).toBe(3);
    expect([...world.drafts.values()]).toEqual(['Done']);
  });
});
