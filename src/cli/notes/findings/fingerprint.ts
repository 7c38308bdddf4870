import { createHash } from 'node:crypto';
import { groupedBy } from '../../../text/groups.js';
import type { Finding } from './finding.js';

/** Identifies a finding in later runs. Without the number of the line, it survives changes elsewhere in the file. */
export interface Fingerprint {
  readonly line: string;
  readonly before: string;
  readonly after: string;
  readonly message: string;
  /** Counts findings with equal hashes, in the order of the file. */
  readonly count: number;
}

export interface Identified { readonly finding: Finding; readonly fingerprint: Fingerprint }

/** @param textOf undefined for a line that is not known, whose findings are known by their messages */
export const identify = (
  findings: readonly Finding[], textOf: (finding: Finding, line: number) => string | undefined,
): Identified[] => {
  const counts = new Map<string, number>();
  const inOrder = findings.toSorted((a, b) => compare(a.file, b.file)
    || (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  return inOrder.map((finding) => {
    const hashes = hashesOf(finding, (line) => textOf(finding, line));
    const key = Object.values(hashes).join();
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return { finding, fingerprint: { ...hashes, count } };
  });
};

const compare = (a: string, b: string): number => a < b ? -1 : a > b ? 1 : 0;

const hashesOf = (
  { rule, file, line, message }: Finding, textOf: (line: number) => string | undefined,
): Omit<Fingerprint, 'count'> => {
  const text = (number: number) => (textOf(number) ?? '').trim().replace(/\s+/g, ' ');
  const isKnown = line !== null && textOf(line) !== undefined;
  return {
    line: shortHash(rule, file, isKnown ? text(line) : withoutNumbers(message)),
    before: isKnown ? shortHash(text(line - 1)) : unknown,
    after: isKnown ? shortHash(text(line + 1)) : unknown,
    message: shortHash(message),
  };
};

const unknown = '0';

/** Messages often contain line numbers and measurements, which change with the file. */
export const withoutNumbers = (message: string): string => message.replace(/\d+/g, '0');

/** 128 bits: whoever chooses the names in messages finds two with one hash of 48 bits in minutes. */
export const findingDigest = ({ rule, message }: Finding): string => hashOf([rule, withoutNumbers(message)], 32);

/** 48 bits: among ten thousand findings, two different ones share a hash with a probability of 2 in ten million. */
export const shortHash = (...parts: readonly (string | null)[]): string => hashOf(parts, 12);

const hashOf = (parts: readonly (string | null)[], digits: number): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, digits);

export const printFingerprint = ({ line, before, after, message, count }: Fingerprint): string =>
  [line, before, after, message, count].join('.');

const form = /^([0-9a-f]{12})\.(0|[0-9a-f]{12})\.(0|[0-9a-f]{12})\.([0-9a-f]{12})\.(\d{1,6})$/;

export const parseFingerprint = (text: string): Fingerprint | null => {
  const [, line, before, after, message, count] = form.exec(text) ?? [];
  if (line === undefined) return null;
  return { line, before: before!, after: after!, message: message!, count: Number(count) };
};

export const hasSameNeighbors = (one: Fingerprint, other: Fingerprint): boolean =>
  one.before !== unknown && one.before === other.before && one.after === other.after;

type Parts = readonly (keyof Fingerprint)[];

const allHashes: Parts = ['line', 'before', 'after', 'message'];
const fewerHashes: readonly Parts[] = [
  ['line', 'before', 'after'], ['line', 'before', 'message'], ['line', 'after', 'message'], ['line', 'message'],
  ['line'],
];

/** The surest way comes first: of findings with equal hashes, those on the same line are the same ones. */
const ways: readonly { readonly parts: Parts; readonly isSameLine: boolean }[] = [
  { parts: allHashes, isSameLine: true }, { parts: [...allHashes, 'count'], isSameLine: false },
  { parts: allHashes, isSameLine: false },
  ...fewerHashes.flatMap((parts) => [true, false].map((isSameLine) => ({ parts, isSameLine }))),
];

interface Current {
  readonly fingerprint: Fingerprint;
  readonly line: number | null;
}

interface Earlier extends Current {
  /** An equal line elsewhere is a new finding, because this one was dealt with. */
  readonly isClosed: boolean;
}

/** Pairs the surest first. @returns for each of `now` the index in `earlier`, or null */
export const pairUp = (
  now: readonly Current[], earlier: readonly Earlier[], mayPair: (now: number, earlier: number) => boolean = () => true,
): (number | null)[] => {
  const pairs: (number | null)[] = now.map(() => null);
  const free = new Set(earlier.keys());
  for (const { parts, isSameLine } of ways) {
    const keyIn = ({ fingerprint, line }: Current): string | null => {
      const key = parts.map((part) => fingerprint[part]).join();
      if (!isSameLine) return key;
      return line === null ? null : `${key}:${line}`;
    };
    // With the same neighbor line, it is not an equal line elsewhere. Lines that are not known have the same number.
    const hasNeighbor = parts.includes('before') || parts.includes('after');
    const isSure = ({ fingerprint: { before }, line }: Earlier) =>
      hasNeighbor && (isSameLine || line === null || before !== unknown);
    const candidates = [...free].filter((index) => !earlier[index]!.isClosed || isSure(earlier[index]!));
    const byKey = groupedBy(candidates, (index) => keyIn(earlier[index]!));
    now.forEach((one, i) => {
      const key = pairs[i] === null ? keyIn(one) : null;
      const same = key === null ? undefined : byKey.get(key);
      const index = same?.find((one) => mayPair(i, one));
      if (index === undefined) return;
      same!.splice(same!.indexOf(index), 1);
      pairs[i] = index;
      free.delete(index);
    });
  }
  return pairs;
};
