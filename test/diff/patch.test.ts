import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePatch, patchParts } from '../../src/diff/patch.js';

const patch = `diff --git a/src/old name.ts b/src/new name.ts
similarity index 90%
rename from src/old name.ts
rename to src/new name.ts
index 1111111..2222222 100755
--- a/src/old name.ts\t
+++ b/src/new name.ts\t
@@ -1 +1 @@
-a
+b
diff --git a/gone.txt b/gone.txt
deleted file mode 100644
index 3333333..0000000
--- a/gone.txt
+++ /dev/null
@@ -1 +0,0 @@
-last
\\ No newline at end of file
diff --git a/pic.png b/pic.png
new file mode 100644
index 0000000..4444444
Binary files /dev/null and b/pic.png differ
diff --git "a/\\303\\244 \\"q\\".txt" "b/\\303\\244 \\"q\\".txt"
old mode 100644
new mode 100755
`;

describe('parsePatch', () => {
  const [renamed, deleted, image, quoted] = parsePatch(patch);

  it('names both paths of a renamed file', () => {
    expect(renamed).toEqual({
      old_path: 'src/old name.ts', new_path: 'src/new name.ts', a_mode: '100755', b_mode: '100755',
      diff: '@@ -1 +1 @@\n-a\n+b\n', new_file: false, renamed_file: true, deleted_file: false,
    });
  });

  it('gives a deleted file its path on both sides and keeps the notice on its last line', () => {
    expect(deleted).toMatchObject({ old_path: 'gone.txt', new_path: 'gone.txt', deleted_file: true, b_mode: '0' });
    expect(deleted?.diff).toBe('@@ -1 +0,0 @@\n-last\n\\ No newline at end of file\n');
  });

  it('lists a binary file without hunks', () => {
    expect(image).toMatchObject({ new_path: 'pic.png', old_path: 'pic.png', new_file: true, diff: '' });
  });

  it('reads quoted names byte by byte', () => {
    expect(quoted).toMatchObject({ new_path: 'ä "q".txt', a_mode: '100644', b_mode: '100755' });
  });

  it('reads a diff without git headers', () => {
    const plain = '--- a/x.c\t2020-01-01\n+++ b/x.c\n@@ -1 +1 @@\n-a\n+b\n--- a/y.c\n+++ b/y.c\n@@ -1 +1,2 @@\n c\n+++ d\n';
    expect(parsePatch(plain).map((file) => [file.new_path, file.diff])).toEqual([
      ['x.c', '@@ -1 +1 @@\n-a\n+b\n'], ['y.c', '@@ -1 +1,2 @@\n c\n+++ d\n']]);
  });

  it('reads the name of a file without lines in a diff without prefixes', () => {
    const bare = 'diff --git mode b/mode b mode b/mode b\nold mode 100644\nnew mode 100755\n'
      + 'diff --git pic.png pic.png\nindex 1..2 100644\nBinary files pic.png and pic.png differ\n'
      + 'diff --git "\\303\\244" "\\303\\244"\nnew file mode 100644\nindex 0..0\ndiff --git a/x a/x\ndeleted file mode 100644\nindex 0..0\n';
    expect(parsePatch(bare).map(({ old_path, new_path }) => [old_path, new_path]))
      .toEqual(['mode b/mode b', 'pic.png', 'ä', 'a/x'].map((path) => [path, path]));
  });

  it('gives back every line of a patch, notices and texts that look like headers included', () => {
    const line = fc.constantFrom(' same', '+new', '-old', '+++ b/x', '--- a/x', '', ' @@ -1 +1 @@', '\\ No newline at end of file');
    const hunk = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => {
      const count = (other: string) => lines.filter((one) => !one.startsWith('\\') && !one.startsWith(other)).length;
      return [`@@ -1,${count('+')} +1,${count('-')} @@ f()`, ...lines].join('\n');
    });
    const file = fc.tuple(fc.nat({ max: 9 }), fc.array(hunk, { maxLength: 3 })).map(([name, hunks]) =>
      [`diff --git a/${name} b/${name}`, 'index 1..2 100644', `--- a/${name}`, `+++ b/${name}`, ...hunks].join('\n'));
    fc.assert(fc.property(fc.array(file, { minLength: 1, maxLength: 4 }), fc.constantFrom('', '\n'), (all, end) => {
      const patch = all.join('\n') + end;
      const parts = patchParts(patch);
      expect(parts).toHaveLength(all.length);
      expect(parts.map(({ header, hunks }) => header + hunks).join('')).toBe(patch.endsWith('\n') ? patch : `${patch}\n`);
    }));
  });

  it('finds no files in an empty text', () => {
    expect(parsePatch('')).toEqual([]);
  });
});

it('a line of a million equal names is read without delay', () => {
  const [file] = parsePatch(`diff --git ${'x '.repeat(500_000)}y\n--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n`);
  expect([file!.old_path, file!.new_path]).toEqual(['x', 'x']);
});
