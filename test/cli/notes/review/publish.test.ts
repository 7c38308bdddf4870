import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../src/client/errors.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { onLine, onRequest, onThread, review, threadsOf, writes } from '../../../support/reviews.js';
import { start, testService, type TestService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

describe('a review that was stopped anywhere', () => {
  const trouble = fc.record({
    at: fc.nat({ max: 12 }), stored: fc.boolean(), kind: fc.constantFrom('kill', 'reset', '500', '502'),
  });
  const texts = ['Good so far.', 'Why German?', 'It counts.', 'The same.', 'The same.'];
  const edit = writes(onRequest, onLine, onThread, ['> +inserted', 'The same.'], ['>  last', 'The same.']);

  it.each(['document', 'live'] as const)('ends with each comment once after --resume, without and with drafts: %s', async (dialect) => {
    await fc.assert(fc.asyncProperty(fc.array(trouble, { minLength: 1, maxLength: 4 }), async (troubles) => {
      const service = await testService({ dialect });
      const before = (await threadsOf(service)).flatMap(({ notes }) => notes).length;
      let state = new Map<string, Uint8Array>();
      let drafts: Record<string, string> = {};
      for (const one of [...troubles, null]) {
        const run = await stopped(service, { state, drafts, edit }, one);
        [state, drafts] = [run.state, run.drafts];
        if (one === null) expect(run.code, run.err).toBe(0);
        if (run.code === 0) break;
      }
      const notes = (await threadsOf(service)).flatMap((thread) => thread.notes).slice(0);
      expect(notes.length).toBe(before + texts.length);
      expect(notes.filter(({ author }) => author.username === 'developer').map(({ body }) => body).filter((body) => texts.includes(body)).sort())
        .toEqual([...texts].sort());
      expect((await threadsOf(service)).find(({ id }) => id === threads.thread)!.notes[0]!.resolved).toBe(true);
      await service.close();
    }), { numRuns: 40 });
  }, 60_000);

  const dated = (response: HttpResponse): HttpResponse =>
    ({ ...response, headers: { ...response.headers, date: new Date(start).toUTCString() } });

  interface Trouble { readonly at: number; readonly stored: boolean; readonly kind: string }

  /** Runs the review until a request, after which nothing is written any more if the program is killed there. */
  const stopped = async (service: TestService, given: WorldOptions & { state: Map<string, Uint8Array>; drafts: Record<string, string> },
    trouble: Trouble | null) => {
    let requests = 0;
    let kept: { state: Map<string, Uint8Array>; drafts: Record<string, string> } | null = null;
    const answer = async (request: HttpRequest): Promise<HttpResponse> => {
      const isHit = trouble !== null && ++requests > trouble.at && request.method !== 'GET';
      if (kept) throw new ConnectionError('stopped', 'POST x', 'ECONNRESET', true);
      if (!isHit) return dated(await service.handle(request));
      requests = -1000;
      const keep = () => { kept = { state: new Map(world.state as Map<string, Uint8Array>), drafts: Object.fromEntries(world.drafts) }; };
      if (trouble.kind === 'kill') keep();
      if (trouble.stored) await service.handle(request);
      if (trouble.kind === '500' || trouble.kind === '502') return json(Number(trouble.kind), { message: 'down' });
      throw new ConnectionError('reset', 'POST x', 'ECONNRESET', true);
    };
    const world = await testApp({ ...given, service, answer });
    const resume = given.state.size > 0 ? ['--resume'] : [];
    const { code, err } = await world.run(...review, '--yes', '--retries', '0', ...resume);
    const { state, drafts } = kept ?? { state: world.state as Map<string, Uint8Array>, drafts: Object.fromEntries(world.drafts) };
    return { code: kept ? -1 : code, err, state, drafts };
  };
});
