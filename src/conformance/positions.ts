import { linesOf, numbersOf, type DiffLine } from '../diff/lines.js';
import { pathOf, writingNotes, type Check, type Probe } from './check.js';
import { firstWith, hasError, listIn, objectIn, read } from './expect.js';
import { checkText, threadsPath, withThread, type NewThread } from './threads.js';

interface ChangedFile {
  readonly old_path: string;
  readonly new_path: string;
  readonly diff: string;
  readonly renamed_file: boolean;
  readonly new_file: boolean;
}

interface Refs { readonly base_sha: unknown; readonly start_sha: unknown; readonly head_sha: unknown }

/** What can have positions: SHAs and changed files. */
interface Change { readonly refs: Refs; readonly files: readonly ChangedFile[] }

/** The newest version of the merge request. @throws Skipped if it has none */
export const changeOf = async (probe: Probe): Promise<Change> => {
  const versions = `${pathOf(probe, 'merge_request')}/versions`;
  const newest = firstWith(listIn(await read(probe, versions)), 'diff of a merge request', () => true);
  const { diffs } = objectIn(await read(probe, `${versions}/${String(newest['id'])}`));
  return { refs: refsOf(newest), files: filesIn(diffs) };
};

/** A diff that is left out may be null. */
const filesIn = (files: unknown): readonly ChangedFile[] =>
  (files as readonly ChangedFile[]).map((file) => typeof file.diff === 'string' ? file : { ...file, diff: '' });

export const refsOf = (version: Readonly<Record<string, unknown>>): Refs => ({
  base_sha: version['base_commit_sha'], start_sha: version['start_commit_sha'], head_sha: version['head_commit_sha'],
});

/** @throws Skipped if it has no parent */
export const commitChangeOf = (probe: Probe): Promise<Change> => commitChangeAt(probe, pathOf(probe, 'commit'));

/** The change of a commit: its parent is both base and start. @throws Skipped if it has no parent */
export const commitChangeAt = async (probe: Probe, path: string): Promise<Change> => {
  const { id, parent_ids } = objectIn(await read(probe, path));
  const parent = firstWith(parent_ids as readonly string[], 'parent of the commit', () => true);
  const files = filesIn(listIn(await read(probe, `${path}/diff`)));
  return { refs: { base_sha: parent, start_sha: parent, head_sha: id }, files };
};

type Position = Readonly<Record<string, unknown>>;

/** Of the first line of a kind. @throws Skipped if no file has one */
export const linePosition = (
  change: Change, kind: DiffLine['kind'], fits: (file: ChangedFile) => boolean = () => true,
): Position => {
  const found = change.files.filter(fits).flatMap((file) => linesOf(file.diff).map((line) => ({ file, line })));
  const { file, line } = firstWith(found, `${kind} line`, (one) => one.line.kind === kind);
  const { old_path, new_path } = file;
  return { ...change.refs, position_type: 'text', old_path, new_path, ...numbersOf(line) };
};

/** A check on a new thread on an added line of the merge request. */
export const onDiff = (
  work: (probe: Probe, created: NewThread) => Promise<void>, more: Position = {},
): Check => writingNotes(async (probe) => {
  const position = { ...linePosition(await changeOf(probe), 'added'), ...more };
  await withThread(probe, 'merge_request', (created) => work(probe, created), { position });
});

/** The service must reject the position. @throws Difference */
export const rejects = async (
  probe: Probe, position: unknown, key: 'error' | 'message', text: RegExp | string,
): Promise<void> => {
  const json = { body: checkText, position };
  hasError(await probe.call('POST', threadsPath(probe, 'merge_request'), { json }), 400, key, text);
};
