import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findingOf } from '../../../../src/cli/notes/findings/finding.js';
import { identify, pairUp as pairLines, parseFingerprint, printFingerprint, type Fingerprint } from '../../../../src/cli/notes/findings/fingerprint.js';

const line = fc.stringMatching(/^[a-d ]{0,4}$/);
const file = fc.array(line, { minLength: 1, maxLength: 12 });

const fingerprintsIn = (lines: readonly string[] | null, numbers: readonly number[], message = 'no') =>
  identify(numbers.map((number) => findingOf({ file: 'a.js', line: number, rule: 'r', message })), (_, number) => lines?.[number - 1])
    .map(({ fingerprint }) => printFingerprint(fingerprint));

describe('fingerprints', () => {
  it('survive lines that are inserted away from the findings', () => {
    fc.assert(fc.property(file, fc.array(line, { maxLength: 5 }), fc.nat(), (lines, inserted, seed) => {
      const number = seed % lines.length + 1;
      const before = [...inserted, ...lines];
      // The first and the last line get a neighbor that they did not have.
      fc.pre(number > 1 || inserted.length === 0);
      expect(fingerprintsIn(before, [number + inserted.length])).toEqual(fingerprintsIn(lines, [number]));
    }));
  });

  it('differ for all findings of a run', () => {
    fc.assert(fc.property(file, (lines) => {
      const all = fingerprintsIn(lines, lines.map((_, i) => i + 1));
      expect(new Set(all).size).toBe(all.length);
    }));
  });

  it('do not depend on indentation, or on the order of the report', () => {
    expect(fingerprintsIn(['  a', 'b'], [1])).toEqual(fingerprintsIn(['a  ', '\tb'], [1]));
    expect(fingerprintsIn(['a', 'a', 'a'], [3, 1, 2])).toEqual(fingerprintsIn(['a', 'a', 'a'], [1, 2, 3]));
  });

  it('fall back on the message without its numbers if the file cannot be read', () => {
    const [one] = fingerprintsIn(null, [10], 'line of 120 characters');
    const [other] = fingerprintsIn(null, [12], 'line of 121 characters');
    expect(one!.split('.')[0]).toBe(other!.split('.')[0]);
    expect(fingerprintsIn(null, [1], 'another')[0]!.split('.')[0]).not.toBe(one!.split('.')[0]);
  });

  it('are read as they were printed', () => {
    for (const text of fingerprintsIn(['a', 'a', 'b'], [1, 2, 3])) expect(printFingerprint(parseFingerprint(text)!)).toBe(text);
    expect(parseFingerprint('abc.def')).toBeNull();
  });
});

const parsed = (texts: readonly string[]) => texts.map((text) => parseFingerprint(text)!);
const placed = (all: readonly Fingerprint[], ...lines: number[]) => all.map((fingerprint, i) => ({ fingerprint, line: lines[i] ?? null }));
const earlier = (all: readonly Fingerprint[], isClosed = false) => placed(all).map((one) => ({ ...one, isClosed }));
const pairUp = (now: readonly Fingerprint[], before: readonly Earlier[]) => pairLines(placed(now), before);

type Earlier = ReturnType<typeof earlier>[number];

describe('pairUp', () => {
  describe('of the same text several times', () => {
    const same = (...numbers: number[]) => parsed(fingerprintsIn(Array.from({ length: 40 }, () => 'a'), numbers));
    const open = (fingerprints: readonly Fingerprint[], ...lines: number[]) =>
      placed(fingerprints, ...lines).map((one) => ({ ...one, isClosed: false }));

    it('prefers the same line', () => {
      expect(pairLines(placed(same(15, 20), 15, 20), open(same(10, 15, 20), 10, 15, 20))).toEqual([1, 2]);
      expect(pairLines(placed(same(10, 20), 10, 20), open(same(10, 15, 20), 10, 15, 20))).toEqual([0, 2]);
      expect(pairLines(placed(same(15), 15), open(same(10, 15, 20).toReversed(), 20, 15, 10))).toEqual([1]);
    });

    it('prefers it even if the message or a neighbor changed', () => {
      const [before, after] = [open(parsed(fingerprintsIn(['x', 'a', 'y', 'a'], [2, 4])), 2, 4), parsed(fingerprintsIn(['p', 'a', 'q', 'a'], [4]))];
      expect(pairLines(placed(after, 4), before)).toEqual([1]);
      const reworded = parsed(fingerprintsIn(Array.from({ length: 40 }, () => 'a'), [15], 'other'));
      expect(pairLines(placed(reworded, 15), open(same(10, 15), 10, 15))).toEqual([1]);
    });

    it('is in order without one', () => {
      expect(pairLines(placed(same(11, 21), 11, 21), open(same(10, 15, 20), 10, 15, 20))).toEqual([0, 1]);
      expect(pairLines(placed(same(11, 15), 11, 15), open(same(10, 15, 20), 10, 15, 20))).toEqual([0, 1]);
    });
  });

  it('pairs equal fingerprints, each once', () => {
    fc.assert(fc.property(file, (lines) => {
      const all = parsed(fingerprintsIn(lines, lines.map((_, i) => i + 1)));
      expect(pairUp(all, earlier(all))).toEqual(all.map((_, i) => i));
      const pairs = pairUp(all, earlier(all.toReversed())).filter((index) => index !== null);
      expect(new Set(pairs).size).toBe(all.length);
    }));
  });

  it('finds a line again whose neighbors changed', () => {
    const before = parsed(fingerprintsIn(['a', 'b', 'c'], [2]));
    const after = parsed(fingerprintsIn(['x', 'b', 'y'], [2]));
    expect(pairUp(after, earlier(before))).toEqual([0]);
  });

  it('prefers a line with the same neighbors over one with others', () => {
    const before = parsed(fingerprintsIn(['a', 'b', 'c', 'x', 'b', 'y'], [2, 5]));
    const after = parsed(fingerprintsIn(['x', 'b', 'y'], [2]));
    expect(pairUp(after, earlier(before))).toEqual([before.findIndex((one) => one.before === after[0]!.before)]);
  });

  it('does not take an equal line elsewhere for a finding that was dealt with', () => {
    const before = parsed(fingerprintsIn(['a', 'b', 'c'], [2]));
    const after = parsed(fingerprintsIn(['x', 'b', 'y'], [2]));
    expect(pairUp(after, earlier(before, true))).toEqual([null]);
    expect(pairUp(parsed(fingerprintsIn(['a', 'b', 'y'], [2])), earlier(before, true))).toEqual([0]);
    expect(pairUp(parsed(fingerprintsIn(['x', 'b', 'c'], [2])), earlier(before, true))).toEqual([0]);
  });

  it('does not take a line with another number for a finding that was dealt with if neither line is known', () => {
    const closed = (line: number) => placed(parsed(fingerprintsIn(null, [3])), line).map((one) => ({ ...one, isClosed: true }));
    const now = (line: number) => placed(parsed(fingerprintsIn(null, [line])), line);
    expect([pairLines(now(3), closed(3)), pairLines(now(9), closed(3))]).toEqual([[0], [null]]);
    expect(pairUp(parsed(fingerprintsIn(null, [9])), earlier(parsed(fingerprintsIn(null, [3])), true)), 'without a line').toEqual([0]);
  });

  it('does not pair different lines or rules', () => {
    expect(pairUp(parsed(fingerprintsIn(['b'], [1])), earlier(parsed(fingerprintsIn(['a'], [1]))))).toEqual([null]);
  });
});
