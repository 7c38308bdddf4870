import { expect, it } from 'vitest';
import { testApp, type WorldOptions } from './support/app.js';
import { onLine, onRequest, threadsOf, writes } from './support/reviews.js';
import { presses } from './support/screen.js';
import { testService } from './support/service.js';
import { threads } from './support/worlds.js';

/** One person at one terminal: every command uses the service and the files of the state folder that the last one left. */
const terminalOf = async () => {
  const service = await testService();
  const state = new Map<string, Uint8Array>();
  const env = { COLLOQUY_PROJECT: undefined, COLLOQUY_GROUP: undefined };
  return {
    service,
    run: async (options: WorldOptions, ...argv: readonly string[]) => {
      const world = await testApp({ ...options, service, state, env, terminal: true });
      const { code, out, err } = await world.run(...argv);
      return { code, out, err };
    },
  };
};

it('a day of reviews takes keys and the one id that the inbox shows', async () => {
  const { service, run } = await terminalOf();
  const answers = (thread: string, body: string) =>
    service.call('POST', `/projects/20/merge_requests/1/discussions/${thread}/notes`, { as: 'guest', json: { body } });
  await answers(threads.thread, 'I would rather not.');

  const morning = await run({}, 'discussions', 'inbox');
  const [ref] = /^\S+!\d+(?= +2 +1 +4 +Change$)/m.exec(morning.out)!;

  const whole = await run({}, 'discussions', 'view', ref);
  expect(whole.out).toMatch(
    /^\S+ Change\n[^]*\n\napp\.js\n\nthread 5{8} on app\.js:2 \[open\] \[new\] 1 of \d\n[^]*> +2 \+zwei\n[^]* {2}why\?\n\nGeneral\n[^]* rather not\.\n/,
  );

  const keys = presses('r', 'paste:Then explain it in a comment.', 'enter', 'n', 'R', 'paste:Fixed.', 'enter', 'q');
  expect(await run({ screen: keys }, 'discussions', 'triage', ref))
    .toMatchObject({ code: 0, err: expect.stringContaining('1 of 2 threads unresolved on mr/1\n') });

  expect(await run({ edit: writes(onRequest, onLine), answers: [true] }, 'discussions', 'review', ref)).toMatchObject({ code: 0 });
  expect(await run({}, 'discussions', 'check', ref))
    .toMatchObject({ code: 8, err: expect.stringMatching(/^colloquy: 3 unresolved threads on mr\/1: 2 by developer, 1 by guest\n/m) as string });
  expect((await run({}, 'discussions', 'inbox')).out).toMatch(/^acme\/app!1 +3 +Change$/m);

  const asked = (await threadsOf(service)).find(({ notes }) => notes[0]!.body === 'Why German?')!;
  await answers(asked.id, 'It is English now.');
  expect((await run({}, 'discussions', 'inbox')).out).toMatch(/^acme\/app!1 +3 +1 +1 +Change$/m);

  const shown: string[] = [];
  const resolving = presses('x', 'x', 'x', 'q');
  const evening = await run({ screen: (screen) => { shown.push(screen); return resolving(screen); } }, 'discussions', 'triage', ref);
  expect(evening).toMatchObject({ code: 0, err: expect.stringContaining('0 of 3 threads unresolved on mr/1\n') });
  expect(shown.join()).toContain('It is English now.');
  expect(await run({}, 'discussions', 'check', ref)).toMatchObject({ code: 0 });
  expect((await run({}, 'discussions', 'inbox')).out).toMatch(/^acme\/app!1 +Change$/m);
});
