import { discussionIdPattern, type NoteableKind, noteableKinds, noteables } from '../../contract/conventions.js';
import {
  type Check, type Checks, firstWith, type Got, hasError, hasKeys, hasOnlyKeys, hasStatus, hasValues, holds, isEqual,
  listIn, objectHas, objectIn, objectPath, onRead, type PathOf, type Probe, put, read, reading, rejection, rejects,
  same, sameIn, Skipped, type Values, writingNotes,
} from '../check.js';
import { requireReporter } from '../caller.js';
import { factKeys } from '../keys.js';
import { onDiff } from './positions.js';
import {
  checkText, comment, edit, editedText, isInternal, kindsIn, newTextIs, noteIn, type NoteSeen, notesHave, notesOf,
  notesOn, notesPath, noThread, onComment, onEachNote, onEachThread, onNewThread, post, remove, resolve, threadIn,
  threadPage, threadsOf, threadsOfCommit, threadsPath,
} from '../threads.js';

const userStates: ReadonlySet<string> = new Set([
  'active', 'blocked', 'ldap_blocked', 'blocked_pending_approval', 'deactivated', 'banned',
]);

/** The first thread of each object. @throws Skipped without any */
const firstThreads = async (probe: Probe, kinds: readonly NoteableKind[]) => {
  const found = [];
  for (const kind of kindsIn(probe, kinds)) {
    const [got, [thread]] = await threadPage(probe, kind);
    if (thread) found.push({ got, kind, thread, path: objectPath(probe, kind) });
  }
  firstWith(found, 'thread');
  return found;
};

const isOrdered = (texts: readonly string[]): boolean => texts.every((text, at) => at === 0 || texts[at - 1]! <= text);

const createdTimes = (notes: readonly NoteSeen[]): string[] => notes.map((note) => String(note['created_at']));

/** The list of the threads of a commit, below the folder of one of its paths. */
const commitThreads = (folder: string): PathOf => (probe) =>
  `${objectPath(probe, 'commit').replace(/\/(?:repository\/)?commits\//, folder)}/discussions`;

const withHtmlComment = `${checkText}\n\n<!-- check -->`;

const isNotDeleted = (since: string): Check => onNewThread(async (probe, { path, note }) => {
  hasStatus(await probe.call('DELETE', `${path}/notes/${note.id}`, { headers: { 'if-unmodified-since': since } }), 412);
});

