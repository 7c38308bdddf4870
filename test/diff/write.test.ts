import { expect, test } from 'vitest';
import { patchBetween, patchOfRuns } from '../../src/diff/write.js';

const texts = (files: Record<string, string>) => new Map(Object.entries(files));

test('a diff is as git prints it', () => {
  const from = texts({ 'gone.ts': 'x\n', 'same.ts': 's\n', 'edited.ts': '1\n2\n3\n4\n5\n6' });
  const to = texts({ 'same.ts': 's\n', 'edited.ts': '1\n2\n3\n4\n5\nsix', 'ü.ts': 'new\n' });
  expect(patchBetween(from, to)).toBe(`diff --git a/edited.ts b/edited.ts
--- a/edited.ts
+++ b/edited.ts
@@ -3,4 +3,4 @@
 3
 4
 5
-6
\\ No newline at end of file
+six
\\ No newline at end of file
diff --git a/gone.ts b/gone.ts
deleted file mode 100644
--- a/gone.ts
+++ /dev/null
@@ -1,1 +0,0 @@
-x
diff --git "a/\\303\\274.ts" "b/\\303\\274.ts"
new file mode 100644
--- /dev/null
+++ "b/\\303\\274.ts"
@@ -0,0 +1,1 @@
+new
`);
});

test('a file that moved is a rename, with its changes, if at least half of it is the same', () => {
  const patch = patchBetween(texts({ a: '1\n2\n3\n4\n', z: 'q\nr\n' }), texts({ b: '1\n2\n3\nfour\n', y: 'other\n' }));
  expect(patch).toContain('diff --git a/a b/b\nrename from a\nrename to b\n--- a/a\n+++ b/b\n@@ -1,4 +1,4 @@\n');
  expect(patch).toContain('deleted file mode 100644\n--- a/z\n');
  expect(patch).toContain('new file mode 100644\n--- /dev/null\n+++ b/y\n');
});

test('the same texts differ by nothing', () => {
  expect(patchBetween(texts({ a: 'x' }), texts({ a: 'x' }))).toBe('');
});

test('a file of which only some lines are known has a hunk for each change, with its numbers', () => {
  expect(patchOfRuns('a b.ts', [
    { line: 3, before: '3\n4\n', after: '3\nx\ny\n' }, { line: 20, before: '20\n', after: '' }, { line: 30, before: '30\n', after: '30\n' },
  ])).toBe('diff --git "a/a b.ts" "b/a b.ts"\n--- "a/a b.ts"\n+++ "b/a b.ts"\n@@ -3,2 +3,3 @@\n 3\n-4\n+x\n+y\n@@ -20,1 +20,0 @@\n-20\n');
  expect(patchOfRuns('a.ts', [{ line: 3, before: '3\n', after: '3\n' }])).toBe('');
});
