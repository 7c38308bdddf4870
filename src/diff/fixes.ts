import { type DiffLine, isNextLine } from './lines.js';
import { changesIn, type FileChange, type ReadChange } from './patch.js';

/** Lines that a commit replaces by others, without an unchanged line between them. */
interface Edit {
  readonly removed: readonly DiffLine[];
  readonly added: readonly DiffLine[];
  /** The unchanged lines beside it, where its hunk shows them. */
  readonly before: DiffLine | null;
  readonly after: DiffLine | null;
}

/** Edits of a file that matter for a thread. */
export interface FileEdits { readonly file: FileChange; readonly edits: readonly Edit[] }

const editsIn = (lines: readonly DiffLine[]): Edit[] => {
  const isNext = (at: number): boolean => at > 0 && at < lines.length && isNextLine(lines[at - 1]!, lines[at]!);
  const runs: { readonly from: number; to: number }[] = [];
  for (const [at, { kind }] of lines.entries()) {
    if (kind === 'context') continue;
    const last = runs.at(-1);
    if (last?.to === at && isNext(at)) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs.map(({ from, to }) => {
    const run = lines.slice(from, to);
    return {
      removed: ofKind(run, 'removed'), added: ofKind(run, 'added'),
      before: isNext(from) ? lines[from - 1]! : null, after: isNext(to) ? lines[to]! : null,
    };
  });
};

const ofKind = (lines: readonly DiffLine[], kind: DiffLine['kind']): DiffLine[] =>
  lines.filter((line) => line.kind === kind);

export const allEdits = (files: readonly FileChange[]): FileEdits[] =>
  readAll(files).map((file) => ({ file, edits: editsIn(file.lines) }));

const readAll = (files: readonly FileChange[]): ReadChange[] => {
  const changes = changesIn(files);
  return files.flatMap((file) => (file.deleted_file ? changes.of(file.old_path) : changes.to(file.new_path)) ?? []);
};

/**
 * The edits that remove some of these lines of a file, and those lines. Null if there are none, and if the commit only
 * moves the lines: it adds others with the same texts. @param numbers lines before the commit
 */
export const editsOfLines = (
  files: readonly FileChange[], path: string, numbers: readonly number[],
): FileEdits & { readonly changed: readonly DiffLine[] } | null => {
  const file = changesIn(files).of(path);
  if (!file) return null;
  const isWanted = ({ oldLine }: DiffLine): boolean => numbers.includes(oldLine);
  const edits = editsIn(file.lines).filter(({ removed }) => removed.some(isWanted));
  const added = new Set(readAll(files).flatMap(({ lines }) => textsOf(ofKind(lines, 'added'))));
  const changed = edits.flatMap(({ removed }) => removed.filter(isWanted));
  const isMoved = changed.every(({ text }) => hasWord(text) && added.has(text));
  return isMoved ? null : { file, edits, changed };
};

/** Lines without a word, such as brackets, are everywhere. */
const hasWord = (text: string): boolean => /\w/.test(text);

const textsOf = (lines: readonly DiffLine[]): string[] => lines.map(({ text }) => text);

/**
 * Whether a commit makes these edits of a file of the same name, among others: a commit that was rebased, or into which
 * the one with the edits was squashed. Line numbers do not count. @param paths other names of the file
 * @param wereAdded whether the merge request added what was removed: a squashed commit shows nothing of it
 */
export const makesSameEdits = (
  files: readonly FileChange[], wanted: readonly FileEdits[], paths: readonly string[] = [], wereAdded = false,
): boolean => {
  const all = readAll(files);
  return wanted.length > 0 && wanted.every(({ file, edits }) => {
    const names = [file.old_path, file.new_path, ...paths];
    return all.some(({ old_path, new_path, deleted_file, lines }) => deleted_file === file.deleted_file
      && names.some((name) => name === old_path || name === new_path)
      && edits.every((edit) => makesEdit(lines, edit, wereAdded)));
  });
};

const makesEdit = (lines: readonly DiffLine[], { removed, added }: Edit, wereAdded: boolean): boolean => {
  const [before, after] = [textsOf(removed), textsOf(added)];
  const isExact = editsIn(lines).some((edit) =>
    isEqual(textsOf(edit.removed), before) && isEqual(textsOf(edit.added), after));
  if (isExact) return true;
  const nowAdded = textsOf(ofKind(lines, 'added'));
  if (before.length > 0 && contains(nowAdded, before)) return false;
  if (after.some(hasWord)) return contains(nowAdded, after);
  return wereAdded || (before.length > 0 && contains(textsOf(ofKind(lines, 'removed')), before));
};

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, i) => text === other[i]);

const contains = (texts: readonly string[], part: readonly string[]): boolean =>
  texts.some((_, at) => isEqual(texts.slice(at, at + part.length), part));

/** A line before it was changed; the base of the merge request has it unless the merge request added it. */
interface FormerLine { readonly text: string; readonly wasAdded: boolean }

/** Whether a diff from base to head has these lines as they were. */
export const areBack = (files: readonly FileChange[], path: string, former: readonly FormerLine[]): boolean => {
  const changes = changesIn(files);
  const lines = (changes.to(path) ?? changes.of(path))?.lines ?? [];
  const [added, removed] = [textsOf(ofKind(lines, 'added')), textsOf(ofKind(lines, 'removed'))];
  return former.every(({ text, wasAdded }) => wasAdded ? added.includes(text) : !removed.includes(text));
};

/** Of the lines that a commit removes and adds; line numbers and unchanged lines do not count. */
export const patchId = (files: readonly FileChange[]): string => {
  const parts = readAll(files).map(({ old_path, new_path, lines }) => JSON.stringify([old_path, new_path,
    ...lines.filter(({ kind }) => kind !== 'context').map(({ kind, text }) => [kind, text])]));
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(parts.sort().join('\n')).digest('hex')
    .slice(0, 40);
};