export const threadChecks: Checks = {
  'threads.kinds': reading(async (probe) => {
    for (const kind of kindsIn(probe, noteableKinds)) listIn(await read(probe, threadsPath(probe, kind)));
  }),
  'threads.keys': reading(async (probe) => {
    const [got, [thread]] = await threadsOf(probe, 'merge_request');
    hasOnlyKeys(got, { ...thread }, ['id', 'individual_note', 'notes']);
  }),
  'threads.more-keys': onEachThread((got, thread) => {
    hasKeys(got, { ...thread }, factKeys['threads.more-keys']);
    const { id, resolvable, resolved, notes } = thread;
    const open = notes.filter((note) => note['resolvable'] === true);
    const isDone = open.length > 0 && open.every((note) => note['resolved'] === true);
    same(got, `the state of ${id}`, [resolvable, resolved], [open.length > 0, isDone]);
  }),
  'threads.id': onEachThread((got, { id }) => holds(got, '40 hexadecimal digits', discussionIdPattern.test(id), id)),
  'threads.oldest-first': onEachThread((got, { id, notes }) => {
    const times = createdTimes(notes);
    holds(got, `the notes of ${id} in the order of their creation`, isOrdered(times), times);
  }),
  'threads.individual-note': onEachThread((got, { individual_note, notes }) => {
    same(got, '`individual_note`', individual_note, notes[0]!['type'] === null);
  }),
  'threads.order': reading(async (probe) => {
    const [got, threads] = await threadsOf(probe, 'merge_request');
    const firsts = createdTimes(threads.map(({ notes }) => notes[0]!));
    holds(got, 'threads in the order of their first notes', isOrdered(firsts), firsts);
  }),
  'threads.one-note': reading(async (probe) => {
    const [, [thread]] = await threadsOf(probe, 'merge_request');
    const path = `${threadsPath(probe)}/${thread!.id}/notes`;
    const { id } = thread!.notes[0]!;
    sameIn(await read(probe, `${path}/${id}`), 'the id', 'id', id);
    listIn(await read(probe, path));
  }),
  'threads.alone': reading(async (probe) => {
    for (const { got, path, thread } of await firstThreads(probe, noteableKinds)) {
      isEqual(await read(probe, `${path}/discussions/${thread.id}`), got, thread);
    }
  }),
  'notes.alone': reading(async (probe) => {
    for (const { got, kind, path, thread: { id, notes: [note] } } of await firstThreads(probe, noteableKinds)) {
      const places = [`/discussions/${id}/notes`, ...kind === 'commit' ? [] : ['/notes']];
      for (const place of places) {
        const alone = await probe.call('GET', `${path}${place}/${note!.id}`);
        if (hasStatus(alone, 200, 404).status === 200) isEqual(alone, got, note);
      }
    }
  }),
  'threads.commit-path': onRead(commitThreads('/commits/'), listIn),
  'threads.commit-path-unknown': rejection('GET', commitThreads('/commits/'), {}, 404, 'error', '404 Not Found'),
  'threads.commit-repository-path': onRead(commitThreads('/repository/commits/'), listIn),
  'threads.commit-number': reading(async (probe) => {
    const [, notes] = await notesOf(probe, 'commit');
    const { noteable_id } = firstWith(notes, 'note on a commit');
    const got = await read(probe, threadsOfCommit(String(noteable_id))(probe));
    for (const thread of listIn(got)) hasValues(got, (thread['notes'] as readonly NoteSeen[])[0]!, { noteable_id });
  }),
  'threads.commit-sha': reading(async (probe) => {
    const path = objectPath(probe, 'commit');
    const [, id] = /([^/]*)$/.exec(path)!;
    holds(await read(probe, `${path}/discussions`), 'a commit with a SHA', /^[0-9a-f]{40}$/.test(id!), id);
    await rejects(probe, 'GET', threadsOfCommit('1')(probe), {}, 404, 'message', '404 Commit Not Found');
  }),
  'threads.system-notes': reading(async (probe) => {
    const [got, notes] = await notesOf(probe, 'merge_request');
    for (const { system } of notes) holds(got, '`system`', typeof system === 'boolean', system);
    const note = firstWith(notes, 'system note', ({ system }) => system === true);
    holds(got, 'no `DiffNote`', note['type'] !== 'DiffNote', note['type']);
  }),
  'threads.no-labels': reading(async (probe) => {
    const [got, notes] = await notesOf(probe, 'merge_request');
    const label = /^(added|removed) .*\blabels?$/;
    const changes = notes.filter(({ system, body }) => system === true && label.test(body));
    same(got, 'the notes about labels', changes.map(({ body }) => body), []);
  }),
  'notes.keys': notesHave(factKeys['notes.keys']),
  'notes.author-state': onEachNote((got, { author }) => {
    const { state } = author as { readonly state: string };
    holds(got, 'a known state of a user', userStates.has(state), state);
  }),
  'notes.never-imported': onEachNote((got, { imported, imported_from }) =>
    same(got, 'the values', [imported, imported_from], [false, 'none'])),
  'notes.confidential': onEachNote((got, note) => hasValues(got, note, { confidential: note['internal'] })),
  'notes.newest-first': reading(async (probe) => {
    const path = notesPath(probe);
    const newest = await read(probe, path);
    const times = createdTimes(listIn(newest) as unknown as readonly NoteSeen[]).reverse();
    firstWith(times.slice(1), 'second note');
    holds(newest, 'the newest note first', isOrdered(times), times);
    const oldest = await read(probe, path, 'order_by=created_at&sort=asc');
    const ascending = createdTimes(listIn(oldest) as unknown as readonly NoteSeen[]);
    holds(oldest, 'the oldest note first', isOrdered(ascending), ascending);
  }),
  'notes.more-keys': notesHave(factKeys['notes.more-keys']),
  'notes.no-attachment': onEachNote((got, note) =>
    holds(got, 'no `attachment`', !('attachment' in note), note['attachment'], 'info')),
  'notes.internal': notesHave(factKeys['notes.internal']),
  'notes.keys-where-used': onEachNote((got, { internal = true, suggestions = [null] }) => {
    holds(got, 'no `internal` that is not true', internal === true, internal, 'info');
    holds(got, 'no `suggestions` without one', (suggestions as readonly unknown[]).length > 0, suggestions, 'info');
  }),
  'notes.newer-keys': notesHave(factKeys['notes.newer-keys']),
  'notes.author': onEachNote((got, { author }) =>
    hasKeys(got, author as Values, ['id', 'name', 'username', 'state', 'avatar_url', 'web_url'])),
  'notes.type': onEachNote((got, { type }) => {
    const types: readonly unknown[] = ['DiscussionNote', 'DiffNote', 'LegacyDiffNote', null];
    holds(got, 'a known type of note', types.includes(type), type);
  }),
  'notes.resolvable': reading(async (probe) => {
    for (const { got, note } of await notesOn(probe, noteableKinds)) {
      holds(got, '`resolvable`', typeof note['resolvable'] === 'boolean', note['resolvable']);
    }
  }),
  'notes.noteable-type': reading(async (probe) => typesAre(probe, 'document')),
  'notes.noteable-type-one-word': reading(async (probe) => typesAre(probe, 'live')),
  'notes.noteable-iid-null': onEachNote((got, note) => hasValues(got, note, { noteable_iid: null })),
  'notes.noteable-iid': reading(async (probe) => {
    const [got, notes] = await notesOf(probe, 'issue');
    const noteable_iid = Number(objectPath(probe, 'issue').split('/').at(-1));
    for (const note of notes) hasValues(got, note, { noteable_iid });
  }),
  'notes.noteable-id-commit': onEachNote((got, note) => hasValues(got, note, { noteable_id: null }), 'commit'),
  'notes.position-on-diff-notes': onEachNote((got, note) => {
    const isDiffNote = /DiffNote$/.test(String(note['type']));
    holds(got, isDiffNote ? 'a position' : 'no position', 'position' in note === isDiffNote, note['position']);
  }),
  'resolving.comments': reading(async (probe) => {
    const [got, notes] = await notesOf(probe, 'merge_request');
    const comments = notes.filter((one) => one['type'] === null || one['system'] === true);
    firstWith(comments, 'single comment');
    for (const note of comments) hasValues(got, note, { resolvable: false });
  }),
  'threads.response': onNewThread((_, { got, thread }) => {
    hasKeys(got, { ...thread }, ['id', 'individual_note', 'notes']);
    same(got, 'the number of notes', thread.notes.length, 1);
  }),
  'threads.never-individual': onNewThread((_, { got, thread, note }) => {
    same(got, '`individual_note`', thread.individual_note, false);
    hasValues(got, note, { type: 'DiscussionNote' });
  }),
  'threads.last-note': onNewThread(async (probe, { path, note }) => {
    await remove(probe, `${path}/notes/${note.id}`);
    await rejects(probe, 'GET', path, {}, 404, 'message', '404 Discussion Not Found');
  }),
  'threads.first-note': onNewThread(async (probe, { path, thread, note }) => {
    await post(probe, `${path}/notes`);
    await remove(probe, `${path}/notes/${note.id}`);
    sameIn(await read(probe, path), 'the id', 'id', thread.id);
  }),
  'requests.deleted': onNewThread(async (probe, { path, note }) => {
    const got = await remove(probe, `${path}/notes/${note.id}`);
    same(got, 'the body', got.text, '');
    hasStatus(await probe.call('DELETE', `${path}/notes/${note.id}`), 404);
  }),
  'notes.blank': rejection('POST', threadsPath, { json: { body: '' } },
    400, 'message', /^400 Bad request - Note \{.*can't be blank/),
  'notes.trimmed': newTextIs(`${checkText}\nEnd`, `${checkText}\r\nEnd  \n`),
  'notes.comments-kept': newTextIs(withHtmlComment, withHtmlComment),
  'notes.edit-null': onNewThread(async (probe, { path, note }) => {
    sameIn(await put(probe, `${path}/notes/${note.id}`, { body: null }), 'the text', 'body', checkText);
  }),
  'notes.thread-unchecked': onNewThread(async (probe, { note }) => {
    sameIn(await edit(probe, `${noThread(probe)}/notes/${note.id}`), 'the text', 'body', editedText);
  }),
  'notes.unmodified-since': isNotDeleted('Thu, 01 Jan 1970 00:00:00 GMT'),
  'notes.unmodified-since-iso': isNotDeleted('1970-01-01T00:00:00Z'),
  'replies.type': onNewThread(async (probe, { path }) => {
    objectHas(await post(probe, `${path}/notes`), { type: 'DiscussionNote' });
  }),
  'replies.note-id-ignored': onNewThread(async (probe, { path }) => {
    await post(probe, `${path}/notes`, { note_id: 'x' });
  }),
  'replies.resolved': onNewThread(async (probe, { path }) => {
    await resolve(probe, path, true);
    objectHas(await post(probe, `${path}/notes`), { resolved: true });
  }),
  'resolving.sets-resolver': onNewThread(async (probe, { path, note }) => {
    const author = (note['author'] as { id: number }).id;
    const [resolved] = notesIn(await resolve(probe, path, true));
    const got = await read(probe, path);
    same(got, 'the id of `resolved_by`', (resolved!['resolved_by'] as { id: number } | null)?.id, author);
    const [open] = notesIn(await resolve(probe, path, false));
    hasValues(got, open!, { resolved_by: null });
  }),
  'resolving.keeps-time': onNewThread(async (probe, { path, note }) => {
    const got = await resolve(probe, path, true);
    hasValues(got, notesIn(got)[0]!, { updated_at: note['updated_at'] });
  }),
  'resolving.blank': onNewThread(async (probe, { path }) => {
    await resolve(probe, path, true);
    const got = await resolve(probe, path, '');
    hasValues(got, notesIn(got)[0]!, { resolved: false });
  }),
  'resolving.note-unresolvable': onNewThread(async (probe, { path, note }) => {
    if (note['resolvable'] === true) throw new Skipped('threads of issues can be resolved here');
    const got = await probe.call('PUT', `${path}/notes/${note.id}`, { json: { resolved: true } });
    if (got.status !== 403) hasError(got, 400, 'message', /Note is not resolvable$/);
  }, {}, 'issue'),
};

const onReply = (look: (got: Got) => void): Check =>
  onNewThread(async (probe, { path }) => look(await post(probe, `${path}/notes`)));

export const replyChecks: Checks = {
  'replies.note': onReply((got) => {
    same(got, 'the text', objectIn(got)['body'], checkText);
    holds(got, 'the id of a note', Number.isInteger(objectIn(got)['id']), objectIn(got)['id']);
  }),
  'replies.keep-position': onDiff(async (probe, { path, note }) => {
    objectHas(await post(probe, `${path}/notes`), { type: 'DiffNote', position: note['position'] });
  }),
  'replies.to-comment': writingNotes(async (probe) => {
    for (const kind of kindsIn(probe, ['merge_request', 'issue', 'epic'])) {
      const { path, thread } = await comment(probe, {}, kind);
      await post(probe, `${path}/notes`);
      const got = await read(probe, path);
      const { id, individual_note, notes } = threadIn(got);
      same(got, 'the id', id, thread.id);
      same(got, '`individual_note`', individual_note, false);
      same(got, '`type`', notes[0]!['type'], 'DiscussionNote');
    }
  }),
  'replies.to-comment-refused': onComment((probe, { path }) => rejects(probe, 'POST', `${path}/notes`,
    { json: { body: checkText } }, 400, 'message', /Discussion can not be replied to\.$/), {}, 'snippet'),
  'replies.internal': writingNotes(async (probe) => {
    await requireReporter(probe);
    const { path } = await comment(probe, { internal: true, confidential: true });
    const got = await post(probe, `${path}/notes`);
    same(got, 'whether the reply is internal', isInternal(noteIn(got)), true);
  }),
  'replies.note-id': rejection('POST', (probe) => `${noThread(probe)}/notes`,
    { json: { body: checkText, note_id: 'x' } }, 400, 'error', 'note_id is invalid'),
  'threads.individual-id': onComment(async (probe, { path, thread, got }) => {
    holds(got, '40 hexadecimal digits', /^[0-9a-f]{40}$/.test(thread.id), thread.id);
    same(got, '`individual_note`', thread.individual_note, true);
    await post(probe, `${path}/notes`);
    sameIn(await read(probe, path), 'the id', 'id', thread.id);
  }),
  'replies.comment-type': onComment(async (probe, { path, got, note }) => {
    hasValues(got, note, { type: null });
    await post(probe, `${path}/notes`);
    const after = await read(probe, path);
    hasValues(after, threadIn(after).notes[0]!, { type: 'DiscussionNote' });
  }),
  'requests.created': onNewThread(async (probe, { path, note }) => {
    await post(probe, `${path}/notes`);
    await edit(probe, `${path}/notes/${note.id}`);
    await read(probe, path);
  }),
  'requests.no-idempotency': onNewThread(async (probe, { path }) => {
    const sent = { json: { body: checkText }, headers: { 'idempotency-key': 'colloquy-conformance' } };
    const first = hasStatus(await probe.call('POST', `${path}/notes`, sent), 201);
    const second = hasStatus(await probe.call('POST', `${path}/notes`, sent), 201);
    holds(second, 'another note', noteIn(first).id !== noteIn(second).id, noteIn(second).id);
  }),
  'access.comment': writingNotes(async (probe) => {
    for (const kind of kindsIn(probe, noteableKinds)) {
      const got = await post(probe, threadsPath(probe, kind));
      same(got, 'the text', threadIn(got).notes[0]!.body, checkText);
    }
  }),
};

const typesAre = async (probe: Probe, dialect: 'document' | 'live'): Promise<void> => {
  for (const { got, kind, note } of await notesOn(probe, noteableKinds)) {
    hasValues(got, note, { noteable_type: noteables[kind].type[dialect] });
  }
};

const notesIn = (got: Got): readonly NoteSeen[] => objectIn(got)['notes'] as readonly NoteSeen[];
