import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { TextPosition } from '../../../../src/contract/shapes/position.js';
import { patchBetween } from '../../../../src/diff/write.js';
import { ranIn, type WorldOptions } from '../../../support/app.js';
import { isAll, runsOf } from '../../../support/extent.js';
import {
  basePath, diffOf, entriesOf, firstVersion, inOrder, nextVersion, shownIn, step, textOf, type Step, type Version,
} from '../../../support/histories.js';
import { d, patch, pushService } from '../../../support/pushes.js';
import { testService, type TestService } from '../../../support/service.js';

const mergeRequest = '/projects/acme%2Fapp/merge_requests/1';

const started = async (version: Version): Promise<TestService> => {
  const { base_sha, head_sha } = version;
  return testService({ dialect: 'live', world: {
    users: [{ username: 'developer', token: 'developer-token' }],
    projects: [{
      path: 'acme/app', members: { developer: 'developer' },
      merge_requests: [{ iid: 1, base_sha, start_sha: base_sha, head_sha, diff: diffOf(version) }],
    }],
  } });
};

/** A comment on some of the lines that the diff shows; returns the identity of each line by the thread. */
const commented = async (service: TestService, version: Version, picked: readonly number[]): Promise<[string, number][]> => {
  const shown = shownIn(version);
  const entries = entriesOf(version).filter((_, i) => shown[i]);
  const made: [string, number][] = [];
  for (const pick of entries.length === 0 ? [] : picked) {
    const entry = entries[pick % entries.length]!;
    const position = {
      base_sha: version.base_sha, start_sha: version.base_sha, head_sha: version.head_sha, position_type: 'text',
      old_path: basePath, new_path: version.headPath, old_line: entry.old, new_line: entry.new,
    };
    const { status, body } = await service.post<Discussion>(`${mergeRequest}/discussions`, { json: { body: 'x', position } });
    expect(status).toBe(201);
    made.push([body.id, entry.id]);
  }
  return made;
};

interface Shown { readonly id: string; readonly outdated: boolean; readonly current_line: number | null; readonly current_path: string | null }

const listed = async (options: WorldOptions): Promise<Shown[]> => {
  const { code, out, err } = await ranIn(options, 'discussions', 'list', '!1', '--all', '--json=id,outdated,current_line,current_path');
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out) as Shown[];
};

/** Where a line is in the head; a removed one, as long as the base has it, or else in the base. */
const truth = (
  id: number, isRemoved: boolean, { all, base, head, headPath }: Version,
): Pick<Shown, 'current_line' | 'current_path'> => {
  const line = inOrder(all, isRemoved && !head.has(id) ? base : head).indexOf(id) + 1;
  return line === 0 || (isRemoved && !base.has(id)) ? { current_line: null, current_path: null } : { current_line: line, current_path: headPath };
};

interface Way { readonly mayRebase: boolean; readonly hasGit: boolean }

const counts = { found: 0, gone: 0, unknown: 0 };

/** Git, which has the texts of all versions. */
const gitOf = (versions: readonly Version[]) => async (from: string, to: string): Promise<string | null> => {
  const textAt = (sha: string) => {
    const version = versions.findLast(({ base_sha, head_sha }) => [base_sha, head_sha].includes(sha))!;
    const isBase = version.base_sha === sha;
    return new Map([[isBase ? basePath : version.headPath, textOf(version.all, isBase ? version.base : version.head)]]);
  };
  return patchBetween(textAt(from), textAt(to));
};

const runHistory = async (length: number, steps: readonly Step[], { mayRebase, hasGit }: Way): Promise<void> => {
  const versions = [nextVersion(firstVersion(length), { ...steps[0]!, rename: null }, 0, false)];
  const service = await started(versions[0]!);
  const lines = new Map<string, number>();
  for (const [i, change] of steps.entries()) {
    const version = versions.at(-1)!;
    for (const [id, line] of await commented(service, version, change.threads)) lines.set(id, line);
    const moved = nextVersion(version, change, i + 1, mayRebase);
    const next = hasGit || change.rename === null ? moved : { ...moved, headPath: change.rename };
    await service.service.push({
      project: 'acme/app', merge_request: 1, base_sha: next.base_sha, head_sha: next.head_sha, diff: diffOf(next),
    });
    versions.push(next);
  }
  const newest = versions.at(-1)!;
  const stored = new Map((await service.get<Discussion[]>(`${mergeRequest}/discussions?per_page=100`)).body
    .map(({ id, notes }) => [id, notes[0]!.position as TextPosition]));
  const shown = await listed({ service, ...hasGit && { git: { diff: gitOf(versions) } } });
  for (const { id, outdated, current_line, current_path } of shown.filter((one) => lines.has(one.id))) {
    const position = stored.get(id)!;
    expect(outdated).toBe(position.head_sha !== newest.head_sha);
    const isKnown = !outdated || hasGit || position.base_sha === newest.base_sha;
    const expected = isKnown ? truth(lines.get(id)!, position.new_line === null, newest) : { current_line: null, current_path: null };
    expect({ current_line, current_path }).toEqual(expected);
    if (outdated) counts[!isKnown ? 'unknown' : current_line === null ? 'gone' : 'found']++;
  }
  await service.close();
};

const histories = [fc.integer({ min: 1, max: 30 }), fc.array(step, { minLength: 1, maxLength: 4 })] as const;

test.each<[string, number, Way]>([
  ['on the same base, from the diffs of the service', 200, { mayRebase: false, hasGit: false }],
  ['on changing bases, from the diffs of the service: unknown where the base changed', 150, { mayRebase: true, hasGit: false }],
  ['on changing bases, from git', 150, { mayRebase: true, hasGit: true }],
])('current lines of histories %s, are those of the whole texts', async (_, numRuns, way) => {
  await fc.assert(fc.asyncProperty(...histories, (length, steps) => runHistory(length, steps, way)), { numRuns: runsOf(numRuns) });
}, 120_000);

test('a line is not looked for in diffs that the service cuts', async () => {
  const service = await pushService();
  await service.comment({ old_line: 4, new_line: 4 });
  await service.service.push({ project: 'acme/app', merge_request: 1, head_sha: d, diff: patch('x.ts', '@@ -1,2 +1,3 @@', '+zero', ' one', '-two', '+2') });
  const lineIn = async (state: string) => {
    const answer: WorldOptions['answer'] = async (request) => {
      const response = await service.handle(request);
      return { ...response, body: String(response.body).replaceAll('"state":"collected"', `"state":"${state}"`) };
    };
    const env = { COLLOQUY_PROJECT: 'acme/app' };
    const { out } = await ranIn({ service, env, answer }, 'discussions', 'list', '!1', '--json=current_line', '-q', '.[0].current_line');
    return out.trim();
  };
  expect([await lineIn('collected'), await lineIn('overflow')]).toEqual(['5', 'null']);
});

test('these histories had outdated threads on lines that are there, gone and unknown', () => {
  expect(Math.min(counts.found, counts.gone, counts.unknown)).toBeGreaterThan(isAll ? 20 : 0);
});
