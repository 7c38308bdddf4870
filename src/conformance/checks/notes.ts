import { bodyLimit, type NoteableKind } from '../../contract/conventions.js';
import { requireOther, requireOwner, requireReporter } from '../caller.js';
import {
  type Check, type Checks, firstWith, type Got, hasKeys, hasStatus, hasValues, holds, isTextOrNull, listIn, objectHas,
  objectIn, type ObjectName, objectPath, onResponse, pathBelow, type PathOf, type Probe, put, read, reading, rejection,
  rejects, same, sameIn, Skipped, type Values, writingNotes,
} from '../check.js';
import { factKeys } from '../keys.js';
import {
  checkText, edit, editedText, firstNoteWith, isInternal, kindsIn, newNoteHas, newTextIs, noteIn, notesOn, notesPath,
  noThread, onEachNote, onNewThread, post, requireOpen, startThread, threadsPath,
} from '../threads.js';

/** A command that changes nothing else for the author of a comment. */
const command = '/subscribe';
const withCommand = `${checkText}\n${command}`;
const commandInCode = `${checkText}\n\n\`\`\`\n${command}\n\`\`\``;

const nobody = 'colloquy-nobody';
const unknownUser = /^\["Could not apply assign command\. Failed to find users for 'colloquy-nobody'\."\]$/;

const isSummedUpAs = async (
  probe: Probe, body: string, expected: RegExp, kind: NoteableKind = 'merge_request',
): Promise<void> => {
  const got = await probe.call('POST', notesPath(probe, kind), { json: { body } });
  const summary = JSON.stringify(objectIn(hasStatus(got, 202))['summary']);
  holds(got, 'the summary', expected.test(summary), summary);
};

const given = '2020-01-02T03:04:05.000Z';
const newThreadAt = (
  created_at: string, look: (got: Got, note: Values) => void,
): Check => writingNotes(async (probe) => {
  await requireOwner(probe);
  const { got, note } = await startThread(probe, { created_at });
  look(got, note);
});

/** The service stores the time as that of the note. */
const keepsTime = (created_at: string, time = created_at): Check => newThreadAt(created_at, (got, note) =>
  same(got, '`created_at`', Date.parse(String(note['created_at'])), Date.parse(time)));

const ignoresTime = (created_at: string, requireCaller: (probe: Probe) => Promise<void>): Check =>
  writingNotes(async (probe) => {
    await requireCaller(probe);
    const { got, path, note } = await startThread(probe, { created_at });
    const later = noteIn(await post(probe, `${path}/notes`));
    const [time, now] = [note, later].map((one) => Date.parse(String(one['created_at'])));
    holds(got, 'the current time', Math.abs(time! - now!) < 3_600_000, note['created_at']);
  });

/** Parameters are checked before the note is looked for. */
export const editsExclusively = async (probe: Probe, kind: ObjectName): Promise<void> => {
  const note = `${noThread(probe, kind)}/notes/0`;
  await rejects(probe, 'PUT', note, { json: { body: 'a', resolved: true } },
    400, 'error', 'body, resolved are mutually exclusive');
  await rejects(probe, 'PUT', note, { json: {} },
    400, 'error', 'body, resolved are missing, exactly one parameter must be provided');
};

const editedToBlank = (message: RegExp): Check => onNewThread((probe, { path, note }) =>
  rejects(probe, 'PUT', `${path}/notes/${note.id}`, { json: { body: '' } }, 400, 'message', message));

const onCommandAlone = (path: PathOf): Check => onResponse('POST', path, { json: { body: command } }, (got) =>
  hasKeys(got, objectIn(hasStatus(got, 202)), ['commands_changes', 'summary']));

/** Until clocks that count milliseconds have moved on. */
const tick = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve, 2); });

const isInternalWith = (params: Values): Check => writingNotes(async (probe) => {
  await requireReporter(probe);
  for (const kind of kindsIn(probe, ['issue', 'merge_request', 'epic'])) {
    const got = await post(probe, notesPath(probe, kind), params);
    same(got, 'whether the note is internal', isInternal(noteIn(got)), true);
  }
});

