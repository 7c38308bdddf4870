import { noteableKinds } from '../../contract/conventions.js';
import { requireReporter } from '../caller.js';
import {
  type Check, type Checks, type Got, hasStatus, hasValues, holds, objectHas, objectIn, read, rejection, rejects, same,
  writingNotes,
} from '../check.js';
import { onDiff } from './positions.js';
import {
  checkText, comment, edit, isInternal, kindsIn, noteIn, noThread, onComment, onNewThread, post, threadIn, threadsPath,
} from '../threads.js';

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
    const after = await read(probe, path);
    same(after, 'the id', threadIn(after).id, thread.id);
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
