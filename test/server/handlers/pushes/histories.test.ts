import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { WorldProject } from '../../../../src/server/world-file/schema.js';
import { onPostgres } from '../../../support/stores.js';
import { testService, type TestService } from '../../../support/service.js';

/**
 * Whole texts of one file as sets of lines, each with an identity of its own; all texts have the order of `all`. The rules
 * for positions are written here a second time, on these sets: without diffs and without the code of the server.
 */
interface Texts { readonly all: readonly number[]; readonly base: ReadonlySet<number>; readonly head: ReadonlySet<number> }

const basePath = 'src/a.ts';

interface Version extends Texts {
  readonly base_sha: string;
  readonly head_sha: string;
  readonly headPath: string;
  /** Unchanged lines around a change that the diff shows. */
  readonly context: number;
}

const inOrder = (all: readonly number[], some: ReadonlySet<number>): number[] => all.filter((id) => some.has(id));
const textOf = (all: readonly number[], some: ReadonlySet<number>): string => inOrder(all, some).map((id) => `line ${id}\n`).join('');

interface Entry { readonly id: number; readonly old: number | null; readonly new: number | null }

/** The lines of both texts by their numbers; those that the diff shows are in its hunks. */
const entriesOf = ({ all, base, head }: Texts): Entry[] => {
  const [before, after] = [inOrder(all, base), inOrder(all, head)];
  return all.filter((id) => base.has(id) || head.has(id)).map((id) =>
    ({ id, old: base.has(id) ? before.indexOf(id) + 1 : null, new: head.has(id) ? after.indexOf(id) + 1 : null }));
};

const isChange = (entry: Entry): boolean => entry.old === null || entry.new === null;

const shownIn = (version: Version): boolean[] => {
  const entries = entriesOf(version);
  return entries.map((_, i) =>
    entries.some((other, j) => isChange(other) && Math.abs(i - j) <= (isChange(entries[i]!) ? 0 : version.context)));
};

/** As git writes it, but an added line may come before a removed one. */
const diffOf = (version: Version): string => {
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

interface Place { readonly head_sha: string; readonly new_path: string; readonly old_line: number | null; readonly new_line: number | null }

/** Wire facts of positions after a push, from whole texts. Null if the thread is outdated. */
const expectedPlace = (place: Place, former: Version, next: Version): Place | null => {
  const idBefore = place.new_line === null ? inOrder(former.all, former.base)[place.old_line! - 1]!
    : inOrder(former.all, former.head)[place.new_line - 1]!;
  const entries = entriesOf(next);
  const at = entries.findIndex(({ id }) => id === idBefore);
  const entry = entries[at];
  if (!entry) return null;
  const now = { head_sha: next.head_sha, new_path: next.headPath, old_line: entry.old, new_line: entry.new };
  if (place.new_line === null) return entry.old !== null && entry.new === null ? now : null;
  if (entry.new === null) return null;
  return entry.old === null || shownIn(next)[at] ? now : null;
};

const step = fc.record({
  insert: fc.array(fc.nat(), { maxLength: 3 }), toggle: fc.array(fc.nat(), { maxLength: 4 }),
  rename: fc.constantFrom(null, null, basePath, 'src/b.ts', 'src/c.ts'), context: fc.integer({ min: 0, max: 4 }),
  threads: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), withFiles: fc.boolean(),
  rebase: fc.option(fc.record({
    insert: fc.array(fc.nat(), { maxLength: 3 }), remove: fc.array(fc.nat(), { maxLength: 2 }), adopt: fc.array(fc.nat(), { maxLength: 2 }),
  })),
});
type Step = Parameters<Parameters<typeof fc.property<[typeof step extends fc.Arbitrary<infer S> ? S : never]>>[1]>[0];

const sha = (letter: string, number: number): string => letter + String(number).padStart(39, '0');

const firstVersion = (length: number): Version => {
  const all = Array.from({ length }, (_, id) => id);
  return {
    all, base: new Set(all), head: new Set(all), base_sha: sha('a', 0), head_sha: sha('b', 0), headPath: basePath, context: 3,
  };
};

