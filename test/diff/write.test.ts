import { expect, test } from 'vitest';
import { patchBetween } from '../../src/diff/write.js';

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
