import { titleLimit } from '../../contract/conventions.js';
import { readCaller, requireDeveloper } from '../caller.js';
import {
  type Check, type Checks, firstWith, type Got, hasError, hasKeys, hasStatus, hasValues, holds, listIn, objectHas,
  objectIn, objectPath, onRead, type Probe, put, read, recordId, rejects, same, sameIn, Skipped, type Values,
  writingNotes,
} from '../check.js';
import { addedPosition } from './positions.js';
import {
  checkText, editedText, type NoteSeen, notesPath, onNewThread, remove, threadIn, threadsOf, threadsPath,
} from '../threads.js';

const draftsPath = (probe: Probe): string => `${objectPath(probe, 'merge_request')}/draft_notes`;

const create = (probe: Probe, params: Values = {}): Promise<Got> =>
  probe.call('POST', draftsPath(probe), { json: { note: checkText, ...params } });

interface NewDraft { readonly got: Got; readonly draft: Values; readonly path: string }

const createDraft = async (probe: Probe, params?: Values): Promise<NewDraft> => {
  const got = hasStatus(await create(probe, params), 201);
  const draft = objectIn(got);
  return { got, draft, path: `${draftsPath(probe)}/${String(draft['id'])}` };
};

const onNewDraft = (work: (probe: Probe, created: NewDraft) => Promise<void> | void, params?: Values): Check =>
  writingNotes(async (probe) => work(probe, await createDraft(probe, params)));

const rejectsDraft = async (probe: Probe, params: Values, message: Values): Promise<void> => {
  objectHas(hasStatus(await create(probe, params), 400), { message });
};

/** Publishes a draft that starts a thread, and deletes the new note after the work. */
const withPublished = async (
  probe: Probe, params: Values, work: (got: Got, note: NoteSeen) => void,
): Promise<void> => {
  const { path } = await createDraft(probe, params);
  hasStatus(await probe.call('PUT', `${path}/publish`), 204);
  const got = await read(probe, notesPath(probe), 'per_page=100');
  const note = ownNote(got);
  try {
    work(got, note);
  } finally {
    await probe.call('DELETE', `${notesPath(probe)}/${note.id}`, { isCleanUp: true });
  }
};

const ownNote = (got: Got): NoteSeen => {
  const note = (listIn(got) as unknown as readonly NoteSeen[]).find(({ body }) => body.startsWith(checkText));
  holds(got, 'the published note', note !== undefined, undefined);
  return note!;
};

/** Publishes a reply; the new note is deleted after the work. */
const withPublishedReply = async (
  probe: Probe, thread: string, params: Values, work: (got: Got, notes: readonly NoteSeen[]) => void,
): Promise<void> => {
  const path = `${threadsPath(probe)}/${thread}`;
  const before = threadIn(await read(probe, path)).notes.length;
  const draft = await createDraft(probe, { in_reply_to_discussion_id: thread, ...params });
  hasStatus(await probe.call('PUT', `${draft.path}/publish`), 204);
  const got = await read(probe, path);
  const { notes } = threadIn(got);
  try {
    same(got, 'the number of notes', notes.length, before + 1);
    work(got, notes);
  } finally {
    for (const { id } of notes.slice(before)) {
      await probe.call('DELETE', `${path}/notes/${id}`, { isCleanUp: true });
    }
  }
};

const publishAll = (probe: Probe, json?: Values): Promise<Got> =>
  probe.call('POST', `${draftsPath(probe)}/bulk_publish`, json && { json });

/** Publishing all drafts must not publish those that somebody is writing. */
const withoutDrafts = (work: Check['run']): Check => writingNotes(async (probe) => {
  const drafts = listIn(await read(probe, draftsPath(probe)));
  if (drafts.length > 0) throw new Skipped('the caller has draft notes on the merge request');
  await work(probe);
});

const outsideDiff = async (probe: Probe): Promise<Values> =>
  ({ position: await addedPosition(probe, { new_line: 2_147_483 }) });

/** The response to publishing a draft that cannot be published, all that the caller has. */
const onFailedPublishing = (look: (got: Got) => void): Check => withoutDrafts(async (probe) => {
  await createDraft(probe, await outsideDiff(probe));
  look(await publishAll(probe, {}));
});

/** The work must add no note. */
const postsNothing = async (probe: Probe, work: () => Promise<void>): Promise<void> => {
  const newest = () => read(probe, notesPath(probe), 'per_page=1');
  const before = listIn(await newest())[0]?.['id'];
  await work();
  const after = await newest();
  same(after, 'the newest note', listIn(after)[0]?.['id'], before);
};

const reviewsNothing = (params: Values): Check => withoutDrafts((probe) =>
  postsNothing(probe, async () => void hasStatus(await publishAll(probe, params), 204)));

const reviewersOf = (probe: Probe): Promise<Got> => read(probe, `${objectPath(probe, 'merge_request')}/reviewers`);