export const noteChecks: Checks = {
  'notes.activity-filter': reading(async (probe) => {
    const path = notesPath(probe);
    for (const [filter, expected] of [['only_comments', false], ['only_activity', true]] as const) {
      const got = await read(probe, path, `activity_filter=${filter}&per_page=100`);
      for (const { system } of listIn(got)) same(got, `\`system\` with ${filter}`, system, expected);
    }
    firstWith(listIn(await read(probe, path, 'activity_filter=all_notes')), 'note');
  }),
  'notes.activity-filter-invalid': rejection('GET', notesPath,
    { query: 'activity_filter=comments' }, 400, 'error', 'activity_filter does not have a valid value'),
  'notes.single-edit-missing': writingNotes(async (probe) => {
    const list = notesPath(probe);
    const note = `${list}/${noteIn(await post(probe, list)).id}`;
    sameIn(await put(probe, note, {}), 'the text', 'body', checkText);
    await rejects(probe, 'PUT', note, { json: { body: ' ' } }, 400, 'error', 'body is empty');
  }),
  'notes.second-noteable-id': reading(async (probe) => {
    for (const { got, note } of await notesOn(probe, ['snippet', 'epic', 'commit'])) {
      hasKeys(got, note, ['noteable_id', 'noteable_iid']);
    }
  }),
  'notes.internal-create': isInternalWith({ internal: true }),
  'notes.confidential-create': isInternalWith({ confidential: true }),
  'notes.attachment': onEachNote((got, { attachment = null }) => isTextOrNull(got, '`attachment`', attachment)),
  'notes.author-locked': onEachNote((got, note) => {
    const author = note['author'] as Values;
    hasKeys(got, author, factKeys['notes.author-locked']);
    const names = Object.keys(author).filter((key) => key === 'name' || key === 'username');
    same(got, 'names in the order', names, ['username', 'name'], 'info');
  }),
  'notes.noteable-id': reading(async (probe) => {
    const kinds = kindsIn(probe, ['issue', 'merge_request', 'snippet']);
    const ids = new Map<string, unknown>();
    for (const kind of kinds) ids.set(kind, objectIn(await read(probe, objectPath(probe, kind)))['id']);
    for (const { got, kind, note } of await notesOn(probe, kinds)) {
      hasValues(got, note, { noteable_id: ids.get(kind) });
    }
  }),
  'notes.created-at': keepsTime(given),
  'notes.created-at-form': keepsTime('2020-01-02T03:04:05Z'),
  'notes.created-at-zone': keepsTime('2020-01-02 03:04:05 UTC', '2020-01-02T03:04:05Z'),
  'notes.system': newNoteHas({ system: false }),
  'notes.commands-changes': newNoteHas({ commands_changes: {} }),
  'notes.single-comments': writingNotes(async (probe) => {
    for (const kind of kindsIn(probe, ['issue', 'snippet', 'epic', 'merge_request'])) {
      objectHas(await post(probe, notesPath(probe, kind)), { type: null });
    }
  }),
  'notes.edit-response': onNewThread(async (probe, { path, note }) => {
    const got = await edit(probe, `${path}/notes/${note.id}`);
    const { id, body } = noteIn(got);
    same(got, 'the note', { id, body }, { id: note.id, body: editedText });
  }),
  'notes.edit-resolved-null': onNewThread(async (probe, { path, note }) => {
    for (const resolved of ['', null]) {
      sameIn(await put(probe, `${path}/notes/${note.id}`, { resolved }), 'the text', 'body', note.body);
    }
  }),
  'errors.blank': rejection('PUT', pathBelow('merge_request', '/notes/0'), { json: { body: '' } },
    400, 'error', 'body is empty'),
  'errors.note-of-thread': onNewThread(async (probe, { note }) => {
    const { path } = await startThread(probe);
    await rejects(probe, 'GET', `${path}/notes/${note.id}`, {}, 404, 'message', '404 Note Not Found');
  }),
  'notes.created-at-updated': newThreadAt(given, (got, note) =>
    hasValues(got, note, { updated_at: note['created_at'] })),
  'notes.created-at-future': newThreadAt('2199-01-02T03:04:05.000Z', (got, note) =>
    holds(got, 'a year of 2199', /^2199/.test(String(note['created_at'])), note['created_at'])),
  'notes.created-at-invalid': ignoresTime('yesterday', requireOwner),
  'notes.created-at-ignored': ignoresTime(given, requireOther),
  'notes.created-at-old': writingNotes(async (probe) => {
    await requireOwner(probe);
    const json = { body: checkText, created_at: '1969-07-20T20:17:40Z' };
    await rejects(probe, 'POST', threadsPath(probe), { json },
      400, 'message', /The created date provided is too far in the past\./);
  }),
  'notes.quick-actions': newTextIs(checkText, withCommand),
  'notes.quick-actions-off': newTextIs(withCommand, withCommand),
  'notes.quick-actions-snippets': newTextIs(withCommand, withCommand, 'snippet'),
  'notes.quick-actions-code': newTextIs(commandInCode, commandInCode),
  'notes.quick-actions-alone': onCommandAlone(threadsPath),
  'notes.quick-actions-comment': onCommandAlone(notesPath),
  'notes.quick-actions-blank': rejection('POST', threadsPath,
    { json: { body: command } }, 400, 'message', /can't be blank/),
  'notes.quick-actions-summary': writingNotes((probe) =>
    isSummedUpAs(probe, `${command}\n/assign @${nobody}`, /^\["[^"]+ Could not apply assign /)),
  'notes.quick-actions-right': writingNotes(async (probe) => {
    await requireOpen(probe);
    await isSummedUpAs(probe, '/reopen', /^\["Could not apply reopen command\."\]$/);
  }),
  'notes.quick-actions-users': writingNotes(async (probe) => {
    await requireReporter(probe);
    await isSummedUpAs(probe, `/assign @${nobody}`, unknownUser, 'issue');
  }),
  'notes.spend-invalid': rejection('POST', threadsPath,
    { json: { body: '/spend colloquy' } }, 400, 'message', /Failed to apply commands\.$/),
  'notes.edit-exclusive': writingNotes((probe) => editsExclusively(probe, 'merge_request')),
  'notes.edit-all-kinds': writingNotes(async (probe) => {
    for (const kind of kindsIn(probe, ['issue', 'snippet', 'epic', 'commit'])) await editsExclusively(probe, kind);
  }),
  'notes.edit-blank': editedToBlank(/^400 Bad request - Failed to save note \{.*can't be blank/),
  'notes.edit-blank-newer': editedToBlank(/^400 Bad request - Note \{.*can't be blank/),
  'notes.edit-time': onNewThread(async (probe, { path, note }) => {
    await tick();
    const later = noteIn(await post(probe, `${path}/notes`));
    if (later['created_at'] === note['created_at']) throw new Skipped('the clock of the service stands still');
    const got = await edit(probe, `${path}/notes/${note.id}`);
    holds(got, 'a later `updated_at`', noteIn(got)['updated_at'] !== note['updated_at'], noteIn(got)['updated_at']);
  }),
  'notes.edit-actions': onNewThread(async (probe, { path, note }) => {
    const edited = `${path}/notes/${note.id}`;
    const got = hasStatus(await probe.call('PUT', edited, { json: { body: command } }), 202);
    hasKeys(got, objectIn(got), ['commands_changes', 'summary']);
    hasStatus(await probe.call('GET', edited), 404);
  }),
  'notes.who-edits': onNewThread(async (probe, { path, note }) => {
    sameIn(await edit(probe, `${path}/notes/${note.id}`), 'the text', 'body', editedText);
    const { path: system, note: { body } } = await systemNote(probe);
    hasStatus(await probe.call('PUT', system, { json: { body } }), 403);
  }),
  'errors.forbidden': writingNotes(async (probe) => {
    const { path, note: { body } } = await systemNote(probe);
    await rejects(probe, 'PUT', path, { json: { body } }, 403, 'message', '403 Forbidden');
  }),
  'limits.body': rejection('POST', threadsPath,
    { json: { body: checkText.padEnd(bodyLimit + 1, '.') } },
    400, 'message', new RegExp(`is too long \\(maximum is ${bodyLimit} characters\\)`)),
};

const systemNote = (probe: Probe) =>
  firstNoteWith(probe, 'merge_request', 'system note', ({ system }) => system === true);
