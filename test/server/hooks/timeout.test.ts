import { expect, it, vi } from 'vitest';
import { receiver } from '../../support/receiver.js';
import { testService } from '../../support/service.js';

/** What happens after ten seconds, which pass when the test says so. */
const tenSeconds = vi.hoisted((): (() => void)[] => []);

vi.mock(import('../../../src/wire/time.js'), async (original) => {
  const timers = await original();
  const setTimeout = ((work: () => void, milliseconds: number) => {
    if (milliseconds === 10_000) tenSeconds.push(work);
    return timers.setTimeout(work, milliseconds === 10_000 ? 600_000 : milliseconds);
  }) as typeof timers.setTimeout;
  return { ...timers, setTimeout };
});

it('a receiver that does not respond in ten seconds is given up, and the next delivery follows', async () => {
  const bot = await receiver(() => bot.received.length === 1 ? 'nothing' : {});
  const service = await testService();
  await service.post('/projects/20/hooks', { as: 'maintainer', json: { url: bot.url, note_events: true } });
  for (const body of ['first', 'second']) await service.post('/projects/20/issues/1/notes', { json: { body } });
  await expect.poll(() => bot.received).toHaveLength(1);
  for (const pass of tenSeconds.splice(0)) pass();
  await service.service.deliveries({ after: 1, timeout: 40_000 });
  expect(await service.service.deliveries()).toMatchObject([{ status: null, error: 'no response in 10 s' }, { status: 200, error: null }]);
  await service.close();
  await bot.close();
});
