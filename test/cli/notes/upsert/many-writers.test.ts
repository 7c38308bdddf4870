import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { readMarker, visibleText } from '../../../../src/wire/note-text.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { testApp, type Ran } from '../../../support/app.js';
import { runsOf } from '../../../support/extent.js';
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
  /** The most that some requests to create the comment, and some of their responses, take besides, in milliseconds. */
  readonly stall: number;
  /** How many responses are lost, but never more than `mostLost` of a writer in a row. */
  readonly lost: number;
  readonly seed: number;
}

/** Fewer than a program asks again, so that each writer can end. */
const mostLost = 4;

const comments = async (service: TestService): Promise<string[]> => {
  const { body } = await service.get<Discussion[]>('/projects/20/merge_requests/1/discussions?per_page=100');
  return body.flatMap(({ notes }) => notes).map((note) => note.body).filter((text) => readMarker(text).marker?.['key'] === 'many');
};

const upsert = async (service: TestService, words: readonly string[]): Promise<Ran> => {
  const { run } = await testApp({ service, time: fakeTime() });
  return run('notes', 'upsert', 'mr/1', '--key', 'many', '--json', ...words);
};

/** Runs whole programs at once, on one clock, until all have ended or are killed. Returns those that ended. */
const runAll = async (service: TestService, { writers, latency, stall, lost, seed }: Schedule) => {
  const draw = seeded(seed);
  const clock = virtualTime(draw);
  const delay = ({ method }: HttpRequest) => draw() * latency + (method === 'POST' && draw() < 0.3 ? draw() * stall : 0);
  const ended: { readonly writer: Writer; readonly ran: Ran }[] = [];
  const runs = writers.map(async (writer) => {
    let [requests, lostInARow] = [0, 0];
    let kill = () => undefined as void;
    const killed = new Promise<null>((resolve) => { kill = () => resolve(null); });
    const { run } = await testApp({
      service, time: clock.time, answer: async (request) => {
        const isLast = ++requests === writer.killedAt;
        if (isLast) kill();
        await clock.sleep(delay(request));
        const response = await clock.atOnce(() => service.handle(request));
        await clock.sleep(delay(request));
        if (isLast) await new Promise(() => undefined);
        lostInARow = draw() < lost && lostInARow < mostLost ? lostInARow + 1 : 0;
        if (lostInARow > 0) throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
        return response;
      },
    });
    await clock.sleep(writer.start);
    const ran = await Promise.race([run('notes', 'upsert', 'mr/1', '--key', 'many', '--json', '-m', writer.text, ...writer.words), killed]);
    if (ran) ended.push({ writer, ran });
  });
  await clock.until(Promise.all(runs));
  await clock.until(clock.sleep(2 * (latency + stall)));
  return ended;
};

const schedules = (wordsOf: (index: number) => readonly string[], most = 16): fc.Arbitrary<Schedule> => fc.record({
  writers: fc.integer({ min: 2, max: most }).chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => fc.record({
    words: fc.constant(wordsOf(i)), text: fc.constant(`Part ${i}.`), start: fc.nat(3_000),
    killedAt: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 4 }),
  })))),
  latency: fc.constantFrom(20, 200, 1_000), stall: fc.constantFrom(0, 10_000), lost: fc.constantFrom(0, 0.05, 0.2), seed: fc.nat(),
});

const check = (arbitrary: fc.Arbitrary<Schedule>, property: (service: TestService, schedule: Schedule) => Promise<void>, numRuns: number) =>
  fc.assert(fc.asyncProperty(arbitrary, async (schedule) => {
    const service = await testService();
    await property(service, schedule);
    await service.close();
    // Shrinking would take longer than the test may, and nobody would see the schedule.
  }), { numRuns: runsOf(numRuns), endOnFailure: true });

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

  it.each([
    ['sections', (i: number) => ['--section', `job ${i + 10}`]], ['paragraphs', () => ['--mode', 'append']],
  ])('leave one comment without a copy if none is killed: %s', async (_, wordsOf) => {
    const unharmed = schedules(wordsOf)
      .map((schedule) => ({ ...schedule, writers: schedule.writers.map((writer) => ({ ...writer, killedAt: null })) }));
    await check(unharmed, async (service, schedule) => {
      const ended = await runAll(service, schedule);
      expect(failed(ended)).toEqual([]);
      const [body, ...copies] = await comments(service);
      expect(copies).toEqual([]);
      expect(partsIn(body).sort()).toEqual(schedule.writers.map(({ text }) => text).sort());
    }, 40);
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
