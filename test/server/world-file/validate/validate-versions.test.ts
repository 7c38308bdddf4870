import { expect, test } from 'vitest';
import type { WorldMergeRequest, WorldProject } from '../../../../src/server/world-file/schema.js';
import { validateWorld } from '../../../../src/server/world-file/validate.js';

const diff = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n';
const first = { base_sha: 'a1', head_sha: 'b1', diff };

const reasons = (project: WorldProject): string[] => {
  const outcome = validateWorld({ projects: [{ path: 'acme/app', ...project }] });
  return 'world' in outcome ? [] : outcome.problems.map(({ reason }) => reason);
};
const ofMergeRequest = (mergeRequest: WorldMergeRequest): string[] => reasons({ merge_requests: [mergeRequest] });

test('versions need neither a diff nor a start, and the merge request may repeat the last one', () => {
  const last = { base_sha: 'a2', head_sha: 'b2' };
  expect(ofMergeRequest({ versions: [first, last] })).toEqual([]);
  expect(ofMergeRequest({ versions: [first, last], ...last, start_sha: 'a2' })).toEqual([]);
});

test('positions have the SHAs of the last version', () => {
  const discussions = [{ notes: [{ position: { new_path: 'x', new_line: 1 } }] }];
  expect(ofMergeRequest({ versions: [first], discussions })).toEqual([]);
});

test.each<[string, WorldMergeRequest, string]>([
  ['without a base', { versions: [{ head_sha: 'b1' }] }, 'projects[0].merge_requests[0].versions[0] is missing base_sha'],
  ['without both ends', { versions: [{}] }, 'projects[0].merge_requests[0].versions[0] is missing base_sha, head_sha'],
  ['that the merge request contradicts', { head_sha: 'c1', versions: [first] },
    'projects[0].merge_requests[0].head_sha differs from that of the last version'],
  ['with text that is not a diff', { versions: [{ ...first, diff: 'x' }] },
    'projects[0].merge_requests[0].versions[0].diff is not a unified diff'],
  ['with other files for the same base', { versions: [{ ...first, base_files: { x: 'a' } }, { ...first, base_files: { x: 'b' } }] },
    'projects[0].merge_requests[0].versions[1].base_files differs from that of the same base_sha'],
  ['with the id of another', { versions: [{ ...first, id: 4 }, { ...first, id: 4 }] },
    'projects[0].merge_requests[0].versions[1].id: version id 4 is already used by projects[0].merge_requests[0].versions[0]'],
])('a version %s is rejected', (_, mergeRequest, reason) => {
  expect(ofMergeRequest(mergeRequest)).toEqual([reason]);
});

test.each(['', '/x', 'x/', 'a//b', '../x', 'a/./b', 'a\nb', 'a\\b', 'x'.repeat(501)])('the path %j of a file is rejected', (path) => {
  expect(reasons({ files: { [path]: 'text' } })).toEqual([`projects[0].files: invalid path ${JSON.stringify(path)}`]);
  expect(ofMergeRequest({ versions: [{ ...first, base_files: { [path]: 'text' } }] })).toHaveLength(1);
});

test.each(['a b.ts', 'src/ü.ts', '.gitignore', '..a/b..', '1'])('the path %j of a file is accepted', (path) => {
  expect(reasons({ files: { [path]: '' } })).toEqual([]);
});
