import { expect, it } from 'vitest';
import { dependentKeys, factKeys, keyFacts } from '../../src/conformance/keys.js';

it('the facts about keys belong to one kind of object, and name each key once', () => {
  const facts = Object.keys(factKeys);
  const kinds = {
    Discussion: /^threads\./, Note: /^(notes|resolving)\./, User: /^notes\.author/, DiffVersion: /^lookups\./, Epic: /^epics\./,
    Appearance: /^appearance\./,
  };
  const used = Object.entries(kinds).flatMap(([kind, names]) => {
    expect(keyFacts[kind]!.filter((fact) => !names.test(fact)), kind).toEqual([]);
    return keyFacts[kind]!;
  });
  expect(used.toSorted()).toEqual(facts.toSorted());
  for (const [fact, keys] of Object.entries(factKeys)) expect(new Set(keys).size, fact).toBe(keys.length);
});

it('a note has a position on the diff, and a state if it can be resolved', () => {
  expect([
    dependentKeys('Note', { type: 'DiffNote', resolvable: true }), dependentKeys('Note', { type: null, resolvable: false }),
    dependentKeys('Note', { resolvable: 'true' }), dependentKeys('Epic', { type: 'DiffNote', resolvable: true }),
  ]).toEqual([['position', 'resolved', 'resolved_by'], [], [], []]);
});
