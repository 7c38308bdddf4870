import { expect, it } from 'vitest';
import type { PostResult } from '../../../../src/cli/notes/findings/result.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { readMarker } from '../../../../src/wire/note-text.js';
import { testApp } from '../../../support/app.js';
import { testService, type TestService } from '../../../support/service.js';

/** Makes the commit the head of mr/1, as a push does. */
const push = async ({ service }: TestService, head: string) => {
  const world = await service.world();
  const projects = world.projects!.map((project) => ({
    ...project,
    merge_requests: (project.merge_requests ?? []).map((each) => each.iid === 1 ? { ...each, head_sha: head } : each),
  }));
  await service.setWorld({ ...world, projects });
};

interface Pipeline {
  readonly iid: number;
  readonly head: string;
  /** The rules that its linter reports. */
  readonly rules: readonly string[];
}

/** Runs the job of a pipeline, whose gate fails for each finding. */
const runJob = async (service: TestService, { iid, head, rules }: Pipeline) => {
  const report = rules.map((rule) => `app.js:2:1: error: no ${rule} [${rule}]\n`).join('');
  const { run } = await testApp({
    service, files: { report, '/app/app.js': 'one\nzwei\nthree\nfour\n' },
    env: { CI: 'true', CI_PROJECT_DIR: '/app', CI_PROJECT_ID: '20', CI_MERGE_REQUEST_IID: '1', CI_PIPELINE_IID: String(iid), CI_COMMIT_SHA: head },
  });
  const { code, out } = await run('notes', 'post', 'report', '--from', 'lines', '--key', 'lint', '--allow-empty', '--fail-level', 'error', '--json');
  return { code, result: JSON.parse(out) as PostResult };
};

/** The rules of the open threads of findings. */
const openRules = async (service: TestService): Promise<string[]> => {
  const { body } = await service.get<Discussion[]>('/projects/20/merge_requests/1/discussions?per_page=100');
  return body.flatMap(({ notes: [note] }) => readMarker(note!.body).marker?.['fp'] !== undefined && note!.resolved === false
    ? [/`(r\d)`/.exec(note!.body)![1]!] : []).sort();
};

const orders = [[0, 1, 2], [2, 1, 0], [2, 0, 1], [1, 2, 0], [0, 2, 1], [1, 0, 2]] as const;
const reports = [['r1', 'r2'], [], ['r2'], ['r1'], [], ['r1', 'r2', 'r3'], ['r3']] as const;

it.each([['of a new commit each', true], ['of the same commit', false]])(
  'has the threads of the newest of three pipelines %s, in whatever order they end, and each gate judges its own report', async (_, isPushed) => {
    const service = await testService();
    const sha = (iid: number) => iid.toString(16).padStart(40, '0');
    const seen = { stale: 0, clean: 0, failing: 0 };
    // A thread of an earlier pipeline, where a later one without findings stores its number.
    await push(service, sha(1));
    await runJob(service, { iid: 1, head: sha(1), rules: ['r1'] });
    for (let round = 0; round < 10; round++) {
      const pipelines = [0, 1, 2].map((i): Pipeline => {
        const iid = 2 + round * 3 + i;
        return { iid, head: sha(isPushed ? iid : 1), rules: reports[(round * 3 + i) % reports.length]! };
      });
      const newest = pipelines[2]!;
      await push(service, newest.head);
      for (const at of orders[round % orders.length]!) {
        const { iid, rules } = pipelines[at]!;
        const { code, result } = await runJob(service, pipelines[at]!);
        expect([round, iid, code]).toEqual([round, iid, rules.length > 0 ? 8 : 0]);
        seen.stale += result.skipped.filter(({ reason }) => reason!.startsWith('stale: ')).length;
        seen[rules.length > 0 ? 'failing' : 'clean']++;
      }
      expect([round, await openRules(service)]).toEqual([round, [...newest.rules].sort()]);
    }
    expect(Object.values(seen).every((count) => count > 5)).toBe(true);
  });
