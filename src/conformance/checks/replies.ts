import { noteableKinds } from '../../contract/conventions.js';
import { requireReporter } from '../caller.js';
import {
  type Check, type Checks, hasError, hasStatus, holds, objectIn, type ObjectName, type Probe, read, same,
  writingNotes,
} from '../check.js';
import { onDiff } from './positions.js';
import {
  checkText, isInternal, kindsIn, noteIn, onNewThread, post, threadIn, threadsPath, withComment,
} from '../threads.js';

/** A reply turns the comment into a thread with the same id. */
const becomesThread = (probe: Probe, name: ObjectName): Promise<void> =>
  withComment(probe, name, async ({ path, thread }) => {
    await post(probe, `${path}/notes`);
    const got = await read(probe, path);
    const { id, individual_note, notes } = threadIn(got);
    same(got, 'the id', id, thread.id);
    same(got, '`individual_note`', individual_note, false);
    same(got, '`type`', notes[0]!['type'], 'DiscussionNote');
  });

const withReply = (work: (probe: Probe, got: Awaited<ReturnType<typeof post>>) => void): Check =>
  onNewThread(async (probe, { path }) => work(probe, await post(probe, `${path}/notes`)));

export const replyChecks: Checks = {
  'replies.note': withReply((_, got) => {
    same(got, 'the text', objectIn(got)['body'], checkText);
    holds(got, 'the id of a note', Number.isInteger(objectIn(got)['id']), objectIn(got)['id']);
  }),
  'replies.keep-position': onDiff(async (probe, { path, note }) => {
    const got = await post(probe, `${path}/notes`);
    same(got, '`type`', noteIn(got)['type'], 'DiffNote');
    same(got, '`position`', noteIn(got)['position'], note['position']);
  }),
  'replies.to-comment': writingNotes(async (probe) => {
    for (const kind of kindsIn(probe, ['merge_request', 'issue', 'epic'])) await becomesThread(probe, kind);
  }),
  'replies.to-comment-refused': writingNotes((probe) => withComment(probe, 'snippet', async ({ path }) => {
    const got = await probe.call('POST', `${path}/notes`, { json: { body: checkText } });
    hasError(got, 400, 'message', /Discussion can not be replied to\.$/);
  })),
  'replies.internal': writingNotes(async (probe) => {
    await requireReporter(probe);
    await withComment(probe, 'merge_request', async ({ path }) => {
      const got = await post(probe, `${path}/notes`);
      same(got, 'whether the reply is internal', isInternal(noteIn(got)), true);
    }, { internal: true, confidential: true });
  }),
  'replies.note-id': writingNotes(async (probe) => {
    const path = `${threadsPath(probe, 'merge_request')}/${'0'.repeat(40)}/notes`;
    const got = await probe.call('POST', path, { json: { body: checkText, note_id: 'x' } });
    hasError(got, 400, 'error', 'note_id is invalid');
  }),
  'threads.individual-id': writingNotes((probe) => withComment(probe, 'merge_request', async (created) => {
    const { path, thread, got } = created;
    holds(got, '40 hexadecimal digits', /^[0-9a-f]{40}$/.test(thread.id), thread.id);
    same(got, '`individual_note`', thread.individual_note, true);
    await post(probe, `${path}/notes`);
    const after = await read(probe, path);
    same(after, 'the id', threadIn(after).id, thread.id);
  })),
  'replies.comment-type': writingNotes((probe) => withComment(probe, 'merge_request', async ({ path, got }) => {
    same(got, '`type`', noteIn(got)['type'], null);
    await post(probe, `${path}/notes`);
    const after = await read(probe, path);
    same(after, '`type`', threadIn(after).notes[0]!['type'], 'DiscussionNote');
  })),
  'requests.created': onNewThread(async (probe, { path, note }) => {
    hasStatus(await probe.call('POST', `${path}/notes`, { json: { body: checkText } }), 201);
    hasStatus(await probe.call('PUT', `${path}/notes/${note.id}`, { json: { body: `${checkText} Edited.` } }), 200);
    hasStatus(await probe.call('GET', path), 200);
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
