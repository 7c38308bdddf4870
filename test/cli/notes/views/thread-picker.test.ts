import { describe, expect, it } from 'vitest';
import { testApp } from '../../../support/app.js';
import { patch, pushService } from '../../../support/pushes.js';
import { threads } from '../../../support/worlds.js';

const at = (choice: number, ...more: (string | boolean)[]) => testApp({ terminal: true, answers: [choice, ...more] });
const short = (thread: keyof typeof threads) => threads[thread].slice(0, 8);
const writes = (sent: readonly { readonly method: string; readonly target: string }[]) =>
  sent.filter(({ method }) => method !== 'GET').map(({ method, target }) => `${method} ${target.split('/merge_requests/1/')[1]}`);

describe('a thread that is not named at a terminal', () => {
  it('is picked among the unresolved ones to resolve, and among the resolved ones to reopen', async () => {
    const world = await at(1);
    const { code, sent } = await world.run('discussions', 'resolve', '!1');
    expect([code, writes(sent)]).toEqual([0, [`PUT discussions/${threads.diff}`]]);
    expect(world.asked).toEqual([['Resolve which thread of mr/1? (2)', `${short('thread')}  please explain (guest, open)`,
      `${short('diff')}  why? (reporter, app.js:2, open)`].join('\n  ')]);
    const other = await at(0);
    expect(writes((await other.run('discussions', 'unresolve', '!1')).sent)).toEqual([`PUT discussions/${threads.resolved}`]);
    expect((await other.run('discussions', 'unresolve', '!1')).err).toContain('mr/1 has no resolved threads');
  });

  it('is picked before the reply is written, the unresolved ones first', async () => {
    const world = await testApp({ terminal: true, answers: [1], edit: (text) => `Because.\n${text}` });
    const { code, sent } = await world.run('discussions', 'reply', '!1');
    expect([code, writes(sent)]).toEqual([0, [`POST discussions/${threads.diff}/notes`]]);
    expect(world.asked[0]!.split('\n').map((line) => line.trim().slice(0, 8))).toEqual([
      'Reply to', short('thread'), short('diff'), short('resolved')]);
  });

  it('is an error without a terminal and with --no-input', async () => {
    for (const [verb, ...words] of [['resolve'], ['reply', '-m', 'x']]) {
      for (const [options, flags] of [[{}, []], [{ terminal: true }, ['--no-input']]] as const) {
        const { run } = await testApp(options);
        expect(await run('discussions', verb!, '!1', ...words, ...flags)).toMatchObject({
          code: 2, err: expect.stringContaining('no note or thread given') as string,
        });
      }
    }
  });
});

describe('a note that is not named at a terminal', () => {
  it('is picked to edit', async () => {
    const world = await at(1);
    const { code, sent } = await world.run('notes', 'edit', '!1', '-m', 'better');
    expect([code, writes(sent)]).toEqual([0, [`PUT discussions/${threads.thread}/notes/121`]]);
    expect(world.asked[0]).toContain('Edit which note of mr/1? (4, 3 open)\n  120  please explain (guest, open)\n  121  see below (developer, open)');
  });

  it('is picked to delete, which is confirmed', async () => {
    const world = await at(1, true);
    const { code, sent } = await world.run('notes', 'delete', '!1');
    expect([code, writes(sent)]).toEqual([0, [`DELETE discussions/${threads.thread}/notes/121`]]);
    expect(world.asked).toHaveLength(2);
  });
});

it('long lines are wrapped and indented like their text', async () => {
  const world = await testApp({ terminal: true, columns: 40, answers: [0] });
  await world.service.post('/projects/20/merge_requests/2/discussions', { json: { body: 'a few words that do not fit into forty columns at once' } });
  await world.run('discussions', 'get', '!2');
  const lines = world.asked[0]!.split('\n').slice(1);
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(42);
  for (const line of lines.slice(1)) expect(line).toMatch(/^ {12}\S/);
});

it('a thread on an older version of the diff says what became of its line', async () => {
  const service = await pushService();
  await service.comment({ new_line: 2 }, 'Needed?');
  await service.push({ diff: patch('x.ts', '@@ -1,3 +1,3 @@', ' one', '-two', '+II', ' three') });
  const world = await testApp({ service, terminal: true, answers: [0, 0] });
  await world.run('discussions', 'get', '!1');
  await world.run('notes', 'edit', '!1', '-m', 'Needed.');
  expect(world.asked.map((text) => text.split('\n')[1])).toEqual([
    expect.stringContaining('Needed? (developer, x.ts:2, line removed, open)'), expect.stringContaining('Needed? (developer, x.ts:2, line removed, open)'),
  ]);
});
