import type { Position, TextPosition } from '../../contract/shapes/position.js';
import { lineAt, linesOf, numbersOf, type DiffLine } from '../../diff/lines.js';
import { parsePatch } from '../../diff/patch.js';
import type { App } from '../app.js';
import { plainText } from '../io/plain.js';
import type { Paint, Tone } from '../io/style.js';
import { currentFiles } from '../position/line.js';
import type { Target } from '../targets/target.js';

/**
 * The diff of the file that a note stands on: as the service shows it while the note is on the present version, else
 * from the work tree around. Null where neither knows it: the diff helps reading and is never needed.
 */
export const diffOf = async (app: App, target: Target, position: Position): Promise<string | null> => {
  const shown = await fromService(target, position).catch(() => null);
  app.signal.throwIfAborted();
  return shown ?? fromWorkTree(app, position);
};

const fromService = async (target: Target, position: Position): Promise<string | null> => {
  if (!await isPresent(target, position)) return null;
  for await (const file of currentFiles(target) ?? []) if (isOf(position, file)) return file.diff;
  return null;
};

/** A merge request gets new versions; a commit stays what it is. */
const isPresent = async ({ client, kind, path, ref }: Target, { base_sha, head_sha }: Position): Promise<boolean> => {
  if (kind !== 'merge_request') return head_sha === ref.id.toLowerCase();
  const { diff_refs } = await client.lookups.mergeRequest({ id: path.id, iid: Number(ref.id) });
  return diff_refs?.head_sha === head_sha && diff_refs?.base_sha === base_sha;
};

const fromWorkTree = async ({ tools }: App, position: Position): Promise<string | null> => {
  const { base_sha, head_sha, old_path, new_path } = position;
  const paths = [...new Set([old_path, new_path])].filter((path) => typeof path === 'string');
  if (!isSha(base_sha) || !isSha(head_sha) || paths.length === 0) return null;
  const patch = await tools.gitDiff(base_sha, head_sha, paths);
  return patch === null ? null : parsePatch(patch).find((file) => isOf(position, file))?.diff ?? null;
};

/** Only a whole SHA is handed to git: the service's text must not be taken for a flag. */
const isSha = (text: string): boolean => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);

const isOf = ({ old_path, new_path }: Position, file: { readonly old_path: string; readonly new_path: string }) =>
  file.new_path === new_path || (new_path === undefined && file.old_path === old_path);

/** How many lines stand above the one that a note is about. */
const linesAbove = 3;

/** Of a longer range its end is shown. */
const maxLines = 15;

/** The lines of a file's diff that a note is about, with a few above them; empty where they are not in the diff. */
export const linesAround = (diff: string, position: Position): readonly DiffLine[] => {
  if (position.position_type !== 'text') return [];
  const lines = linesOf(diff);
  const at = lineAt(lines, position);
  if (!at) return [];
  const end = lines.indexOf(at);
  const start = Math.max(startOf(lines, position, end) - linesAbove, end + 1 - maxLines, 0);
  const unbroken = lines.slice(0, end + 1).findLastIndex((line, i) => i > 0 && !follows(lines[i - 1]!, line));
  return lines.slice(Math.max(start, unbroken), end + 1);
};

/** Where a range begins: its line code ends in the two running counters (wire-facts 4.10.5). */
const startOf = (lines: readonly DiffLine[], { line_range }: TextPosition, end: number): number => {
  const [, old, next] = /_(\d+)_(\d+)$/.exec(line_range?.start?.line_code ?? '') ?? [];
  const start = lines.findIndex(({ oldLine, newLine }) => oldLine === Number(old) && newLine === Number(next));
  return start < 0 || start > end ? end : start;
};

/** Whether a line stands right below another: between two hunks something is left out. */
const follows = (before: DiffLine, line: DiffLine): boolean =>
  line.oldLine - before.oldLine + line.newLine - before.newLine === (before.kind === 'context' ? 2 : 1);

const marks: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '-', context: ' ' };
const tones: Readonly<Record<DiffLine['kind'], Tone | null>> = { added: 'added', removed: 'removed', context: null };

/** Lines of a diff as text: both numbers, the mark, the line. */
export const hunkText = (lines: readonly DiffLine[], paint: Paint): string => {
  const width = Math.max(0, ...lines.map((line) => String(Math.max(line.oldLine, line.newLine)).length));
  return lines.map((line) => {
    const { old_line, new_line } = numbersOf(line);
    const numbers = `${String(old_line ?? '').padStart(width)} ${String(new_line ?? '').padStart(width)}`;
    return `${paint('faint', numbers)} ${paint(tones[line.kind], marks[line.kind] + plainText(line.text))}\n`;
  }).join('');
};
