import fc from 'fast-check';

/** One line of an edit: kept, removed from the old file or added to the new one. */
interface Edit { readonly kind: 'keep' | 'remove' | 'add'; readonly text: string }

/** An edited file, with the numbers of its lines. */
export interface EditedFile {
  readonly change: 'modified' | 'renamed' | 'new' | 'deleted';
  readonly oldPath: string;
  readonly newPath: string;
  readonly lines: readonly EditedLine[];
}

export interface EditedLine extends Edit {
  readonly oldLine: number | null;
  readonly newLine: number | null;
  /** Whether it is in a hunk: changed, or at most three lines away from a changed line. */
  readonly isInHunk: boolean;
}

/** Texts that look like parts of a patch, and others. */
const text = fc.constantFrom('a', 'b', '', ' ', '}', '-- x', '++ y', '@@ -1,2 +3,4 @@', 'diff --git a/x b/x', '\\ no', 'ü', '\t');
const kinds = {
  modified: ['keep', 'keep', 'keep', 'remove', 'add'], renamed: ['keep', 'keep', 'remove', 'add'], new: ['add'], deleted: ['remove'],
} as const;

/** Random edits of random files, each changed in at least one line. */
export const editedFiles = fc.array(fc.constantFrom('modified', 'renamed', 'new', 'deleted').chain((change) =>
  fc.array(fc.record({ kind: fc.constantFrom<Edit['kind']>(...kinds[change]), text }), { minLength: 1, maxLength: 30 })
    .filter((edits) => edits.some(({ kind }) => kind !== 'keep'))
    .map((edits) => ({ change, lines: numbered(edits) }))), { minLength: 1, maxLength: 3 })
  .map((files) => files.map((file, i): EditedFile => ({
    ...file, oldPath: `src/${file.change === 'renamed' ? 'old ' : ''}${i}.ts`, newPath: `src/${i}.ts`,
  })));

const numbered = (edits: readonly Edit[]): EditedLine[] => {
  let [oldLine, newLine] = [0, 0];
  return edits.map((edit, i) => ({
    ...edit,
    oldLine: edit.kind === 'add' ? null : ++oldLine,
    newLine: edit.kind === 'remove' ? null : ++newLine,
    isInHunk: edits.slice(Math.max(0, i - 3), i + 4).some(({ kind }) => kind !== 'keep'),
  }));
};

const marks = { keep: ' ', remove: '-', add: '+' };

/** The unified diff of edited files, as git writes it. */
export const patchOf = (files: readonly EditedFile[]): string => files.map(({ change, oldPath, newPath, lines }) => [
  `diff --git a/${oldPath} b/${newPath}`,
  ...{
    modified: [], renamed: [`rename from ${oldPath}`, `rename to ${newPath}`],
    new: ['new file mode 100644'], deleted: ['deleted file mode 100644'],
  }[change],
  `--- ${change === 'new' ? '/dev/null' : `a/${oldPath}`}`,
  `+++ ${change === 'deleted' ? '/dev/null' : `b/${newPath}`}`,
  ...hunksOf(lines),
].map((line) => `${line}\n`).join('')).join('');

const hunksOf = (lines: readonly EditedLine[]): string[] => {
  const starts = lines.flatMap((line, i) => line.isInHunk && !lines[i - 1]?.isInHunk ? [i] : []);
  return starts.flatMap((start) => {
    const end = lines.findIndex((line, i) => i > start && !line.isInHunk);
    const hunk = lines.slice(start, end < 0 ? undefined : end);
    const place = (side: 'oldLine' | 'newLine'): string => {
      const count = hunk.filter((line) => line[side] !== null).length;
      const before = lines.slice(0, start).filter((line) => line[side] !== null).length;
      return `${count === 0 ? before : before + 1},${count}`;
    };
    return [`@@ -${place('oldLine')} +${place('newLine')} @@`, ...hunk.map(({ kind, text }) => marks[kind] + text)];
  });
};
