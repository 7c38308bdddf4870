import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { readMarker, visibleText } from '../../../../src/wire/marker.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { testApp, type Ran } from '../../../support/app.js';
import { testService, type TestService } from '../../../support/service.js';
import { seeded } from '../../../support/unreliable-proxy.js';
import { virtualTime } from '../../../support/virtual-time.js';

interface Writer {
  readonly words: readonly string[];
  readonly text: string;
  /** In milliseconds. */
  readonly start: number;
  /** The number of the request that is its last one; null to end by itself. */
  readonly killedAt: number | null;
}

interface Schedule {
  readonly writers: readonly Writer[];
  /** The most that a request, and that a response, takes in milliseconds. */
  readonly latency: number;
  /** How many responses are lost. */
  readonly lost: number;
  readonly seed: number;
}

const comments = async (service: TestService): Promise<string[]> => {
  const { body } = await service.get<Discussion[]>('/projects/20/merge_requests/1/discussions?per_page=100');
  return body.flatMap(({ notes }) => notes).map((note) => note.body).filter((text) => readMarker(text).marker?.['key'] === 'many');
};

const upsert = async (service: TestService, words: readonly string[]): Promise<Ran> => {
  const { run } = await testApp({ service, time: fakeTime() });
  return run('notes', 'upsert', 'mr/1', '--key', 'many', '--json', ...words);
};

/** Runs whole programs at once, on one clock, until all have ended or are killed. Returns those that ended. */
const runAll = async (service: TestService, { writers, latency, lost, seed }: Schedule) => {
  const draw = seeded(seed);
  const clock = virtualTime(draw);
  const ended: { readonly writer: Writer; readonly ran: Ran }[] = [];
  const runs = writers.map(async (writer) => {
    let requests = 0;
    let kill = () => undefined as void;
    const killed = new Promise<null>((resolve) => { kill = () => resolve(null); });
    const { run } = await testApp({
      service, time: clock.time, answer: async (request) => {
        const isLast = ++requests === writer.killedAt;
        if (isLast) kill();
        await clock.sleep(draw() * latency);
        const response = await clock.atOnce(() => service.handle(request));
        await clock.sleep(draw() * latency);
        if (isLast) await new Promise(() => undefined);
        if (draw() < lost) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
        return response;
      },
    });
    await clock.sleep(writer.start);
    const ran = await Promise.race([run('notes', 'upsert', 'mr/1', '--key', 'many', '--json', '-m', writer.text, ...writer.words), killed]);
    if (ran) ended.push({ writer, ran });
  });
  await clock.until(Promise.all(runs));
  await clock.until(clock.sleep(2 * latency));
  return ended;
};

const schedules = (wordsOf: (index: number) => readonly string[], most = 16): fc.Arbitrary<Schedule> => fc.record({
  writers: fc.integer({ min: 2, max: most }).chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => fc.record({
    words: fc.constant(wordsOf(i)), text: fc.constant(`Part ${i}.`), start: fc.nat(3_000),
    killedAt: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 4 }),
  })))),
  latency: fc.constantFrom(20, 200, 1_000), lost: fc.constantFrom(0, 0.05, 0.2), seed: fc.nat(),
});

const check = (arbitrary: fc.Arbitrary<Schedule>, property: (service: TestService, schedule: Schedule) => Promise<void>, numRuns: number) =>
  fc.assert(fc.asyncProperty(arbitrary, async (schedule) => {
    const service = await testService();
    await property(service, schedule);
    await service.close();
  }), { numRuns });

const partsIn = (body = ''): string[] => visibleText(body).split('\n\n');

const failed = (ended: Awaited<ReturnType<typeof runAll>>) => ended.filter(({ ran }) => ran.code !== 0).map(({ ran }) => ran.err);

/** All parts are there, and once the next run has ended, in one comment and once each. */
const checkParts = async (service: TestService, ended: Awaited<ReturnType<typeof runAll>>, next: readonly string[]) => {
  const texts = ended.map(({ writer }) => writer.text);
  expect((await comments(service)).flatMap(partsIn)).toEqual(expect.arrayContaining(texts));
  // A copy of a killed writer stays until the next run.
  await upsert(service, [...next, '-m', 'Last.']);
  const [body, ...copies] = await comments(service);
  expect(copies).toEqual([]);
  expect(partsIn(body)).toEqual([...new Set(partsIn(body))]);
  expect(partsIn(body)).toEqual(expect.arrayContaining([...texts, 'Last.']));
};

describe('many writers of one comment', () => {
  it('leave one comment with the section of each that ended', async () => {
    await check(schedules((i) => ['--section', `job ${i + 10}`]), async (service, schedule) => {
      const ended = await runAll(service, schedule);
      expect(failed(ended)).toEqual([]);
      await checkParts(service, ended, ['--section', 'last']);
    }, 12);
  }, 120_000);

  it('leave one comment without a copy if none is killed', async () => {
    const unharmed = schedules((i) => ['--section', `job ${i + 10}`])
      .map((schedule) => ({ ...schedule, writers: schedule.writers.map((writer) => ({ ...writer, killedAt: null })) }));
    await check(unharmed, async (service, schedule) => {
      const ended = await runAll(service, schedule);
      expect(failed(ended)).toEqual([]);
      expect((await comments(service)).map(partsIn)).toEqual([schedule.writers.map(({ text }) => text)]);
    }, 12);
  }, 120_000);

  it('append a paragraph each, once', async () => {
    const appending = schedules(() => ['--mode', 'append'], 8);
    await check(appending, async (service, schedule) => {
      const ended = await runAll(service, schedule);
      expect(failed(ended)).toEqual([]);
      await checkParts(service, ended, ['--mode', 'append']);
    }, 12);
  }, 120_000);
});
