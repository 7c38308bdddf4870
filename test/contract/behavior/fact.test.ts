import fc from 'fast-check';
import { expect, it } from 'vitest';
import { behavior } from '../../../src/contract/behavior/behavior.js';
import { editionOf, holdsIn, reportedVersion } from '../../../src/contract/behavior/fact.js';
import { epicFacts } from '../../../src/contract/behavior/epics.js';
import { resolvingFacts } from '../../../src/contract/behavior/notes.js';
import { newestVersion } from '../../../src/contract/conventions.js';

it('both dialects are those of the newest version unless another one is given', () => {
  expect(reportedVersion(null)).toBe(newestVersion);
  const version = newestVersion.split('.').slice(0, 2).join('.');
  for (const dialect of ['document', 'live'] as const) expect(editionOf(dialect, null)).toEqual({ dialect, version });
  expect(editionOf('live', '16.7.3-ee')).toBe(editionOf('live', '16.7'));
});

it.each([
  ['16.6', false, true], ['16.7', true, false], ['18.1', true, false],
])('a fact holds from one version on, and another until then: %s', (version, resolves, isUnknown) => {
  expect(holdsIn(resolvingFacts['resolving.issues'], editionOf('live', version))).toBe(resolves);
  expect(holdsIn(resolvingFacts['resolving.issues-unknown'], editionOf('live', version))).toBe(isUnknown);
});

it('a fact of the live dialect does not hold in the documentation', () => {
  expect(holdsIn(epicFacts['epics.newer-keys'], editionOf('document', '18.1'))).toBe(false);
  expect(holdsIn(epicFacts['epics.newer-keys'], editionOf('live', '18.1'))).toBe(true);
});

it('each fact with a range holds from its first version on, and no longer from its last', () => {
  const limited = behavior.filter(({ from, to }) => from !== null || to !== null);
  expect(limited.length).toBeGreaterThan(40);
  const numberOf = (text: string) => Number(text.split('.')[0]) * 1000 + Number(text.split('.')[1]);
  const around = limited.flatMap(({ from, to }) => [from, to]).filter((version) => version !== null)
    .map(numberOf).flatMap((number) => [number - 1, number, number + 1]);
  const version = fc.oneof(fc.constantFrom(...around), fc.integer({ min: 11_000, max: 19_012 }));
  fc.assert(fc.property(fc.constantFrom(...limited), version, (fact, number) => {
    const live = editionOf('live', `${Math.floor(number / 1000)}.${number % 1000}.0-ee`);
    const { from, to, dialects } = fact;
    expect(holdsIn(fact, live)).toBe(dialects.includes('live')
      && (from === null || number >= numberOf(from)) && (to === null || number < numberOf(to)));
  }), { numRuns: 1000 });
});
