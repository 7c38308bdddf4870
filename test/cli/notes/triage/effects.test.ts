import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { ConnectionError } from '../../../../src/client/errors.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { fakeTime } from '../../../client/support/fake-time.js';
import { json } from '../../../support/answers.js';
import { testApp } from '../../../support/app.js';
import { runsOf } from '../../../support/extent.js';
import { withoutReport } from '../../../support/imports.js';
import type { ScriptedUser } from '../../../support/screen.js';
import { start, type TestService } from '../../../support/service.js';
import { threadsOf } from '../../../support/reviews.js';

/** An action at a thread, counted from 0, or the undoing of the last one. */
type Action =
  | { readonly do: 'reply' | 'reply and resolve' | 'edit' | 'resolve'; readonly at: number }
  | { readonly do: 'undo' };

/** How a request fails: before the service has it, or after. */
type Fault = 'none' | 'lost' | 'answer lost' | 'rejected';

const action = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('reply', 'reply and resolve', 'edit', 'resolve'), at: fc.nat(1) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'undo' as const }) },
) as fc.Arbitrary<Action>;

interface Modeled { bodies: string[]; isResolved: boolean }

/** What the actions do if nothing fails. */
const modelOf = (start: readonly Modeled[], actions: readonly Action[]): readonly Modeled[] => {
  const threads = start.map((thread) => ({ ...thread, bodies: [...thread.bodies] }));
  const undo: (() => void)[] = [];
  actions.forEach((one, number) => {
    if (one.do === 'undo') return undo.pop()?.();
    const thread = threads[one.at]!;
    const own = thread.bodies.findLastIndex((body) => /^(see below|text)/.test(body));
    if (one.do === 'edit' && own >= 0) {
      const before = thread.bodies[own]!;
      thread.bodies[own] = `${before} text ${number}`;
      undo.push(() => { thread.bodies[own] = before; });
    }
    if (one.do.startsWith('reply')) {
      thread.bodies.push(`text ${number}`);
      undo.push(() => { thread.bodies.pop(); });
    }
    if (one.do.endsWith('resolve') && !thread.isResolved) {
      thread.isResolved = true;
      undo.push(() => { thread.isResolved = false; });
    }
  });
  return threads;
};

const keysOf = (one: Action, number: number): readonly string[] => {
  if (one.do === 'undo') return ['u'];
  const text = [`:${one.do === 'edit' ? ' ' : ''}text ${number}`, 'enter'];
  const act = { 'reply': ['r', ...text], 'reply and resolve': ['R', ...text], 'edit': ['e', ...text], 'resolve': ['x'] }[one.do];
  return ['g', `:${one.at + 1}`, 'enter', ...act];
};

/** Goes on after a failure: a text is still there for Enter, and every other key is pressed again. */
const persistent = (actions: readonly Action[]): ScriptedUser => {
  const keys = [...actions.flatMap(keysOf), 'q'];
  let last = '';
  let skipped = false;
  return (shown) => {
    const isFailed = /^! (?!none of these notes)/m.test(shown);
    if (isFailed) return /^(Reply|Reply and resolve|Edit): /m.test(shown) ? 'enter' : isResolving(last) ? 'x' : last;
    // Without an own note there is nothing to edit.
    skipped = shown.includes('none of these notes is yours');
    if (skipped) keys.splice(0, 2);
    last = keys.shift()!;
    return last;
  };
};

/** A reply that was sent, but did not resolve its thread, is completed with `x`. */
const isResolving = (last: string): boolean => last === 'enter';

const stateOf = async (service: TestService): Promise<Modeled[]> => withoutReport(await threadsOf(service))
  .filter(({ notes }) => notes[0]!.body !== 'done?').map(({ notes }: Discussion) => ({
    bodies: notes.map(({ body }) => body), isResolved: notes.some(({ resolved }) => resolved === true),
  }));

/** Only the requests of effects fail. */
const faulty = (service: TestService, faults: readonly Fault[]) => {
  const left = [...faults];
  return async (request: HttpRequest): Promise<HttpResponse> => {
    const isEffect = /discussions\/\w{40}/.test(request.target) || request.method !== 'GET';
    const fault = isEffect ? left.shift() ?? 'none' : 'none';
    if (fault === 'rejected') return json(503, { message: '503 Service Unavailable' });
    if (fault === 'none' || fault === 'answer lost') {
      const response = await service.handle(request);
      if (fault === 'none') return { ...response, headers: { ...response.headers, date: new Date(start).toUTCString() } };
    }
    throw new ConnectionError('cannot reach the service', `${request.method} x`, 'ECONNRESET', true);
  };
};

describe('a triage on a service that fails', () => {
  it('posts each reply once, and undoes what it has done', async () => {
    const faults = fc.array(fc.constantFrom<Fault>('none', 'none', 'lost', 'answer lost', 'rejected'), { maxLength: 60 });
    await fc.assert(fc.asyncProperty(fc.array(action, { maxLength: 7 }), faults, async (actions, failing) => {
      const { service } = await testApp();
      const expected = modelOf(await stateOf(service), actions);
      const world = await testApp({ service, terminal: true, time: fakeTime(), screen: persistent(actions), answer: faulty(service, failing) });
      const ran = await world.run('discussions', 'triage', '!1', '--retries', '1');
      expect(ran.code, ran.err).toBe(0);
      expect(await stateOf(service)).toEqual(expected);
      expect([...world.drafts]).toEqual([]);
    }), { numRuns: runsOf(60) });
  }, 120_000);
});
