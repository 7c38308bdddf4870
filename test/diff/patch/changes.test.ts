import { expect, test } from 'vitest';
import { changesIn, parsePatch } from '../../../src/diff/patch.js';

const changes = changesIn(parsePatch(`diff --git a/a b/copy
copy from a
copy to copy
diff --git a/a b/a
--- a/a
+++ b/a
@@ -1 +1 @@
-1
+2
diff --git a/old b/renamed
rename from old
rename to renamed
diff --git a/gone b/gone
deleted file mode 100644
--- a/gone
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/new b/new
new file mode 100644
--- /dev/null
+++ b/new
@@ -0,0 +1 @@
+x
`));

test('files are found by their paths before and after the change', () => {
  expect(['a', 'old', 'gone', 'new', 'renamed'].map((path) => changes.of(path)?.new_path)).toEqual(['a', 'renamed', 'gone', undefined, undefined]);
  expect(['a', 'copy', 'renamed', 'new', 'gone'].map((path) => changes.to(path)?.old_path)).toEqual(['a', 'a', 'old', 'new', undefined]);
});

test('the lines of a file are read once', () => {
  expect(changes.to('a')!.lines.map(({ kind }) => kind)).toEqual(['removed', 'added']);
  expect(changes.to('a')).toBe(changes.of('a'));
});
