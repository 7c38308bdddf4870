import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../src/client/errors.js';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import type { TextPosition } from '../../../../src/contract/shapes/position.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { dated, json } from '../../../support/answers.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { runsOf } from '../../../support/extent.js';
import { onLine, onRequest, onThread, review, threadsOf, writes } from '../../../support/reviews.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { everyRow } from '../../../support/rows.js';
import { start, testService, type TestService } from '../../../support/service.js';
import { threads } from '../../../support/worlds.js';

/** Where a review can write, and how the stored note shows that. */
const places = [
  { name: 'request', write: (body: string) => writes([onRequest[0], body]) },
  { name: 'file app.js', write: (body: string) => writes(['> diff --git a/app.js b/app.js', body]) },
  { name: 'line app.js 2', write: (body: string) => writes([onLine[0], body]) },
  { name: 'line new.txt 2', write: (body: string) => writes(['> +inserted', body]) },
  { name: 'line new.txt 3', write: (body: string) => writes(['>  last', body]) },
  { name: 'line app.js 3-4', write: (body: string) => (page: string) =>
    page.replace('>  three\n>  four\n', () => `> | three\n> | four\n${body}\n`) },
  { name: `thread ${threads.thread}`, write: (body: string) => writes([onThread[0], body]) },
  { name: `thread ${threads.diff}`, write: (body: string) => writes(['> #   why?', body]) },
] as const;

interface Written { readonly name: string; readonly body: string; readonly resolves: boolean; readonly write: (body: string) => (page: string) => string }

const body = fc.constantFrom('The same.', 'Another.', 'Two\n\nlines.');
const written = fc.tuple(...places.map((place) => fc.option(fc.record({ body, resolves: fc.boolean(), isBare: fc.boolean() }), { freq: 2 })
  .map((wish): Written[] => {
    if (!wish) return [];
    const resolves = wish.resolves && place.name.startsWith('thread');
    return [{ ...place, resolves, body: resolves && wish.isBare ? '' : wish.body }];
  }))).map((all) => all.flat()).filter((all) => all.length > 0);

const writing = (all: readonly Written[]) => (page: string): string => page.split('\n').some((line) => line !== '' && !line.startsWith('>')) ? page
  : all.reduce((text, one) => one.write([one.body, ...one.resolves ? ['[resolve]'] : []].join('\n'))(text), page);

const placeOf = (thread: Discussion, { position }: Note): string => {
  if (thread.id === threads.thread || thread.id === threads.diff) return `thread ${thread.id}`;
  if (!position) return 'request';
  const { position_type: type, new_path: path, new_line: last, line_range: range } = position as TextPosition;
  const first = Number(range?.start?.line_code?.split('_').at(-1) ?? last);
  return String(type) === 'file' ? `file ${path}` : `line ${path} ${first === last ? last : `${first}-${last}`}`;
};

