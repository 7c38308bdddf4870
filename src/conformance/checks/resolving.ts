import { noteableKinds } from '../../contract/conventions.js';
import { readCaller, requireGuest } from '../caller.js';
import {
  type Check, type Checks, type Got, hasKeys, hasValues, reading, recordId, rejection, rejects, same, type Values,
  writingNotes,
} from '../check.js';
import { factKeys } from '../keys.js';
import {
  firstNoteWith, noteIn, notesHave, notesOn, noThread, onComment, onEachNote, onNewThread, post, resolve, threadIn,
} from '../threads.js';

const isResolved = (got: Got, expected: readonly boolean[]): void =>
  same(got, '`resolved`', threadIn(got).notes.map((note) => note['resolved']), expected);

const users = ['id', 'name', 'username', 'state', 'avatar_url', 'web_url'];

const resolves = (kind: 'issue' | 'epic'): Check => onNewThread(async (probe, { path }) =>
  isResolved(await resolve(probe, path, true), [true]), {}, kind);

/** The thread is not looked for. */
const hasNoRoute = (kind: 'issue' | 'epic' | 'snippet'): Check => rejection('PUT', (probe) => noThread(probe, kind),
  { json: { resolved: true } }, 404, 'error', '404 Not Found');

export const resolvingChecks: Checks = {
  'resolving.kinds': onNewThread(async (probe, { got, path, note }) => {
    hasValues(got, note, { resolvable: true });
    isResolved(await resolve(probe, path, true), [true]);
  }),
  'resolving.issues': resolves('issue'),
  'resolving.epics': resolves('epic'),
  'resolving.issues-unknown': hasNoRoute('issue'),
  'resolving.epics-unknown': hasNoRoute('epic'),
  'resolving.other-kinds': hasNoRoute('snippet'),
  'resolving.time-always': reading(async (probe) => {
    for (const { got, note } of await notesOn(probe, noteableKinds)) {
      hasKeys(got, note, factKeys['resolving.time-always']);
      if (note['resolvable'] === false) same(got, '`resolved_at`', note['resolved_at'], null);
    }
  }),
  'resolving.time-if-resolvable': reading(async (probe) => {
    for (const { got, note } of await notesOn(probe, noteableKinds)) {
      const { resolvable } = note;
      if (resolvable === true) hasKeys(got, note, ['resolved_at']);
      else same(got, '`resolved_at`', note['resolved_at'], undefined);
    }
  }),
  'resolving.note-order': writingNotes(async (probe) => {
    await requireGuest(probe);
    const { id: caller } = await readCaller(probe);
    const { path } = await firstNoteWith(probe, 'snippet', 'note of somebody else on a snippet',
      ({ author }) => recordId(author) !== caller);
    await rejects(probe, 'PUT', path, { json: { resolved: true } }, 403, 'message', '403 Forbidden');
  }),
  'resolving.resolver': onNewThread(async (probe, { path }) => {
    const got = await resolve(probe, path, true);
    const user = threadIn(got).notes[0]!['resolved_by'] as Values | null;
    hasKeys(got, user ?? {}, users);
  }),
  'resolving.keys': notesHave(['resolved', 'resolved_by']),
  'resolving.keys-if-resolvable': onEachNote((got, note) => {
    if (note['resolvable'] === true) hasKeys(got, note, ['resolved', 'resolved_by', 'resolved_at']);
    else same(got, '`resolved`', note['resolved'], undefined);
  }),
  'resolving.all-notes': onNewThread(async (probe, { path, note }) => {
    await post(probe, `${path}/notes`);
    await resolve(probe, `${path}/notes/${note.id}`, true);
    isResolved(await resolve(probe, path, true), [true, true]);
  }),
  'resolving.unresolve-all': onNewThread(async (probe, { path }) => {
    await post(probe, `${path}/notes`);
    await resolve(probe, path, true);
    isResolved(await resolve(probe, path, false), [false, false]);
  }),
  'resolving.response': onNewThread(async (probe, { path, thread, note }) => {
    const reply = noteIn(await post(probe, `${path}/notes`));
    const got = await resolve(probe, path, true);
    same(got, 'the id', threadIn(got).id, thread.id);
    same(got, 'the ids of the notes', threadIn(got).notes.map(({ id }) => id), [note.id, reply.id]);
  }),
  'resolving.again': onNewThread(async (probe, { path }) => {
    const first = await resolve(probe, path, true);
    const again = await resolve(probe, path, true);
    same(again, 'the thread', again.json, first.json);
  }),
  'resolving.counts': onNewThread(async (probe, { path, note }) => {
    await post(probe, `${path}/notes`);
    await resolve(probe, `${path}/notes/${note.id}`, true);
    const got = await post(probe, `${path}/notes`);
    same(got, '`resolved` of a reply in a thread with an open note', noteIn(got)['resolved'], false);
  }),
  'resolving.unresolvable': onComment((probe, { path }) =>
    rejects(probe, 'PUT', path, { json: { resolved: true } }, 403, 'message', '403 Forbidden')),
  'resolving.unknown': rejection('PUT', noThread, { json: { resolved: true } },
    404, 'message', '404 Discussion Not Found'),
};
