import { join } from 'node:path';
import { type DiffLine, diffLines, newLineNumber, oldLineNumber } from '../../../diff/lines.js';
import { changeOn } from '../../../diff/patch.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { once, oncePer } from '../../service/connection/batch.js';
import type { Target } from '../../service/targets/target.js';
import { say } from '../../terminal/io/messages.js';
import { type DiffFile, type DiffFlags, gitFiles } from './known-diff.js';
import { jobCommits, type Shas } from './version.js';

export interface LineInHead {
  /** Null if the head does not have the line, or nobody can tell. */
  readonly number: number | null;
  /** The checked out text does not tell which line of the head it is, and that may be an added one. */
  readonly mayBeAdded: boolean;
}

const sureLine = (number: number | null): LineInHead => ({ number, mayBeAdded: false });

/** Between the checked out file, whose numbers people read and type, and the head of the diff. */
export interface Numbers {
  readonly inHead: (number: number) => LineInHead;
  readonly inFiles: (number: number) => number | null;
}

export const sameNumbers: Numbers = { inHead: sureLine, inFiles: (number) => number };

export interface JobLines {
  /** @param here the path of the file where it is checked out */
  readonly numbersOf: (file: DiffFile, here?: string) => Promise<Numbers>;
  /** In the head of the diff: the target branch may have renamed the file. */
  readonly pathInHead: (here: string) => Promise<string>;
}

/**
 * The checked out files differ from the head of the diff in merged-results pipelines, which check out a merge commit,
 * and after a newer push. Git maps lines, else their text. If the job has neither, they are taken as lines of the head,
 * with a message on stderr.
 * @param isOfTool a tool has read the checked out files outside of GitLab CI too
 */
export const jobLines = (
  app: App, flags: DiffFlags & GlobalFlags, target: Target, { head_sha }: Shas, isOfTool = false,
): JobLines => {
  const checkedOut = once(async () => {
    if (flags.headSha !== undefined) return null;
    const commit = jobCommits(app, target)?.checkedOut
      ?? (isOfTool ? await currentCommit(app, flags, target, head_sha) : null);
    return commit === head_sha ? null : commit;
  });
  const numbersIn = async ({ new_path, deleted_file, lines }: DiffFile, here: string): Promise<Numbers> => {
    const commit = deleted_file ? null : await checkedOut();
    if (commit === null) return sameNumbers;
    const changes = await gitFiles(app, head_sha, commit, [...new Set([new_path, here])]);
    const change = changes && changeOn(changes, 'new', here);
    if (changes !== null && !change?.isBinary) {
      const changed = diffLines(change?.diff ?? '');
      const inFile = oncePer((number: number) => sureLine(newLineNumber(changed, number)));
      return {
        inHead: (number) => sureLine(oldLineNumber(changed, number)), inFiles: (number) => inFile(number).number,
      };
    }
    const text = await checkedOutLines(app, here);
    if (text !== null) return numbersByText(text, await lines() ?? []);
    await say(app, flags,
      `cannot compare ${here} of commit ${commit} with the diff; its lines have the numbers of commit ${head_sha}`);
    return sameNumbers;
  };
  const numbersOf = oncePer((file: DiffFile) => oncePer((here: string) => numbersIn(file, here)));
  const renamed = once(async () => {
    const changes = await gitFiles(app, head_sha, await checkedOut(), []) ?? [];
    return changes.filter(({ renamed_file }) => renamed_file);
  });
  return {
    numbersOf: (file, here = file.new_path) => numbersOf(file)(here),
    pathInHead: async (here) => changeOn(await renamed(), 'new', here)?.old_path ?? here,
  };
};

/** Null for one without the head: then the report may be of another clone. */
const currentCommit = async (app: App, flags: GlobalFlags, { name }: Target, head: string): Promise<string | null> => {
  const commit = await app.git.sha('HEAD');
  if (commit === null || commit === head) return null;
  if ((await app.git.distance(head, commit))?.onlyFrom === 0) return commit;
  await say(app, flags, `commit ${commit} does not have the newest one of ${name}: lines have the numbers of ${head}`);
  return null;
};

const largestSource = 10_485_760;

const checkedOutLines = async ({ files, env }: App, path: string): Promise<readonly string[] | null> => {
  const folder = env['CI_PROJECT_DIR'] ?? '';
  const content = await files.readLimited(join(folder, path), largestSource, folder || '.').catch(() => null);
  return content === null ? null : Buffer.from(content).toString().split('\n').map(withoutReturn);
};

const neighbours = [-3, -2, -1, 1, 2, 3];

/**
 * Neighbors on both sides tell equal lines apart. A merge keeps all added lines: without one of them, attributes of the
 * work tree changed the text, and a line that the diff does not have may be added as well.
 */
const numbersByText = (text: readonly string[], lines: readonly DiffLine[]): Numbers => {
  const added = new Map(lines.filter(({ kind }) => kind === 'added').map(numberAndText));
  const head = new Map(lines.filter(({ kind }) => kind !== 'removed').map(numberAndText));
  const known = new Set(text);
  const lacksAdded = [...added.values()].some((line) => !known.has(line));
  const byText = new Map<string | undefined, number[]>();
  for (const [number, line] of head) byText.set(line, byText.get(line) ?? []).get(line)!.push(number);
  const inHead = (number: number): LineInHead => {
    const isEqual = (candidate: number, away: number) => {
      const line = text[number - 1 + away];
      return line !== undefined && line === head.get(candidate + away);
    };
    const found = (byText.get(text[number - 1]) ?? [])
      .map((candidate) => ({ candidate, score: neighbours.filter((away) => isEqual(candidate, away)).length }))
      .sort((a, b) => b.score - a.score);
    const [best, next] = found;
    if (!best) return { number: null, mayBeAdded: lacksAdded };
    if (best.score !== next?.score) return sureLine(best.candidate);
    const tied = found.filter(({ score }) => score === best.score);
    return { number: null, mayBeAdded: tied.some(({ candidate }) => added.has(candidate)) };
  };
  const places = once(() => new Map(text.map((_, i) => [inHead(i + 1).number, i + 1] as const)));
  return { inHead, inFiles: (number) => places().get(number) ?? null };
};

const numberAndText = ({ newLine, text }: DiffLine): readonly [number, string] => [newLine, withoutReturn(text)];

const withoutReturn = (line: string): string => line.replace(/\r$/, '');
