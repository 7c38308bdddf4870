import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../src/client/errors.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { dated, json } from '../../../support/answers.js';
import { testApp } from '../../../support/app.js';
import { runsOf } from '../../../support/extent.js';
import { threadsOf } from '../../../support/reviews.js';
import { start, testService, type TestService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

const world = {
  ...acme,
  projects: acme.projects!.slice(0, 1).map((project) => ({
    ...project, merge_requests: project.merge_requests!.slice(0, 1).map((one) => ({
      ...one, discussions: [...one.discussions!, { notes: [{ author: 'guest', body: 'a third thread' }] }],
    })),
  })),
};

interface Step {
  readonly key: string;
  /** In place of `key` while a text is being written. */
  readonly writing: 'type' | 'enter' | 'escape' | 'backspace';
  /** What happens to the requests of the key: not carried out, or carried out without a response. */
  readonly fault: 'before' | 'after' | null;
  /** Somebody else replies in the thread that is shown before the key is pressed. */
  readonly isAnswered: boolean;
}

const step = (faults: readonly Step['fault'][]): fc.Arbitrary<Step> => fc.record({
  key: fc.constantFrom('r', 'r', 'R', 'x', 'e', 'c enter', 'n', 'n', 'p', 'u', 'g :2 enter', 'g :9 enter', '?', 'o', 'a', 'Z'),
  writing: fc.constantFrom('type', 'type', 'enter', 'enter', 'enter', 'escape', 'backspace'),
  fault: fc.constantFrom(...faults), isAnswered: fc.nat({ max: 5 }).map((one) => one === 0),
});

const isWriting = (screen: string) => /\n(Reply|Reply and resolve|Edit|Comment)[^\n]*: [^\n]*$/.test(screen);

/** What a triage did to the service, by keys and faults; then all is undone, and the user goes back to the first thread. */
const triaged = async (steps: readonly Step[]) => {
  const service = await testService({ world });
  const open = (await threadsOf(service)).filter(({ notes }) => notes.some(({ resolvable, resolved }) => resolvable && !resolved));
  const before = await contentOf(service);
  const left = [...steps];
  const seen: string[] = [];
  const unseen: string[] = [];
  let fault: Step['fault'] = null;
  let texts = 0;

  const answer = async (request: HttpRequest): Promise<HttpResponse> => {
    if (fault === 'before') return json(500, { message: 'down' });
    if (request.method === 'POST' && request.target.endsWith('/notes')) unseen.push(...await hidden(request));
    const response = dated(await service.handle(request));
    if (fault === 'after' && request.method !== 'GET') throw new ConnectionError('reset', 'POST x', 'ECONNRESET', true);
    return response;
  };
  const hidden = async ({ target }: HttpRequest) => {
    const thread = (await threadsOf(service)).find(({ id }) => target.includes(id))!;
    return thread.notes.map(({ body }) => body).filter((body) => body.startsWith('other ') && !seen.some((screen) => screen.includes(body)));
  };
  const user = async (screen: string): Promise<string> => {
    seen.push(screen);
    expect(screen.split('\n')[0]).toMatch(/^[123] of 3 on mr\/1 Change, \d open(, \d not sent)?$/);
    const next = left.shift();
    fault = next?.fault ?? null;
    if (!next) return finish(screen);
    const thread = open[Number(screen[0]) - 1]!;
    if (next.isAnswered) {
      await service.call('POST', `/projects/20/merge_requests/1/discussions/${thread.id}/notes`, { as: 'guest', json: { body: `other ${++texts}` } });
    }
    if (!isWriting(screen)) return next.key;
    return next.writing === 'type' ? `paste:<${++texts}>` : next.writing;
  };
  let isUndone = false;
  const finish = (screen: string): string => {
    if (isWriting(screen) || screen.includes('\nLine')) return 'escape';
    isUndone ||= screen.includes('nothing to undo');
    if (!isUndone) return 'u';
    return screen.includes('this is the first thread') ? 'q' : 'p';
  };

  const app = await testApp({ service, answer, terminal: true, rows: 200, screen: user,
    time: { now: () => Date.parse(start), random: () => 0, sleep: async () => undefined } });
  const { code, err } = await app.run('discussions', 'triage', '!1', '--retries', '0');
  expect(code, err).toBe(0);
  const after = await contentOf(service);
  await service.close();
  return { before, after, unseen };
};

/** The texts of all notes of people, and whether the threads are resolved. The service adds notes of its own. */
const contentOf = async (service: TestService) => (await threadsOf(service)).map(({ id, notes }) =>
  ({ id, isResolved: notes[0]!.resolved ?? null, bodies: notes.filter(({ system }) => !system).map(({ body }) => body) }))
  .filter(({ bodies }) => bodies.length > 0);

describe('a triage with random keys', () => {
  it('undoes all that it did, although requests fail', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step([null, null, 'before']), { maxLength: 30 }), async (steps) => {
      const { before, after } = await triaged(steps.map((one) => ({ ...one, isAnswered: false })));
      expect(after).toEqual(before);
    }), { numRuns: runsOf(300) });
  }, 60_000);

  it('sends no text twice, and none before the notes of others were shown', async () => {
    await fc.assert(fc.asyncProperty(fc.array(step([null, null, 'before', 'after']), { maxLength: 30 }), async (steps) => {
      const { after, unseen } = await triaged(steps);
      const texts = after.flatMap(({ bodies }) => bodies).filter((body) => body.includes('<'));
      expect(texts).toEqual([...new Set(texts)]);
      expect(unseen).toEqual([]);
    }), { numRuns: runsOf(300) });
  }, 60_000);
});