const nextVersion = (former: Version, change: Step, number: number, mayRebase: boolean): Version => {
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

/** Git sees a rename if half of the lines are the same. */
const isSimilar = (one: ReadonlySet<number>, other: ReadonlySet<number>): boolean =>
  2 * [...one].filter((id) => other.has(id)).length >= Math.max(one.size, other.size) && one.size > 0;

/** With texts alone, a file that changed by more than half is another file. */
const withPath = (version: Version, former: Version, { rename }: Step, hasFiles: boolean): Version =>
  rename === null || (hasFiles && !isSimilar(version.head, former.head)) ? version : { ...version, headPath: rename };

let service: TestService;
beforeEach(async () => { service = await testService({ dialect: 'live' }); });
afterEach(() => service.close());

const mergeRequest = '/projects/acme%2Fapp/merge_requests/1';

const start = (version: Version, files: WorldProject['files']) => service.service.setWorld({
  users: [{ username: 'developer', token: 'developer-token' }],
  projects: [{
    path: 'acme/app', members: { developer: 'developer' }, ...(files && { files }),
    merge_requests: [{ iid: 1, base_sha: version.base_sha, start_sha: version.base_sha, head_sha: version.head_sha, diff: diffOf(version) }],
  }],
});

const comment = async (version: Version, picked: readonly number[], threads: Map<string, Place>): Promise<void> => {
  const shown = shownIn(version);
  const places = entriesOf(version).filter((_, i) => shown[i]);
  for (const pick of places.length === 0 ? [] : picked) {
    const entry = places[pick % places.length]!;
    const { base_sha, head_sha, headPath } = version;
    const place = { head_sha, new_path: headPath, old_line: entry.old, new_line: entry.new };
    const position = { base_sha, start_sha: base_sha, position_type: 'text', old_path: basePath, ...place };
    const { status, body } = await service.post<Discussion>(`${mergeRequest}/discussions`, { json: { body: 'x', position } });
    expect(status).toBe(201);
    threads.set(body.id, place);
  }
};

const shownPlaces = async () => {
  const { body } = await service.get<Discussion[]>(`${mergeRequest}/discussions?per_page=100`);
  const ofThreads = body.filter(({ notes }) => notes[0]!.position);
  return new Map(ofThreads.map(({ id, notes }) => {
    const { head_sha, new_path, old_line, new_line } = notes[0]!.position as Place;
    return [id, { head_sha, new_path, old_line, new_line }];
  }));
};

const systemNotes = async () => {
  const { body } = await service.get<Discussion[]>(`${mergeRequest}/discussions?per_page=100`);
  return body.flatMap(({ notes }) => notes).filter(({ system }) => system).map((note) => note.body.split(' ')[0]);
};

interface Way { readonly hasFiles: boolean; readonly mayRebase: boolean }

/** PostgreSQL is slower, and the rules are the same. */
const share = onPostgres ? 0.1 : 1;

const counts = { moved: 0, outdated: 0 };

const runHistory = async (length: number, steps: readonly Step[], { hasFiles, mayRebase }: Way): Promise<void> => {
  let version = nextVersion(firstVersion(length), { ...steps[0]!, rename: null }, 0, false);
  await start(version, hasFiles ? { [basePath]: textOf(version.all, version.base) } : undefined);
  const threads = new Map<string, Place>();
  const notes: string[] = [];
  for (const [i, change] of steps.entries()) {
    await comment(version, change.threads, threads);
    const next = withPath(nextVersion(version, change, i + 1, mayRebase), version, change, hasFiles);
    const isRebase = next.base_sha !== version.base_sha;
    const byFiles = hasFiles && change.withFiles && (next.headPath === basePath || isSimilar(next.base, next.head));
    const pushed = byFiles ? { ...next, context: 3 } : next;
    const text = textOf(next.all, next.head);
    const result = await service.service.push({
      project: 'acme/app', merge_request: 1, base_sha: next.base_sha, head_sha: next.head_sha,
      ...byFiles ? { files: { ...version.headPath !== next.headPath && { [version.headPath]: null }, [next.headPath]: text,
        ...next.headPath !== basePath && { [basePath]: null } } } : { diff: diffOf(next) },
      ...isRebase && hasFiles && { base_files: { [basePath]: textOf(next.all, next.base) } },
    });
    const outdated: string[] = [];
    for (const [id, place] of threads) {
      if (place.head_sha !== version.head_sha) continue;
      const expected = expectedPlace(place, version, pushed);
      if (expected) threads.set(id, expected);
      else outdated.push(id);
    }
    expect(await shownPlaces()).toEqual(threads);
    expect([...result.outdated].sort()).toEqual(outdated.sort());
    notes.push('added', ...outdated.map(() => 'changed'));
    counts.moved += result.moved.length;
    counts.outdated += outdated.length;
    version = pushed;
  }
  expect((await systemNotes()).sort()).toEqual(notes.sort());
};

const lengths = fc.integer({ min: 1, max: 30 });
const histories = fc.array(step, { minLength: 1, maxLength: 4 });

test('100 histories of a file, with diffs alone: positions are those of an implementation on whole texts', async () => {
  await fc.assert(fc.asyncProperty(lengths, histories, (length, steps) =>
    runHistory(length, steps, { hasFiles: false, mayRebase: false })), { numRuns: 100 * share });
}, 120_000);

test('200 histories of a file with its texts, and a base that changes: positions are those of an implementation on whole texts', async () => {
  await fc.assert(fc.asyncProperty(lengths, histories, (length, steps) =>
    runHistory(length, steps, { hasFiles: true, mayRebase: true })), { numRuns: 200 * share });
}, 120_000);

test('these histories moved threads, and made threads outdated', () => {
  expect(counts.moved).toBeGreaterThan(500 * share);
  expect(counts.outdated).toBeGreaterThan(500 * share);
});
