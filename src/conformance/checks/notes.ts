import { bodyLimit, type NoteableKind } from '../../contract/conventions.js';
import { requireOther, requireOwner, requireReporter } from '../caller.js';
import {
  type Check, type Checks, firstWith, hasError, hasKeys, hasStatus, holds, isTextOrNull, listIn, objectIn, objectPath,
  pathBelow, type Probe, read, reading, rejection, same, Skipped, writingNotes,
} from '../check.js';
import { factKeys } from '../keys.js';
import {
  checkText, isInternal, kindsIn, type NewThread, noteIn, notesOn, onEachNote, onNewThread, post, threadsOf,
  threadsPath, withThread,
} from '../threads.js';

/** A command that changes nothing else for the author of a comment. */
const command = '/subscribe';

const nobody = 'colloquy-nobody';
const unknownUser = /^\["Could not apply assign command\. Failed to find users for 'colloquy-nobody'\."\]$/;

const isSummedUpAs = async (
  probe: Probe, body: string, expected: RegExp, kind: NoteableKind = 'merge_request',
): Promise<void> => {
  const got = await probe.call('POST', `${objectPath(probe, kind)}/notes`, { json: { body } });
  const summary = JSON.stringify(objectIn(hasStatus(got, 202))['summary']);
  holds(got, 'the summary', expected.test(summary), summary);
};

const given = '2020-01-02T03:04:05.000Z';
const newThreadAt = (
  created_at: string, work: (created: NewThread, probe: Probe) => Promise<void> | void,
): Check => writingNotes(async (probe) => {
  await requireOwner(probe);
  await withThread(probe, 'merge_request', async (created) => work(created, probe), { created_at });
});

const isCurrent = async (probe: Probe, { got, path, note }: NewThread): Promise<void> => {
  const later = noteIn(await post(probe, `${path}/notes`));
  const [time, now] = [note, later].map((one) => Date.parse(String(one['created_at'])));
  holds(got, 'the current time', Math.abs(time! - now!) < 3_600_000, note['created_at']);
};

/** Of a path without a note: parameters are checked before it is looked for. */
const noNote = (list: string): string => `${list}/${'0'.repeat(40)}/notes/0`;

const editsExclusively = async (probe: Probe, list: string): Promise<void> => {
  hasError(await probe.call('PUT', noNote(list), { json: { body: 'a', resolved: true } }),
    400, 'error', 'body, resolved are mutually exclusive');
  hasError(await probe.call('PUT', noNote(list), { json: {} }),
    400, 'error', 'body, resolved are missing, exactly one parameter must be provided');
};

const editedToBlank = (message: RegExp): Check => onNewThread(async (probe, { path, note }) => {
  hasError(await probe.call('PUT', `${path}/notes/${note.id}`, { json: { body: '' } }), 400, 'message', message);
});

/** Until clocks that count milliseconds have moved on. */
const tick = (): Promise<void> => new Promise((resolve) => { setTimeout(resolve, 2); });

const isInternalWith = (params: Readonly<Record<string, unknown>>): Check => writingNotes(async (probe) => {
  await requireReporter(probe);
  for (const kind of kindsIn(probe, ['issue', 'merge_request', 'epic'])) {
    const got = await post(probe, `${objectPath(probe, kind)}/notes`, params);
    same(got, 'whether the note is internal', isInternal(noteIn(got)), true);
  }
});

