import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { WorldProject } from '../../../../src/server/world-file/schema.js';
import {
  basePath, diffOf, entriesOf, firstVersion, inOrder, nextVersion, shownIn, step, textOf, type Step, type Version,
} from '../../../support/histories.js';
import { runsOf } from '../../../support/extent.js';
import { onPostgres } from '../../../support/stores.js';
import { testService, type TestService } from '../../../support/service.js';

interface Place { readonly head_sha: string; readonly new_path: string; readonly old_line: number | null; readonly new_line: number | null }

/** The rules for positions a second time, on whole texts. Null if the thread is outdated. */
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
const runs = (all: number): number => onPostgres ? all / 10 : runsOf(all);

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

test('histories of a file, with diffs alone: positions are those of an implementation on whole texts', async () => {
  await fc.assert(fc.asyncProperty(lengths, histories, (length, steps) =>
    runHistory(length, steps, { hasFiles: false, mayRebase: false })), { numRuns: runs(100) });
}, 120_000);

test('histories of a file with its texts, and a base that changes: positions are those of an implementation on whole texts', async () => {
  await fc.assert(fc.asyncProperty(lengths, histories, (length, steps) =>
    runHistory(length, steps, { hasFiles: true, mayRebase: true })), { numRuns: runs(200) });
}, 120_000);

test('these histories moved threads, and made threads outdated', () => {
  expect(counts.moved).toBeGreaterThan(runs(200));
  expect(counts.outdated).toBeGreaterThan(runs(200));
});