const placeKeys = ['base_sha', 'start_sha', 'head_sha', 'old_path', 'new_path'];
const draftKeys = [
  'id', 'author_id', 'merge_request_id', 'resolve_discussion', 'discussion_id', 'note', 'commit_id', 'line_code',
  'position',
];

export const draftChecks: Checks = {
  'drafts.read': onRead(draftsPath, listIn),
  'drafts.unpaged': onRead(draftsPath, (got) => same(got, 'X-Page:', got.headers['x-page'], undefined)),
  'drafts.own': onNewDraft(async (probe) => {
    const { id } = await readCaller(probe);
    const got = await read(probe, draftsPath(probe));
    for (const draft of listIn(got)) hasValues(got, draft, { author_id: id });
    await rejects(probe, 'GET', `${draftsPath(probe)}/2147483000`, {}, 404, 'message', '404 Not found');
  }),
  'drafts.write': onNewDraft(async (probe, { path, draft }) => {
    objectHas(await put(probe, path, { note: editedText }), { note: editedText });
    objectHas(await read(probe, path), { id: draft['id'] });
    await remove(probe, path);
    hasStatus(await probe.call('GET', path), 404);
  }),
  'drafts.hidden': onNewDraft(async (probe) => {
    const lists = [[notesPath(probe), 'sort=desc'], [threadsPath(probe), 'per_page=100']] as const;
    for (const [list, query] of lists) {
      const got = await read(probe, list, query);
      holds(got, 'no draft note', !got.text.includes('colloquy-draft'), got.text);
    }
  }, { note: `${checkText} colloquy-draft` }),
  'drafts.keys': onNewDraft((_, { got, draft }) => hasKeys(got, draft, draftKeys)),
  'drafts.new-thread': onNewDraft((_, { got, draft }) => hasValues(got, draft, { discussion_id: null })),
  'drafts.no-position': onNewDraft((_, { got, draft }) => {
    const position = draft['position'] as Values | null;
    const values = [...placeKeys, 'old_line', 'new_line', 'line_range'].map((key) => position?.[key]);
    same(got, 'the values', [...values, position?.['position_type']], [...values.map(() => null), 'text']);
  }),
  'drafts.line-code': writingNotes(async (probe) => {
    const position = await addedPosition(probe);
    const { got, draft } = await createDraft(probe, { position });
    holds(got, 'a line code', /^[0-9a-f]{40}_\d+_\d+$/.test(String(draft['line_code'])), draft['line_code']);
    const outside = await createDraft(probe, { position: { ...position, new_line: 2_147_483 } });
    hasValues(outside.got, outside.draft, { line_code: null });
  }),
  'drafts.incomplete': writingNotes(async (probe) => {
    const { old_line: _old, new_line: _new, ...withoutLine } = await addedPosition(probe);
    const { path, draft: { position } } = await createDraft(probe, { position: withoutLine });
    await put(probe, path, { note: checkText, position });
    await withPublished(probe, { position: withoutLine }, (got, note) =>
      hasValues(got, note, { type: 'DiscussionNote' }));
  }),
  'drafts.text': writingNotes((probe) => rejectsDraft(probe, { note: ' ' }, { note: ['can\'t be blank'] })),
  'drafts.commit-id': writingNotes(async (probe) => {
    hasStatus(await create(probe, { commit_id: 'f'.repeat(40) }), 400);
  }),
  'drafts.reply-unknown': writingNotes((probe) => rejectsDraft(probe, { in_reply_to_discussion_id: '0'.repeat(40) },
    { base: ['Thread to reply to cannot be found'] })),
  'drafts.reply-system': writingNotes(async (probe) => {
    const [, threads] = await threadsOf(probe, 'merge_request');
    const { id } = firstWith(threads, 'system note', ({ notes }) => notes[0]!['system'] === true);
    await rejectsDraft(probe, { in_reply_to_discussion_id: id }, { base: ['Replies to system notes are not allowed'] });
  }),
  'drafts.one-reply': onNewThread(async (probe, { thread: { id } }) => {
    await createDraft(probe, { in_reply_to_discussion_id: id });
    await rejectsDraft(probe, { in_reply_to_discussion_id: id }, { author_id: ['has already been taken'] });
  }),
  'drafts.resolve-right': writingNotes((probe) => rejectsDraft(probe, { resolve_discussion: true },
    { base: ['User is not allowed to resolve thread'] })),
  'drafts.edit-missing': onNewDraft(async (probe, { path }) => {
    await rejects(probe, 'PUT', path, { json: {} }, 400, 'message', /Missing params to modify$/);
    await rejects(probe, 'PUT', path, { json: { note: '' } }, 400, 'error', 'note is empty');
  }),
  'drafts.edit-position': writingNotes(async (probe) => {
    const { path } = await createDraft(probe, { position: await addedPosition(probe) });
    const got = await put(probe, path, { note: checkText });
    same(got, '`new_line`', (objectIn(got)['position'] as Values | null)?.['new_line'] ?? null, null);
  }),
  'drafts.publish': writingNotes(async (probe) => {
    await withPublished(probe, {}, (got, note) => hasValues(got, note, { type: 'DiscussionNote' }));
    const position = await addedPosition(probe);
    await withPublished(probe, { position }, (got, note) => hasValues(got, note, { type: 'DiffNote' }));
  }),
  'drafts.publish-all': withoutDrafts(async (probe) => {
    hasStatus(await publishAll(probe), 204);
  }),
  'drafts.publish-all-failed-older': onFailedPublishing((got) => same(hasStatus(got, 500), 'the body', got.text, '')),
  'drafts.publish-all-failed': onFailedPublishing((got) => hasError(got, 500, 'message', /./)),
  'drafts.review-ignored': reviewsNothing({ reviewer_state: 'colloquy', note: checkText }),
  'drafts.review-state': withoutDrafts(async (probe) => {
    hasError(await publishAll(probe, { reviewer_state: 'approved' }), 400, 'error',
      'reviewer_state does not have a valid value');
  }),
  'drafts.review-blank': reviewsNothing({ note: ' ' }),
  'drafts.review-stranger': withoutDrafts(async (probe) => {
    const { id } = await readCaller(probe);
    const before = listIn(await reviewersOf(probe));
    const isReviewer = before.some(({ user }) => recordId(user) === id);
    if (isReviewer) throw new Skipped('the caller is a reviewer of the merge request');
    hasStatus(await publishAll(probe, { reviewer_state: 'reviewed' }), 204);
    const after = await reviewersOf(probe);
    same(after, 'the reviewers', listIn(after), before);
  }),
  'drafts.publish-resolves': onNewThread(async (probe, { thread: { id } }) => {
    await requireDeveloper(probe, 'project');
    for (const resolve_discussion of [true, false]) {
      await withPublishedReply(probe, id, { resolve_discussion }, (got, notes) => {
        const resolved = notes.map((note) => note['resolved']);
        same(got, '`resolved` of the notes', resolved, resolved.map(() => resolve_discussion));
      });
    }
  }),
  'drafts.publish-failed': writingNotes(async (probe) => {
    const { path } = await createDraft(probe, await outsideDiff(probe));
    const got = hasStatus(await probe.call('PUT', `${path}/publish`), 500);
    same(got, 'the body', got.text, '');
  }),
};

