import { expect, it } from 'vitest';
import { parsePatch } from '../../../../src/diff/patch.js';
import { filesOfDiff } from '../../../../src/server/repositories/diffs.js';

const diffOf = (name: string, length = 1) => `--- a/${name}\n+++ b/${name}\n@@ -0,0 +1 @@\n+${'x'.repeat(length)}\n`;

it('a diff is parsed once while it is in use, and has the files that it has', () => {
  const first = filesOfDiff(diffOf('a'));
  expect(filesOfDiff(diffOf('a'))).toBe(first);
  expect(first).toEqual(parsePatch(diffOf('a')));
  expect(filesOfDiff(diffOf('b'))).toEqual(parsePatch(diffOf('b')));
});

it('the diffs read last stay, and one larger than all that is kept evicts the others', () => {
  const [former, latter] = [filesOfDiff(diffOf('former', 3_000_000)), filesOfDiff(diffOf('latter', 3_000_000))];
  expect(filesOfDiff(diffOf('former', 3_000_000))).toBe(former);
  filesOfDiff(diffOf('third', 3_000_000));
  expect(filesOfDiff(diffOf('former', 3_000_000))).toBe(former);
  expect(filesOfDiff(diffOf('latter', 3_000_000))).not.toBe(latter);
  expect(filesOfDiff(diffOf('huge', 9_000_000))).toEqual(parsePatch(diffOf('huge', 9_000_000)));
  expect(filesOfDiff(diffOf('former', 3_000_000))).not.toBe(former);
});