describe('a review that was stopped anywhere', () => {
  const trouble = fc.record({
    at: fc.nat({ max: 24 }), stored: fc.boolean(), kind: fc.constantFrom('kill', 'reset', '500', '502'),
  });
  const troubles = fc.array(trouble, { minLength: 1, maxLength: 4 });

  it.each(['document', 'live'] as const)('ends with each comment once after --resume, without and with drafts: %s', async (dialect) => {
    await fc.assert(fc.asyncProperty(written, troubles, fc.constantFrom(null, 'Unfinished', 'The same.'), fc.boolean(), async (wishes, stops, other, isNow) => {
      const all = wishes.filter(({ name }) => dialect === 'live' || !name.startsWith('file'));
      fc.pre(all.length > 0);
      const service = await testService({ dialect });
      if (dialect === 'live' && other !== null) await service.post(draftsPath, { as: 'developer', json: { note: other } });
      const others = dialect === 'live' ? await draftIds(service) : [];
      const before = new Set((await threadsOf(service)).flatMap(({ notes }) => notes.map(({ id }) => id)));
      let state = new Map<string, Uint8Array>();
      let drafts: Record<string, string> = {};
      let code = -1;
      for (const one of [...stops, null]) {
        const run = await stopped(service, { state, drafts, edit: writing(all) }, one, isNow ? ['--now'] : []);
        [state, drafts, code] = [run.state, run.drafts, run.code];
        if (code === 0) break;
      }
      expect(code).toBe(0);
      const found = await threadsOf(service);
      expect(found.flatMap((thread) => thread.notes.filter(({ id, system }) => !before.has(id) && !system)
        .map((note) => `${placeOf(thread, note)}: ${note.body}`)).sort())
        .toEqual(all.filter((one) => one.body !== '').map((one) => `${one.name}: ${one.body}`).sort());
      const resolved = found.filter(({ id, notes }) => [threads.thread, threads.diff].includes(id) && notes[0]!.resolved).map(({ id }) => `thread ${id}`);
      expect(resolved.sort()).toEqual(all.filter(({ resolves }) => resolves).map(({ name }) => name).sort());
      expect(dialect === 'live' ? await draftIds(service) : []).toEqual(others);
      expect([[...state.keys()], Object.keys(drafts)]).toEqual([[], []]);
      await service.close();
    }), { numRuns: runsOf(60) });
  }, 60_000);

  it('takes no other draft of the user for its own, even one of the same text', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => [true, false].map((stored) => ({ at, stored, kind: at % 2 === 0 ? 'kill' : '502' }))).flat();
    const edit = writes([onRequest[0], 'The same.']);
    await everyRow(rows, ({ at, stored, kind }) => `${kind} at ${at}${stored ? ', stored' : ''}`, async (one) => {
      const service = await testService({ dialect: 'live' });
      await service.post(draftsPath, { as: 'developer', json: { note: 'The same.' } });
      const others = await draftIds(service);
      const { code, ...kept } = await stopped(service, { state: new Map(), drafts: {}, edit }, one, []);
      if (code !== 0) await stopped(service, { ...kept, edit: (page) => page.includes('The same.') ? page : edit(page) }, null, []);
      const notes = (await threadsOf(service)).flatMap(({ notes: all }) => all).filter(({ body: text }) => text === 'The same.');
      expect([notes.length, await draftIds(service)]).toEqual([1, others]);
      await service.close();
    });
  }, 60_000);

  const draftsPath = '/projects/20/merge_requests/1/draft_notes';
  const draftIds = async (service: TestService) =>
    (await service.get<{ id: number }[]>(draftsPath, { as: 'developer' })).body.map(({ id }) => id);

  interface Trouble { readonly at: number; readonly stored: boolean; readonly kind: string }

  /** Runs the review until a request, after which nothing is written any more if the program is killed there. */
  const stopped = async (service: TestService, given: WorldOptions & { state: Map<string, Uint8Array>; drafts: Record<string, string> },
    trouble: Trouble | null, flags: readonly string[]) => {
    let requests = 0;
    let kept: { state: Map<string, Uint8Array>; drafts: Record<string, string> } | null = null;
    const answer = async (request: HttpRequest): Promise<HttpResponse> => {
      const isHit = trouble !== null && ++requests > trouble.at;
      if (kept) throw new ConnectionError('stopped', 'POST x', 'ECONNRESET', true);
      if (!isHit) return dated(await service.handle(request));
      requests = -1000;
      const keep = () => { kept = { state: new Map(world.state as Map<string, Uint8Array>), drafts: Object.fromEntries(world.drafts) }; };
      if (trouble.kind === 'kill') keep();
      if (trouble.stored) await service.handle(request);
      if (trouble.kind === '500' || trouble.kind === '502') return json(Number(trouble.kind), { message: 'down' });
      throw new ConnectionError('reset', 'POST x', 'ECONNRESET', true);
    };
    // The clock of the service stands still, while that of the program counts its waits.
    const time = { ...fakeTime(), now: () => Date.parse(start) + 60_000 };
    const world = await testApp({ ...given, service, answer, time });
    const resume = given.state.size > 0 ? ['--resume'] : [];
    const { code, err } = await world.run(...review, '--yes', '--retries', '0', ...resume, ...flags);
    const { state, drafts } = kept ?? { state: world.state as Map<string, Uint8Array>, drafts: Object.fromEntries(world.drafts) };
    return { code: kept ? -1 : code, err, state, drafts };
  };
});