const onMergeRequest = (work: (probe: Probe, path: string) => Promise<void>): Check => writingNotes(async (probe) => {
  await requireDeveloper(probe, 'project');
  await work(probe, objectPath(probe, 'merge_request'));
});

/** @throws Skipped if the caller has approved it, because an approval that is removed is lost */
const requireUnapproved = async (probe: Probe, path: string): Promise<void> => {
  const { id } = await readCaller(probe);
  const { approved_by: approvals } = objectIn(await read(probe, `${path}/approvals`));
  const isApproved = (approvals as readonly Values[]).some(({ user }) => recordId(user) === id);
  if (isApproved) throw new Skipped('the caller has approved the merge request');
};

/** Only changes that the service has to reject, and those to what is there already. */
export const changeChecks: Checks = {
  'changes.missing': onMergeRequest((probe, path) =>
    rejects(probe, 'PUT', path, { json: {} }, 400, 'error', /at least one parameter must be provided$/)),
  'changes.title-length': onMergeRequest(async (probe, path) => {
    const got = hasStatus(await probe.call('PUT', path, { json: { title: 'a'.repeat(titleLimit + 1) } }), 400);
    holds(got, '`is too long`', got.text.includes('is too long'), got.text);
  }),
  'changes.same-branch': onMergeRequest(async (probe, path) => {
    const { source_branch: branch } = objectIn(await read(probe, path));
    const got = hasStatus(await probe.call('PUT', path, { json: { target_branch: branch } }), 409, 422);
    holds(got, "`can't use same project/branch`", got.text.includes("can't use same project/branch"), got.text);
  }),
  'changes.nothing': onMergeRequest(async (probe, path) => {
    const { title, target_branch: branch } = objectIn(await read(probe, path));
    await postsNothing(probe, async () =>
      sameIn(await put(probe, path, { title, target_branch: branch }), 'the title', 'title', title));
  }),
  'changes.approve-sha': onMergeRequest(async (probe, path) => {
    await requireUnapproved(probe, path);
    await rejects(probe, 'POST', `${path}/approve`, { json: { sha: '0'.repeat(40) } },
      409, 'message', /SHA does not match HEAD of source branch/);
  }),
  'changes.unapprove': onMergeRequest(async (probe, path) => {
    await requireUnapproved(probe, path);
    hasStatus(await probe.call('POST', `${path}/unapprove`), 404);
  }),
};
