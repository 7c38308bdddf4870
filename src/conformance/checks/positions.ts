import { suggestionReach } from '../../contract/conventions.js';
import { type DiffLine, diffLines, lineNumbers } from '../../diff/lines.js';
import type { FileChange } from '../../diff/patch.js';
import {
  type Check, type Checks, firstWith, type Got, hasKeys, hasStatus, hasValues, holds, listIn, objectHas, objectIn,
  objectPath, onResponse, type Probe, read, reading, rejection, rejects, same, sameIn, Skipped, type Values,
  writingNotes,
} from '../check.js';
import {
  checkText, type NewThread, notesOf, onEachNote, onNewThread, requireOpen, startThread, threadsPath,
} from '../threads.js';

type ChangedFile = Pick<FileChange, 'old_path' | 'new_path' | 'diff' | 'renamed_file' | 'new_file'>;

interface Refs { readonly base_sha: unknown; readonly start_sha: unknown; readonly head_sha: unknown }

interface Change { readonly refs: Refs; readonly files: readonly ChangedFile[] }

/** The newest version of the merge request. @throws Skipped if it has none */
const changeOf = async (probe: Probe): Promise<Change> => {
  const versions = `${objectPath(probe, 'merge_request')}/versions`;
  const newest = firstWith(listIn(await read(probe, versions)), 'diff of a merge request');
  const { diffs } = objectIn(await read(probe, `${versions}/${String(newest['id'])}`));
  return { refs: refsOf(newest), files: filesIn(diffs) };
};

/** A diff that is left out may be null. */
const filesIn = (files: unknown): readonly ChangedFile[] =>
  (files as readonly ChangedFile[]).map((file) => typeof file.diff === 'string' ? file : { ...file, diff: '' });

const refsOf = (version: Values): Refs => ({
  base_sha: version['base_commit_sha'], start_sha: version['start_commit_sha'], head_sha: version['head_commit_sha'],
});

const refsIn = ({ base_sha, start_sha, head_sha }: Values): Refs => ({ base_sha, start_sha, head_sha });

/** The change of a commit: its parent is both base and start. @throws Skipped if it has no parent */
const commitChangeOf = async (probe: Probe, path: string): Promise<Change> => {
  const { id, parent_ids } = objectIn(await read(probe, path));
  const parent = firstWith(parent_ids as readonly string[], 'parent of the commit');
  const files = filesIn(listIn(await read(probe, `${path}/diff`)));
  return { refs: { base_sha: parent, start_sha: parent, head_sha: id }, files };
};

/** Of the first line of a kind. @throws Skipped if no file has one */
const linePosition = (
  change: Change, kind: DiffLine['kind'], fits: (file: ChangedFile) => boolean = () => true,
): Values => {
  const found = change.files.filter(fits).flatMap((file) => diffLines(file.diff).map((line) => ({ file, line })));
  const { file, line } = firstWith(found, `${kind} line`, (one) => one.line.kind === kind);
  const { old_path, new_path } = file;
  return { ...change.refs, position_type: 'text', old_path, new_path, ...lineNumbers(line) };
};

export const addedPosition = async (probe: Probe, more: Values = {}): Promise<Values> =>
  ({ ...linePosition(await changeOf(probe), 'added'), ...more });

export const onDiff = (
  work: (probe: Probe, created: NewThread) => Promise<void> | void, more?: Values,
): Check => writingNotes(async (probe) => {
  await work(probe, await startThread(probe, { position: await addedPosition(probe, more) }));
});

const rejectsPosition = (
  probe: Probe, position: unknown, key: 'error' | 'message', text: RegExp | string,
): Promise<void> =>
  rejects(probe, 'POST', threadsPath(probe), { json: { body: checkText, position } }, 400, key, text);

const rejectsUnknownType = (text: RegExp | string): Check => writingNotes(async (probe) => {
  const { refs } = await changeOf(probe);
  await rejectsPosition(probe, { ...refs, position_type: 'colloquy' }, 'error', text);
});