export const noteChecks: Checks = {
  'notes.activity-filter': reading(async (probe) => {
    const path = `${objectPath(probe, 'merge_request')}/notes`;
    for (const [filter, expected] of [['only_comments', false], ['only_activity', true]] as const) {
      const got = await read(probe, path, `activity_filter=${filter}&per_page=100`);
      for (const { system } of listIn(got)) same(got, `\`system\` with ${filter}`, system, expected);
    }
    firstWith(listIn(await read(probe, path, 'activity_filter=all_notes')), 'note', () => true);
  }),
  'notes.activity-filter-invalid': reading(async (probe) => {
    const path = `${objectPath(probe, 'merge_request')}/notes`;
    const got = await probe.call('GET', path, { query: 'activity_filter=comments' });
    hasError(got, 400, 'error', 'activity_filter does not have a valid value');
  }),
  'notes.single-edit-missing': writingNotes(async (probe) => {
    const path = `${objectPath(probe, 'merge_request')}/notes`;
    const { id } = objectIn(hasStatus(await probe.call('POST', path, { json: { body: checkText } }), 201));
    const unchanged = await probe.call('PUT', `${path}/${String(id)}`, { json: {} });
    same(hasStatus(unchanged, 200), 'the text', objectIn(unchanged)['body'], checkText);
    hasError(await probe.call('PUT', `${path}/${String(id)}`, { json: { body: ' ' } }), 400, 'error', 'body is empty');
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
    const author = note['author'] as Record<string, unknown>;
    hasKeys(got, author, factKeys['notes.author-locked']);
    const names = Object.keys(author).filter((key) => key === 'name' || key === 'username');
    same(got, 'names in the order', names, ['username', 'name'], 'info');
  }),
  'notes.noteable-id': reading(async (probe) => {
    const kinds = kindsIn(probe, ['issue', 'merge_request', 'snippet']);
    const ids = new Map<string, unknown>();
    for (const kind of kinds) ids.set(kind, objectIn(await read(probe, objectPath(probe, kind)))['id']);
    for (const { got, kind, note } of await notesOn(probe, kinds)) {
      same(got, '`noteable_id`', note['noteable_id'], ids.get(kind));
    }
  }),
  'notes.created-at': newThreadAt(given, ({ got, note }) => {
    same(got, '`created_at`', Date.parse(String(note['created_at'])), Date.parse(given));
  }),
  'notes.created-at-form': newThreadAt('2020-01-02T03:04:05Z', ({ got, note }) => {
    same(got, '`created_at`', Date.parse(String(note['created_at'])), Date.parse('2020-01-02T03:04:05Z'));
  }),
  'notes.system': onNewThread(async (probe, { got, note }) => {
    same(got, '`system`', note['system'], false);
  }),
  'notes.commands-changes': onNewThread(async (probe, { got, note }) => {
    same(got, '`commands_changes`', note['commands_changes'], {});
  }),
  'notes.single-comments': writingNotes(async (probe) => {
    for (const kind of kindsIn(probe, ['issue', 'snippet', 'epic', 'merge_request'])) {
      const got = await post(probe, `${objectPath(probe, kind)}/notes`);
      same(got, '`type`', noteIn(got)['type'], null);
    }
  }),
  'notes.edit-response': onNewThread(async (probe, { path, note }) => {
    const edited = { json: { body: `${checkText} Edited.` } };
    const got = hasStatus(await probe.call('PUT', `${path}/notes/${note.id}`, edited), 200);
    const { id, body } = noteIn(got);
    same(got, 'the note', { id, body }, { id: note.id, ...edited.json });
  }),
  'notes.edit-resolved-null': onNewThread(async (probe, { path, note }) => {
    for (const resolved of ['', null]) {
      const got = hasStatus(await probe.call('PUT', `${path}/notes/${note.id}`, { json: { resolved } }), 200);
      same(got, 'the text', noteIn(got).body, note.body);
    }
  }),
  'errors.blank': rejection('PUT', pathBelow('merge_request', '/notes/0'), { json: { body: '' } },
    400, 'error', 'body is empty'),
  'errors.note-of-thread': onNewThread(async (probe, { note }) => {
    await withThread(probe, 'merge_request', async ({ path }) => {
      hasError(await probe.call('GET', `${path}/notes/${note.id}`), 404, 'message', '404 Note Not Found');
    });
  }),
  'notes.created-at-zone': newThreadAt('2020-01-02 03:04:05 UTC', ({ got, note }) => {
    same(got, '`created_at`', Date.parse(String(note['created_at'])), Date.parse('2020-01-02T03:04:05Z'));
  }),
  'notes.created-at-updated': newThreadAt(given, ({ got, note }) => {
    same(got, '`updated_at`', note['updated_at'], note['created_at']);
  }),
  'notes.created-at-future': newThreadAt('2199-01-02T03:04:05.000Z', ({ got, note }) => {
    holds(got, 'a year of 2199', /^2199/.test(String(note['created_at'])), note['created_at']);
  }),
  'notes.created-at-invalid': newThreadAt('yesterday', (created, probe) => isCurrent(probe, created)),
  'notes.created-at-ignored': writingNotes(async (probe) => {
    await requireOther(probe);
    await withThread(probe, 'merge_request', (created) => isCurrent(probe, created), { created_at: given });
  }),
  'notes.created-at-old': writingNotes(async (probe) => {
    await requireOwner(probe);
    const json = { body: checkText, created_at: '1969-07-20T20:17:40Z' };
    const got = await probe.call('POST', threadsPath(probe, 'merge_request'), { json });
    hasError(got, 400, 'message', /The created date provided is too far in the past\./);
  }),
  'notes.quick-actions': onNewThread(async (probe, { got, note }) => {
    same(got, 'the text', note.body, checkText);
  }, { body: `${checkText}\n${command}` }),
  'notes.quick-actions-off': onNewThread(async (probe, { got, note }) => {
    same(got, 'the text', note.body, `${checkText}\n${command}`);
  }, { body: `${checkText}\n${command}` }),
  'notes.quick-actions-code': onNewThread(async (probe, { got, note }) => {
    same(got, 'the text', note.body, `${checkText}\n\n\`\`\`\n${command}\n\`\`\``);
  }, { body: `${checkText}\n\n\`\`\`\n${command}\n\`\`\`` }),
  'notes.quick-actions-alone': writingNotes(async (probe) => {
    const got = await probe.call('POST', threadsPath(probe, 'merge_request'), { json: { body: command } });
    hasKeys(got, objectIn(hasStatus(got, 202)), ['commands_changes', 'summary']);
  }),
  'notes.quick-actions-blank': rejection('POST', pathBelow('merge_request', '/discussions'),
    { json: { body: command } }, 400, 'message', /can't be blank/),
  'notes.quick-actions-comment': writingNotes(async (probe) => {
    const got = await probe.call('POST', `${objectPath(probe, 'merge_request')}/notes`, { json: { body: command } });
    hasKeys(got, objectIn(hasStatus(got, 202)), ['commands_changes', 'summary']);
  }),
  'notes.quick-actions-summary': writingNotes((probe) =>
    isSummedUpAs(probe, `${command}\n/assign @${nobody}`, /^\["[^"]+ Could not apply assign /)),
  'notes.quick-actions-right': writingNotes(async (probe) => {
    const { state } = objectIn(await read(probe, objectPath(probe, 'merge_request')));
    if (state !== 'opened') throw new Skipped('the merge request is not open');
    await isSummedUpAs(probe, '/reopen', /^\["Could not apply reopen command\."\]$/);
  }),
  'notes.quick-actions-users': writingNotes(async (probe) => {
    await requireReporter(probe);
    await isSummedUpAs(probe, `/assign @${nobody}`, unknownUser, 'issue');
  }),
  'notes.spend-invalid': writingNotes(async (probe) => {
    const json = { body: '/spend colloquy' };
    const got = await probe.call('POST', threadsPath(probe, 'merge_request'), { json });
    hasError(got, 400, 'message', /Failed to apply commands\.$/);
  }),
  'notes.quick-actions-snippets': writingNotes((probe) => withThread(probe, 'snippet', async ({ got, note }) => {
    same(got, 'the text', note.body, `${checkText}\n${command}`);
  }, { body: `${checkText}\n${command}` })),
  'notes.edit-exclusive': writingNotes((probe) => editsExclusively(probe, threadsPath(probe, 'merge_request'))),
  'notes.edit-all-kinds': writingNotes(async (probe) => {
    const kinds = kindsIn(probe, ['issue', 'snippet', 'epic', 'commit']);
    for (const kind of kinds) await editsExclusively(probe, threadsPath(probe, kind));
  }),
  'notes.edit-blank': editedToBlank(/^400 Bad request - Failed to save note \{.*can't be blank/),
  'notes.edit-blank-newer': editedToBlank(/^400 Bad request - Note \{.*can't be blank/),
  'notes.edit-time': onNewThread(async (probe, { path, note }) => {
    await tick();
    const later = noteIn(await post(probe, `${path}/notes`));
    if (later['created_at'] === note['created_at']) throw new Skipped('the clock of the service stands still');
    const edited = { json: { body: `${checkText} Edited.` } };
    const got = hasStatus(await probe.call('PUT', `${path}/notes/${note.id}`, edited), 200);
    holds(got, 'a later `updated_at`', noteIn(got)['updated_at'] !== note['updated_at'], noteIn(got)['updated_at']);
  }),
  'notes.edit-actions': onNewThread(async (probe, { path, note }) => {
    const edited = `${path}/notes/${note.id}`;
    const got = hasStatus(await probe.call('PUT', edited, { json: { body: command } }), 202);
    hasKeys(got, objectIn(got), ['commands_changes', 'summary']);
    hasStatus(await probe.call('GET', edited), 404);
  }),
  'notes.who-edits': onNewThread(async (probe, { path, note }) => {
    const own = await probe.call('PUT', `${path}/notes/${note.id}`, { json: { body: `${checkText} Edited.` } });
    same(hasStatus(own, 200), 'the text', objectIn(own)['body'], `${checkText} Edited.`);
    const [system, body] = await systemNote(probe);
    hasStatus(await probe.call('PUT', system, { json: { body } }), 403);
  }),
  'errors.forbidden': writingNotes(async (probe) => {
    const [system, body] = await systemNote(probe);
    hasError(await probe.call('PUT', system, { json: { body } }), 403, 'message', '403 Forbidden');
  }),
  'limits.body': writingNotes(async (probe) => {
    const list = threadsPath(probe, 'merge_request');
    const got = await probe.call('POST', list, { json: { body: checkText.padEnd(bodyLimit + 1, '.') } });
    hasError(got, 400, 'message', new RegExp(`is too long \\(maximum is ${bodyLimit} characters\\)`));
  }),
};

const systemNote = async (probe: Probe): Promise<readonly [path: string, body: string]> => {
  const [, threads] = await threadsOf(probe, 'merge_request');
  const found = threads.flatMap(({ id, notes }) => notes.map((note) => ({ id, note })));
  const { id, note } = firstWith(found, 'system note', (one) => one.note['system'] === true);
  return [`${threadsPath(probe, 'merge_request')}/${id}/notes/${note.id}`, note.body];
};
