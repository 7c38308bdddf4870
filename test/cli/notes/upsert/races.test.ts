import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { readMarker, withMarker } from '../../../../src/wire/note-text.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { testApp, type Ran } from '../../../support/app.js';
import { runsOf } from '../../../support/extent.js';
import { testService, type TestService } from '../../../support/service.js';

/** Repeatable numbers below `limit`, so that a failing race can be run again. */
const numbers = (seed: number) => {
  let state = seed * 2_654_435_761 % 2 ** 32;
  return (limit: number): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor(state / 2 ** 32 * limit);
  };
};

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => { setImmediate(resolve); });
};

/** Two runs at the same time; each request and each response takes a few turns of the event loop. */
const race = async (service: TestService, seed: number, env: readonly Record<string, string>[] = [{}, {}], words: readonly string[] = []): Promise<Ran[]> => {
  const next = numbers(seed);
  const handle: TestService['handle'] = async (request) => {
    await turns(next(4));
    const response = await service.handle(request);
    await turns(next(4));
    return response;
  };
  return Promise.all(env.map(async (variables, i) => {
    const { run } = await testApp({ service: { ...service, handle }, env: variables, time: fakeTime() });
    return run('notes', 'upsert', 'mr/1', '--key', 'race', '-m', `Run ${i + 1}.`, '--json', ...words);
  }));
};

const notes = async (service: TestService): Promise<Note[]> => {
  const { body } = await service.get<Discussion[]>('/projects/20/merge_requests/1/discussions?per_page=100');
  return body.flatMap((thread) => thread.notes).filter((note) => readMarker(note.body).marker?.['key'] === 'race');
};

const texts = async (service: TestService): Promise<string[]> => (await notes(service)).map(({ body }) => readMarker(body).text);

const seeds = Array.from({ length: runsOf(50) }, (_, seed) => seed);

describe('two upserts of one key at the same time', () => {
  it('leave one comment, however they meet', async () => {
    for (const seed of seeds) {
      const service = await testService();
      const runs = await race(service, seed);
      expect(runs.map(({ code }) => code), `seed ${seed}`).toEqual([0, 0]);
      expect(await texts(service), `seed ${seed}`).toEqual([expect.stringMatching(/^Run [12]\.$/)]);
      await service.close();
    }
  }, 60_000);

  it('leave one thread in place of a plain comment, however they meet', async () => {
    for (const seed of seeds) {
      const service = await testService();
      await (await testApp({ service })).run('notes', 'upsert', 'mr/1', '--key', 'race', '-m', 'Plain.');
      const runs = await race(service, seed, [{}, {}], ['--resolvable']);
      expect(runs.map(({ code }) => code), `seed ${seed}`).toEqual([0, 0]);
      const left = (await notes(service)).map(({ body, resolvable }) => [readMarker(body).text, resolvable]);
      expect(left, `seed ${seed}`).toEqual([[expect.stringMatching(/^Run [12]\.$/), true]]);
      await service.close();
    }
  }, 60_000);

  it('leave the text of the newer pipeline, however they meet', async () => {
    for (const seed of seeds) {
      const service = await testService();
      const iids = seed % 2 === 0 ? ['7', '6'] : ['6', '7'];
      const runs = await race(service, seed, iids.map((iid) => ({ CI_PIPELINE_IID: iid, CI_PROJECT_ID: '20' })));
      expect(runs.map(({ code }) => code), `seed ${seed}`).toEqual([0, 0]);
      expect(await texts(service), `seed ${seed}`).toEqual([`Run ${iids.indexOf('7') + 1}.`]);
      await service.close();
    }
  }, 60_000);

  it('leave one of several copies, however they meet', async () => {
    for (const seed of seeds) {
      const service = await testService();
      for (const text of ['Old.', 'Copy.', 'Copy.']) {
        await service.post('/projects/20/merge_requests/1/notes', { json: { body: withMarker(text, { key: 'race' }) } });
      }
      const runs = await race(service, seed);
      expect(runs.map(({ code }) => code), `seed ${seed}`).toEqual([0, 0]);
      expect(await texts(service), `seed ${seed}`).toEqual([expect.stringMatching(/^Run [12]\.$/)]);
      await service.close();
    }
  }, 60_000);
});

describe('after an upsert that was killed at any of its requests', () => {
  const killed = async (service: TestService, after: number, words: readonly string[]): Promise<void> => {
    const state = { sent: 0 };
    const world = await testApp({
      service, time: fakeTime(), answer: () => {
        if (++state.sent > after) world.stop.abort();
        world.stop.signal.throwIfAborted();
        return undefined;
      },
    });
    await world.run('notes', 'upsert', 'mr/1', '--key', 'race', '-m', 'Run 0.', ...words);
  };

  it.each(['replace', 'recreate'])('two at once leave one comment, and the text of a person, 40 times (--mode %s)', async (mode) => {
    for (const seed of seeds.slice(0, 40)) {
      const service = await testService();
      const pasted = `Mine.\n\n${withMarker('Old.', { key: 'race' })}`;
      for (const body of [withMarker('Old.', { key: 'race' }), pasted, withMarker('Copy.', { key: 'race' })].slice(seed % 3)) {
        await service.post('/projects/20/merge_requests/1/notes', { json: { body } });
      }
      await killed(service, seed % 10, ['--mode', mode]);
      const runs = await race(service, seed, [{}, {}], ['--mode', mode]);
      expect(runs.map(({ code }) => code), `seed ${seed}`).toEqual([0, 0]);
      const mine = seed % 3 < 2 ? ['Mine.\n\nOld.'] : [];
      expect((await texts(service)).toSorted(), `seed ${seed}`).toEqual([...mine, expect.stringMatching(/^Run [12]\.$/)]);
      await service.close();
    }
  }, 120_000);
});

describe('an upsert', () => {
  const faults = ['status 500', 'status 500 after', 'status 502 after', 'reset', 'reset after', 'truncate', 'garble', 'late 1'];
  const requests = ['POST *', 'PUT *', 'GET *', 'DELETE *'];
  const cases = faults.flatMap((fault) => requests.map((on) => [fault, on] as const));

  it.each(cases)('succeeds after `%s` at a %s request', async (fault, on) => {
    const late: Promise<void>[] = [];
    const sleep = (milliseconds: number) => {
      const wait = new Promise<void>((resolve) => { setTimeout(resolve, milliseconds); });
      late.push(wait);
      return wait;
    };
    const service = await testService({ sleep });
    const { run } = await testApp({ service, time: fakeTime() });
    const upsert = (text: string, ...words: string[]) => run('notes', 'upsert', 'mr/1', '--key', 'race', '-m', text, '--json', ...words);
    const one = async (text: string, ...words: string[]) => {
      await service.faults([{ on, do: fault, times: 1 }]);
      const { code, out, err } = await upsert(text, ...words);
      await service.faults([]);
      await Promise.all(late);
      await turns(5);
      expect({ code, err }).toMatchObject({ code: 0 });
      return (JSON.parse(out) as { action: string }).action;
    };
    expect(await one('One.')).toMatch(/created|healed/);
    expect(await one('Two.', '--newer-than', '5')).toMatch(/updated|healed/);
    await upsert('Two.', '--newer-than', '5');
    expect(await texts(service)).toEqual(['Two.']);
    expect(await one(' ', '--delete-if-empty', '--newer-than', '6')).toBe('deleted');
    expect(await texts(service)).toEqual([]);
  });
});