const notInDiff = /can't be blank.*must be a valid line code/;
const range = {
  start: { line_code: 'a_1_1', type: 'new', colloquy: 'kept' }, end: { line_code: 'a_1_2', type: 'new' },
};

const notePosition = ({ note }: NewThread): Values => note['position'] as Values;

const isDiffNote = ({ got, note }: NewThread): void => hasValues(got, note, { type: 'DiffNote' });

/** A check of values of the position of a new note on an added line. */
const positionHas = (expected: Values, more?: Values): Check =>
  onDiff((_, created) => hasValues(created.got, notePosition(created), expected), more);

const newSuggestion = async (probe: Probe, range: string, text = checkText): Promise<readonly [Got, Values]> => {
  const body = `${checkText}\n\n\`\`\`suggestion:${range}\n${text}\n\`\`\``;
  const { got, note } = await startThread(probe, { position: await addedPosition(probe), body });
  const [suggestion] = note['suggestions'] as readonly Values[];
  return [got, suggestion!];
};

const unknownSuggestion = 'Suggestion is not applicable as the suggestion was not found.';

const suggestionKeys = ['id', 'from_line', 'to_line', 'appliable', 'applied', 'from_content', 'to_content'];

const refKeys = ['base_sha', 'start_sha', 'head_sha'];

