import { join } from 'node:path';
import { changeOn } from '../../../diff/changes.js';
import { linesOf, oldNumberOf, type DiffLine } from '../../../diff/lines.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import type { Target } from '../../service/targets/target.js';
import { gitFiles } from './git-files.js';
import { jobCommits } from './job.js';
import type { DiffFile, DiffFlags } from './known-diff.js';
import type { Shas } from './version.js';

/** Null if the head does not have the line. */
export type NumberInHead = (file: DiffFile, lines: readonly DiffLine[], number: number) => Promise<number | null>;

/**
 * The checked out files differ from the head of the diff in merged-results pipelines, which check out a merge commit,
 * and after a newer push. Git maps lines, else their text. If the job has neither, they are taken as lines of the head,
 * with a message on stderr.
 */
export const numbersInHead = (
  app: App, flags: DiffFlags & GlobalFlags, target: Target, { head_sha }: Shas,
): NumberInHead => {
  const commit = flags.headSha === undefined ? jobCommits(app, target)?.checkedOut : undefined;
  if (commit === undefined || commit === head_sha) return async (_, __, number) => number;
  const changesOf = perPath((path) => gitFiles(app, head_sha, commit, [path]));
  const linesOfFile = perPath((path) => checkedOutLines(app, path));
  const doubt = perPath((path) => say(app, flags,
    `cannot compare ${path} of commit ${commit} with the diff; taking the line as one of commit ${head_sha}`));
  return async ({ new_path: path }, lines, number) => {
    const changes = await changesOf(path);
    const change = changes && changeOn(changes, 'new', path);
    if (changes !== null && !change?.isBinary) return oldNumberOf(linesOf(change?.diff ?? ''), number);
    const text = await linesOfFile(path);
    if (text !== null) return numberByText(text, lines, number);
    await doubt(path);
    return number;
  };
};

const perPath = <T>(read: (path: string) => Promise<T>): ((path: string) => Promise<T>) => {
  const results = new Map<string, Promise<T>>();
  return (path) => {
    const result = results.get(path) ?? read(path);
    results.set(path, result);
    return result;
  };
};

/** Larger files are not source. In bytes. */
const largestSource = 10_485_760;

const checkedOutLines = async ({ files, env }: App, path: string): Promise<readonly string[] | null> => {
  const folder = env['CI_PROJECT_DIR'] ?? '';
  const content = await files.readLimited(join(folder, path), largestSource, folder || '.').catch(() => null);
  return content === null ? null : Buffer.from(content).toString().split('\n').map(withoutReturn);
};

/** Neighbours on both sides tell equal lines apart. */
const neighbours = [-3, -2, -1, 1, 2, 3];

/** Of several lines with the same text, the only one with the most equal neighbours. */
const numberByText = (text: readonly string[], lines: readonly DiffLine[], number: number): number | null => {
  const head = new Map(lines.filter(({ kind }) => kind !== 'removed')
    .map((line) => [line.newLine, withoutReturn(line.text)]));
  const wanted = text[number - 1];
  const isEqual = (candidate: number, away: number) => {
    const line = text[number - 1 + away];
    return line !== undefined && line === head.get(candidate + away);
  };
  const [best, next] = [...head.keys()].filter((candidate) => head.get(candidate) === wanted)
    .map((candidate) => ({ candidate, score: neighbours.filter((away) => isEqual(candidate, away)).length }))
    .sort((a, b) => b.score - a.score);
  return best && best.score !== next?.score ? best.candidate : null;
};

const withoutReturn = (line: string): string => line.replace(/\r$/, '');
