import fc from 'fast-check';

/**
 * Whole texts of one file as sets of lines, each with an identity of its own; all texts have the order of `all`. Tests
 * know from these sets what becomes of a line: without diffs and without the code that they test.
 */
export interface Texts { readonly all: readonly number[]; readonly base: ReadonlySet<number>; readonly head: ReadonlySet<number> }

export const basePath = 'src/a.ts';

export interface Version extends Texts {
  readonly base_sha: string;
  readonly head_sha: string;
  readonly headPath: string;
  /** Unchanged lines around a change that the diff shows. */
  readonly context: number;
}

export const inOrder = (all: readonly number[], some: ReadonlySet<number>): number[] => all.filter((id) => some.has(id));
export const textOf = (all: readonly number[], some: ReadonlySet<number>): string => inOrder(all, some).map((id) => `line ${id}\n`).join('');

interface Entry { readonly id: number; readonly old: number | null; readonly new: number | null }

/** The lines of both texts by their numbers; those that the diff shows are in its hunks. */
export const entriesOf = ({ all, base, head }: Texts): Entry[] => {
  const [before, after] = [inOrder(all, base), inOrder(all, head)];
  return all.filter((id) => base.has(id) || head.has(id)).map((id) =>
    ({ id, old: base.has(id) ? before.indexOf(id) + 1 : null, new: head.has(id) ? after.indexOf(id) + 1 : null }));
};

const isChange = (entry: Entry): boolean => entry.old === null || entry.new === null;

export const shownIn = (version: Version): boolean[] => {
  const entries = entriesOf(version);
  return entries.map((_, i) =>
    entries.some((other, j) => isChange(other) && Math.abs(i - j) <= (isChange(entries[i]!) ? 0 : version.context)));
};

/** As git writes it, but an added line may come before a removed one. */
export const diffOf = (version: Version): string => {
  const entries = entriesOf(version);
  const shown = shownIn(version);
  const hunks: string[] = [];
  for (let i = 0; i < entries.length; i++) {
    if (!shown[i] || shown[i - 1]) continue;
    const end = entries.findIndex((_, j) => j > i && !shown[j]);
    const hunk = entries.slice(i, end === -1 ? undefined : end);
    const side = (which: 'old' | 'new') => {
      const count = hunk.filter((entry) => entry[which] !== null).length;
      const before = entries.slice(0, i).filter((entry) => entry[which] !== null).length;
      return `${count === 0 ? before : before + 1},${count}`;
    };
    hunks.push(`@@ -${side('old')} +${side('new')} @@\n`, ...hunk.map((entry) =>
      `${entry.old === null ? '+' : entry.new === null ? '-' : ' '}line ${entry.id}\n`));
  }
  const { headPath } = version;
  const renames = headPath === basePath ? '' : `rename from ${basePath}\nrename to ${headPath}\n`;
  if (hunks.length === 0 && renames === '') return '';
  return `diff --git a/${basePath} b/${headPath}\n${renames}`
    + (hunks.length === 0 ? '' : `--- a/${basePath}\n+++ b/${headPath}\n${hunks.join('')}`);
};

export const step = fc.record({
  insert: fc.array(fc.nat(), { maxLength: 3 }), toggle: fc.array(fc.nat(), { maxLength: 4 }),
  rename: fc.constantFrom(null, null, basePath, 'src/b.ts', 'src/c.ts'), context: fc.integer({ min: 0, max: 4 }),
  threads: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), withFiles: fc.boolean(),
  rebase: fc.option(fc.record({
    insert: fc.array(fc.nat(), { maxLength: 3 }), remove: fc.array(fc.nat(), { maxLength: 2 }), adopt: fc.array(fc.nat(), { maxLength: 2 }),
  })),
});
export type Step = Parameters<Parameters<typeof fc.property<[typeof step extends fc.Arbitrary<infer S> ? S : never]>>[1]>[0];

const sha = (letter: string, number: number): string => letter + String(number).padStart(39, '0');

export const firstVersion = (length: number): Version => {
  const all = Array.from({ length }, (_, id) => id);
  return {
    all, base: new Set(all), head: new Set(all), base_sha: sha('a', 0), head_sha: sha('b', 0), headPath: basePath, context: 3,
  };
};

export const nextVersion = (former: Version, change: Step, number: number, mayRebase: boolean): Version => {
  const [all, base, head] = [[...former.all], new Set(former.base), new Set(former.head)];
  const insert = (at: number, into: readonly Set<number>[]) => {
    const id = all.length;
    all.splice(at % (all.length + 1), 0, id);
    for (const one of into) one.add(id);
  };
  const rebase = (mayRebase ? change.rebase : null) ?? { insert: [], remove: [], adopt: [] };
  for (const at of rebase.insert) insert(at, [base, head]);
  for (const at of rebase.remove) {
    const id = all[at % all.length]!;
    base.delete(id);
    head.delete(id);
  }
  for (const at of rebase.adopt) base.add(all[at % all.length]!);
  for (const at of change.insert) insert(at, [head]);
  for (const at of change.toggle) {
    const id = all[at % all.length]!;
    if (!head.delete(id)) head.add(id);
  }
  const isRebase = rebase.insert.length + rebase.remove.length + rebase.adopt.length > 0;
  return {
    all, base, head, base_sha: isRebase ? sha('a', number) : former.base_sha, head_sha: sha('b', number),
    headPath: former.headPath, context: change.context,
  };
};