export const positionChecks: Checks = {
  'positions.optional': onNewThread((_, { got, note }) =>
    holds(got, 'no position', (note['position'] ?? null) === null, note['position'])),
  'positions.required': writingNotes((probe) => rejectsPosition(probe, { new_line: 1 }, 'error',
    /base_sha\] is missing.*start_sha\] is missing.*head_sha\] is missing.*position_type\] is missing/)),
  'positions.types': rejectsUnknownType('position[position_type] does not have a valid value'),
  'errors.not-in-list': rejectsUnknownType(/does not have a valid value$/),
  'positions.file-type': writingNotes(async (probe) => {
    const { refs, files } = await changeOf(probe);
    const { old_path, new_path } = firstWith(files, 'changed file');
    const position = { ...refs, old_path, new_path, position_type: 'file' };
    const created = await startThread(probe, { position });
    hasValues(created.got, notePosition(created), { position_type: 'file' });
  }),
  'positions.nulls': onDiff((_, created) => {
    const keys = [...refKeys, 'old_path', 'new_path', 'position_type', 'old_line', 'new_line', 'line_range'];
    hasKeys(created.got, notePosition(created), keys);
    hasValues(created.got, notePosition(created), { old_line: null });
  }),
  'positions.no-nulls': onDiff((_, created) => {
    hasKeys(created.got, notePosition(created), [...refKeys, 'old_path', 'new_path', 'position_type', 'new_line']);
    const values = Object.values(notePosition(created));
    holds(created.got, 'no null in `position`', !values.includes(null), notePosition(created));
  }),
  'positions.ranges-kept': positionHas({ line_range: range }, { line_range: range }),
  'positions.ranges-on-merge-requests': positionHas({
    line_range: { start: { line_code: 'a_1_1', type: 'new' }, end: range.end },
  }, { line_range: range }),
  'positions.range-ends': onDiff((_, created) => {
    const { start, end } = notePosition(created)['line_range'] as Readonly<Record<string, object>>;
    for (const place of [start, end]) same(created.got, 'the keys', Object.keys(place ?? {}), ['line_code', 'type']);
  }, { line_range: range }),
  'positions.range-parts-optional': onDiff((_, created) => isDiffNote(created),
    { line_range: { start: { type: 'new' }, end: { line_code: 'a_1_2' } } }),
  'positions.empty': writingNotes((probe) => rejectsPosition(probe, {}, 'message', /is incomplete/)),
  'positions.missing-path': writingNotes(async (probe) => {
    const change = await changeOf(probe);
    const position = linePosition(change, 'added', ({ renamed_file }) => !renamed_file);
    const { old_path, ...incomplete } = position;
    const created = await startThread(probe, { position: incomplete });
    hasValues(created.got, notePosition(created), { old_path });
  }),
  'positions.line-code': reading(async (probe) => {
    const [got, notes] = await notesOf(probe, 'merge_request');
    const ends = notes.flatMap((note) => Object.values((note['position'] as WithRange | undefined)?.line_range ?? {}));
    const { line_code } = firstWith(ends, 'comment on several lines') as { readonly line_code?: unknown };
    holds(got, 'a SHA-1 and two numbers', /^[0-9a-f]{40}_\d+_\d+$/.test(String(line_code)), line_code);
  }),
  'positions.which-lines': writingNotes(async (probe) => {
    const change = await changeOf(probe);
    for (const kind of ['added', 'context'] as const) {
      isDiffNote(await startThread(probe, { position: linePosition(change, kind) }));
    }
    await rejectsPosition(probe, { ...linePosition(change, 'context'), old_line: null }, 'message', notInDiff);
    await rejectsPosition(probe, { ...linePosition(change, 'added'), old_line: 1 }, 'message', notInDiff);
  }),
  'positions.both-paths': writingNotes(async (probe) => {
    const position = linePosition(await changeOf(probe), 'added', (file) => file.renamed_file);
    isDiffNote(await startThread(probe, { position }));
    await rejectsPosition(probe, { ...position, old_path: position['new_path'] }, 'message', notInDiff);
  }),
  'positions.incomplete': writingNotes(async (probe) => {
    const { old_line: _old, new_line: _new, ...withoutLine } = await addedPosition(probe);
    await rejectsPosition(probe, withoutLine, 'message', /is incomplete/);
    await rejectsPosition(probe, { ...withoutLine, position_type: 'image', width: 1 }, 'message', /is incomplete/);
  }),
  'positions.unfolded': writingNotes(async (probe) => {
    const change = await changeOf(probe);
    const isBelowTop = ({ diff, new_file }: { diff: string; new_file: boolean }) =>
      !new_file && (diffLines(diff)[0]?.oldLine ?? 0) > 2;
    const { old_path, new_path } = firstWith(change.files, 'file with a hunk below its second line', isBelowTop);
    const position = { ...change.refs, position_type: 'text', old_path, new_path, old_line: 1, new_line: 1 };
    isDiffNote(await startThread(probe, { position }));
    await rejectsPosition(probe, { ...position, new_line: 2 }, 'message', notInDiff);
  }),
  'positions.not-in-diff': writingNotes(async (probe) =>
    rejectsPosition(probe, await addedPosition(probe, { new_line: 2_147_483 }), 'message', notInDiff)),
  'positions.other-shas': writingNotes(async (probe) => {
    const json = { body: checkText, position: await addedPosition(probe, { head_sha: '0'.repeat(40) }) };
    hasStatus(await probe.call('POST', threadsPath(probe), { json }), 400, 500);
  }),
  'positions.one-base': writingNotes(async (probe) => {
    const change = await changeOf(probe);
    const { refs } = change;
    const position = { ...linePosition(change, 'added'), start_sha: refs.base_sha };
    const created = await startThread(probe, { position });
    same(created.got, 'the SHAs', refsIn(notePosition(created)), refs);
  }),
  'positions.other-kinds': writingNotes(async (probe) => {
    const shas = Object.fromEntries(refKeys.map((key) => [key, '0'.repeat(40)]));
    const position = { ...shas, position_type: 'text', new_path: 'a', new_line: 1 };
    const { got, note } = await startThread(probe, { position }, 'issue');
    hasValues(got, note, { type: 'DiscussionNote' });
  }),
  'positions.refs': reading(async (probe) => {
    const path = objectPath(probe, 'merge_request');
    const newest = firstWith(listIn(await read(probe, `${path}/versions`)), 'diff of a merge request');
    const got = await read(probe, path);
    same(got, '`diff_refs`', refsIn(objectIn(got)['diff_refs'] as Values), refsOf(newest));
  }),
  'positions.commits': writingNotes(async (probe) => {
    const change = await commitChangeOf(probe, objectPath(probe, 'commit'));
    const created = await startThread(probe, { position: linePosition(change, 'added') }, 'commit');
    isDiffNote(created);
    same(created.got, 'the SHAs', refsIn(notePosition(created)), change.refs);
  }),
  'positions.commit-id': writingNotes(async (probe) => {
    const change = await changeOf(probe);
    const commit_id = change.refs.head_sha;
    const { got, note } = await startThread(probe, { position: linePosition(change, 'added'), commit_id });
    hasValues(got, note, { type: 'DiffNote', commit_id });
  }),
  'positions.commit-of-merge-request': writingNotes(async (probe) => {
    const commits = listIn(await read(probe, `${objectPath(probe, 'merge_request')}/commits`));
    const { id } = firstWith(commits, 'commit of the merge request');
    const path = `${objectPath(probe, 'project')}/repository/commits/${String(id)}`;
    if ((await probe.call('GET', path)).status === 404) throw new Skipped('the project does not show the commit');
    const position = linePosition(await commitChangeOf(probe, path), 'added');
    const { got, note } = await startThread(probe, { position, commit_id: id });
    hasValues(got, note, { commit_id: id });
  }),
  'notes.suggestions': onEachNote((got, note) => {
    const { type, suggestions } = note;
    if (type !== 'DiffNote') return same(got, '`suggestions`', suggestions, undefined);
    hasKeys(got, note, ['suggestions']);
    holds(got, 'a list of suggestions', Array.isArray(suggestions), suggestions);
    for (const one of suggestions as readonly Values[]) hasKeys(got, one, suggestionKeys);
  }),
  'notes.suggestion-appliable': writingNotes(async (probe) => {
    await requireOpen(probe);
    const [got, { appliable, applied }] = await newSuggestion(probe, '-0+0');
    same(got, 'the suggestion', { appliable, applied }, { appliable: true, applied: false });
  }),
  'notes.suggestion-range': writingNotes(async (probe) => {
    const [got, { from_line, to_line }] = await newSuggestion(probe, '-0+101');
    same(got, 'the number of lines after the first', Number(to_line) - Number(from_line), suggestionReach);
  }),
  'notes.suggestion-blank': writingNotes(async (probe) => {
    const [got, { to_content }] = await newSuggestion(probe, '-0+0', ' ');
    same(got, 'the new text', to_content, '');
  }),
  'suggestions.unknown': onResponse('PUT', '/suggestions/2147483647/apply', {}, (got) =>
    objectHas(hasStatus(got, 404), { message: unknownSuggestion })),
  'suggestions.ids-missing': rejection('PUT', '/suggestions/batch_apply', { json: {} }, 400, 'error', 'ids is missing'),
  'suggestions.id-number': rejection('PUT', '/suggestions/one/apply', {}, 400, 'error', 'id is invalid'),
  'suggestions.id-text': rejection('PUT', '/suggestions/one/apply', {}, 404, 'message', unknownSuggestion),
  'positions.commit-id-alone': writingNotes(async (probe) => {
    const { refs } = await changeOf(probe);
    const { got, note } = await startThread(probe, { commit_id: refs.head_sha });
    hasValues(got, note, { type: 'DiscussionNote' });
    same(got, '`commit_id`', note['commit_id'] ?? null, null);
  }),
  'notes.commit-id-head': onDiff((_, created) =>
    hasValues(created.got, created.note, { commit_id: notePosition(created)['head_sha'] })),
  'notes.commit-id': onDiff((_, { got, note }) => hasValues(got, note, { commit_id: null })),
  'requests.companions': reading(async (probe) => {
    const path = objectPath(probe, 'merge_request');
    sameIn(await read(probe, path), 'the number', 'iid', Number(path.split('/').at(-1)));
    listIn(await read(probe, `${path}/versions`));
    const user = await read(probe, '/user');
    hasKeys(user, objectIn(user), ['id', 'username']);
  }),
};

interface WithRange { readonly line_range?: Values | null }
