import { expect, test } from 'vitest';
import { lineAt, diffLines } from '../../../../src/diff/lines.js';
import { parsePatch } from '../../../../src/diff/patch.js';
import { demoWorld } from '../../../../src/server/world-file/demo/demo.js';
import type { WorldCommit, WorldMergeRequest } from '../../../../src/server/world-file/schema.js';

const withDiff = (demoWorld.projects ?? []).flatMap<WorldMergeRequest | WorldCommit>(
  ({ merge_requests = [], commits = [] }) => [...merge_requests, ...commits]);

test('every position of the demo is on a line of its diff', () => {
  const positions = withDiff.flatMap(({ diff, discussions = [] }) => discussions
    .flatMap(({ notes = [] }) => notes.flatMap(({ position }) => position ? [{ diff: diff!, position }] : [])));
  expect(positions).toHaveLength(5);
  for (const { diff, position } of positions) {
    const file = parsePatch(diff).find(({ old_path, new_path }) =>
      old_path === position.old_path && new_path === position.new_path);
    expect(file).toBeDefined();
    if (position.position_type !== 'image') expect(lineAt(diffLines(file!.diff), position)).toBeDefined();
  }
});
