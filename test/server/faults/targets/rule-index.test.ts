import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiRequest } from '../../../../src/server/api/request.js';
import { newTrace } from '../../../../src/server/http/request-log.js';
import { createRequestIndex, createRuleIndex, hasUsers, type Indexed, rulesFor, targetFrom } from '../../../../src/server/faults/targets.js';
import { runsOf } from '../../../support/extent.js';

const request = (method: string, path: string) =>
  apiRequest({ method, target: `/api/v4${path}`, headers: {}, trace: newTrace() });

const indexed = (on: string, number: number, user?: string): Indexed => {
  const target = targetFrom(on);
  if (typeof target === 'string') throw new Error(`${on}: ${target}`);
  return { number, target, user };
};

const found = async (rules: readonly Indexed[], method: string, path: string, user: string | null = null) =>
  [...rulesFor(await createRequestIndex(rules).find(request(method, path)), user)].map(({ number }) => number);

/** A second reading of a path with stars, one rule at a time: as a regular expression. */
const fitsPath = (on: string, method: string, path: string): boolean => {
  if (on === '*') return true;
  const [wanted, pattern] = on.split(' ') as [string, string];
  const isMethod = wanted === '*' || wanted === method || wanted === 'GET' && method === 'HEAD';
  if (!isMethod || pattern === '*') return isMethod;
  const isOpen = pattern.endsWith('/*');
  const source = (isOpen ? pattern.slice(0, -2) : pattern).replaceAll('.', '\\.').replaceAll('*', '[^/]*');
  return new RegExp(`^${source}${isOpen ? '/.*[^/].*' : ''}$`, 'i').test(path);
};

const segment = fc.stringMatching(/^[ab.]{1,3}$/).filter((text) => !text.startsWith('.'));
const part = fc.oneof(segment, fc.constant('*'), fc.stringMatching(/^[ab*]{1,5}$/));
const joined = (parts: fc.Arbitrary<string>) => fc.array(parts, { minLength: 1, maxLength: 4 }).map((all) => `/${all.join('/')}`);
const method = fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE');
const target = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom('*', '* *', 'GET *', 'POST *') },
  { weight: 9, arbitrary: fc.tuple(fc.oneof(method, fc.constant('*')), joined(part)).map((words) => words.join(' ')) },
);
const user = fc.constantFrom(undefined, 'ada', 'kim');

describe('the index of rules', () => {
  it('finds the rules that a plain list finds, in its order', async () => {
    await fc.assert(fc.asyncProperty(
      fc.array(fc.tuple(target, user), { maxLength: 30 }), method, joined(segment), fc.constantFrom(null, 'ada'),
      async (given, asked, path, caller) => {
        const rules = given.map(([on, of], number) => indexed(on, number, of));
        const expected = given.flatMap(([on, of], number) =>
          fitsPath(on, asked, path) && (of === undefined || of === caller) ? [number] : []);
        expect(await found(rules, asked, path, caller)).toEqual(expected);
      },
    ), { numRuns: runsOf(5_000) });
  });

  it('finds rules about operations and paths in one order', async () => {
    const rules = ['* /projects/*', 'discussions.issue.*', '*', 'notes.*.list', 'd*s.*e.list', 'GET /p*/*'].map((on, i) => indexed(on, i));
    expect(await found(rules, 'GET', '/projects/20/issues/1/discussions')).toEqual([0, 1, 2, 4, 5]);
  });

  it('does not read a star of a request as a pattern', async () => {
    const rules = ['GET /a*', 'GET /a*b', 'GET /**'].map((on, i) => indexed(on, i));
    expect(await found(rules, 'GET', '/a*')).toEqual([0, 2]);
    expect(await found(rules, 'GET', '/*')).toEqual([2]);
  });

  it('forgets rules that are removed, and users whose last rule is', () => {
    const rules = [indexed('* /user', 0, 'ada'), indexed('* /user', 1)];
    const { find, remove } = createRuleIndex(rules);
    const groups = () => find(['*'], ['', 'user']);
    expect([groups().some(hasUsers), [...rulesFor(groups(), 'ada')].length]).toEqual([true, 2]);
    remove(rules[0]!);
    remove(rules[0]!);
    expect([groups().some(hasUsers), [...rulesFor(groups(), 'ada')]]).toEqual([false, [rules[1]]]);
  });

  it('looks at each part of a path as often with 10 rules as with 10,000', () => {
    const looks = (count: number, on: (i: number) => string): number => {
      let reads = 0;
      const parts = new Proxy(['', 'projects', '20', 'issues', '7'], {
        get: (all, key) => { if (/^\d+$/.test(String(key))) reads++; return Reflect.get(all, key) as unknown; },
      });
      createRuleIndex(Array.from({ length: count }, (_, i) => indexed(on(i), i))).find(['*', 'GET'], parts);
      return reads;
    };
    for (const on of [(i: number) => `GET /projects/20/issues/1${i}`, (i: number) => `GET /projects/*/${i}x*/*`, (i: number) => `* /*${i}y/*`]) {
      expect([on(0), looks(10_000, on)]).toEqual([on(0), looks(10, on)]);
    }
  });
});
