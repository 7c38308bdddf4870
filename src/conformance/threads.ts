import { readPageInfo } from '../client/page.js';
import { completeList } from '../client/pages.js';
import { noteableKinds } from '../contract/conventions.js';
import { requireDeveloper } from './caller.js';
import {
  type Check, firstWith, type Got, hasKeys, hasStatus, hasValues, listIn, objectIn, type ObjectName, objectPath,
  type Objects, type PathOf, type Probe, put, read, reading, recordId, same, Skipped, type Values, writingNotes,
} from './check.js';

export interface NoteSeen { readonly [key: string]: unknown; readonly id: number; readonly body: string }

interface ThreadSeen {
  readonly id: string;
  readonly individual_note: boolean;
  readonly resolvable?: unknown;
  readonly resolved?: unknown;
  readonly notes: readonly NoteSeen[];
}

export const threadsPath = (probe: Probe, name: ObjectName = 'merge_request'): string =>
  `${objectPath(probe, name)}/discussions`;

/** The path of a thread that does not exist: parameters are checked before it is looked for. */
export const noThread = (probe: Probe, name: ObjectName = 'merge_request'): string =>
  `${threadsPath(probe, name)}/${'0'.repeat(40)}`;

export const threadsOfCommit = (id: string): PathOf => (probe) =>
  `${objectPath(probe, 'commit').replace(/[^/]*$/, id)}/discussions`;

export const notesPath = (probe: Probe, name: ObjectName = 'merge_request'): string =>
  `${objectPath(probe, name)}/notes`;

export const threadPage = async (probe: Probe, name: ObjectName): Promise<readonly [Got, readonly ThreadSeen[]]> => {
  const got = await read(probe, threadsPath(probe, name), 'per_page=100');
  return [got, listIn(got) as unknown as readonly ThreadSeen[]];
};

export const threadsOf = async (probe: Probe, name: ObjectName): Promise<readonly [Got, readonly ThreadSeen[]]> => {
  const [got, threads] = await threadPage(probe, name);
  firstWith(threads, 'thread');
  return [got, threads];
};

/** All notes on the first page of an object. @throws Skipped without notes */
export const notesOf = async (probe: Probe, kind: ObjectName): Promise<readonly [Got, readonly NoteSeen[]]> => {
  const [got, threads] = await threadsOf(probe, kind);
  return [got, threads.flatMap(({ notes }) => notes)];
};

/** A note with its path. @throws Skipped without such a note */
export const firstNoteWith = async (
  probe: Probe, kind: ObjectName, what: string, fits: (note: NoteSeen) => boolean,
): Promise<{ readonly note: NoteSeen; readonly path: string }> => {
  const [, threads] = await threadsOf(probe, kind);
  const found = threads.flatMap(({ id, notes }) =>
    notes.map((note) => ({ note, path: `${threadsPath(probe, kind)}/${id}/notes/${note.id}` })));
  return firstWith(found, what, ({ note }) => fits(note));
};

export const onEachThread = (look: (got: Got, thread: ThreadSeen) => void): Check => reading(async (probe) => {
  const [got, threads] = await threadsOf(probe, 'merge_request');
  for (const thread of threads) look(got, thread);
});

export const onEachNote = (
  look: (got: Got, note: NoteSeen) => void, kind: ObjectName = 'merge_request',
): Check => reading(async (probe) => {
  const [got, notes] = await notesOf(probe, kind);
  for (const note of notes) look(got, note);
});

export const notesHave = (keys: readonly string[]): Check => onEachNote((got, note) => hasKeys(got, note, keys));

/** All notes on the first page of each object of these kinds. @throws Skipped without notes */
export const notesOn = async <K extends ObjectName>(
  probe: Probe, kinds: readonly K[],
): Promise<readonly { readonly got: Got; readonly kind: K; readonly note: NoteSeen }[]> => {
  const found = [];
  for (const kind of kindsIn(probe, kinds)) {
    const [got, threads] = await threadPage(probe, kind);
    found.push(...threads.flatMap(({ notes }) => notes.map((note) => ({ got, kind, note }))));
  }
  firstWith(found, 'note');
  return found;
};

export interface NewThread {
  readonly got: Got;
  readonly thread: ThreadSeen;
  readonly path: string;
  readonly note: NoteSeen;
}

/** `confidential` is the old name, which the document dialect does not have. */
export const isInternal = ({ internal, confidential }: Values): boolean =>
  internal === true || confidential === true;

/** What a note of a check says; marked, so that a person who sees it knows where it comes from. */
export const checkText = 'A conformance check wrote this note and deletes it again.';
export const editedText = `${checkText} Edited.`;

export const requireOpen = async (probe: Probe): Promise<void> => {
  const { state } = objectIn(await read(probe, objectPath(probe, 'merge_request')));
  if (state !== 'opened') throw new Skipped('the merge request is not open');
};

/** Those of the kinds of which there is an object. @throws Skipped without any */
export const kindsIn = <K extends ObjectName>(probe: Probe, kinds: readonly K[]): readonly K[] => {
  const found = kinds.filter((kind) => probe.objects[kind] !== null);
  if (found.length === 0) objectPath(probe, kinds[0]!);
  return found;
};

/** A POST that must create a note, by default with the text of checks. */
export const post = async (probe: Probe, path: string, { body = checkText, ...more }: Values = {}): Promise<Got> =>
  hasStatus(await probe.call('POST', path, { json: { body, ...more } }), 201);

export const edit = (probe: Probe, path: string): Promise<Got> => put(probe, path, { body: editedText });

export const remove = async (probe: Probe, path: string): Promise<Got> =>
  hasStatus(await probe.call('DELETE', path), 204);

/** A PUT of a thread or note that must succeed. @throws Difference, and Skipped for a caller without the right */
export const resolve = async (probe: Probe, path: string, resolved: unknown): Promise<Got> => {
  const got = await probe.call('PUT', path, { json: { resolved } });
  if (got.status === 403) await requireDeveloper(probe, path.startsWith('/groups/') ? 'group' : 'project');
  return hasStatus(got, 200);
};

export const noteIn = (got: Got): NoteSeen => objectIn(got) as unknown as NoteSeen;

export const threadIn = (got: Got): ThreadSeen => objectIn(got) as unknown as ThreadSeen;

export const startThread = async (
  probe: Probe, params?: Values, name: ObjectName = 'merge_request',
): Promise<NewThread> => {
  const threads = threadsPath(probe, name);
  const got = await post(probe, threads, params);
  const thread = threadIn(got);
  return { got, thread, path: `${threads}/${thread.id}`, note: thread.notes[0]! };
};

type Work = (probe: Probe, created: NewThread) => Promise<void> | void;

export const onNewThread = (work: Work, params?: Values, name?: ObjectName): Check =>
  writingNotes(async (probe) => work(probe, await startThread(probe, params, name)));

export const newNoteHas = (expected: Values): Check =>
  onNewThread((_, { got, note }) => hasValues(got, note, expected));

export const newTextIs = (text: string, body: string, name?: ObjectName): Check =>
  onNewThread((_, { got, note }) => same(got, 'the text', note.body, text), { body }, name);

export const comment = async (
  probe: Probe, params?: Values, name: ObjectName = 'merge_request',
): Promise<NewThread> => {
  const got = await post(probe, notesPath(probe, name), params);
  const note = noteIn(got);
  const thread = await threadWith(probe, name, note.id);
  return { got, note, thread, path: `${threadsPath(probe, name)}/${thread.id}` };
};

export const onComment = (work: Work, params?: Values, name?: ObjectName): Check =>
  writingNotes(async (probe) => work(probe, await comment(probe, params, name)));

/** @throws Skipped if the last page of threads does not have the note */
const threadWith = async (probe: Probe, name: ObjectName, note: number): Promise<ThreadSeen> => {
  const [first, threads] = await threadsOf(probe, name);
  const last = Number(first.headers['x-total-pages'] ?? 1);
  const newest = last > 1 ? listIn(await read(probe, threadsPath(probe, name), `per_page=100&page=${last}`)) : threads;
  return firstWith(newest as unknown as readonly ThreadSeen[], 'thread of the new comment',
    ({ notes }) => notes.some(({ id }) => id === note));
};

type Asking = Pick<Probe, 'call'>;

export interface LeftNotes {
  readonly deleted: number;
  readonly paths: readonly string[];
}

/**
 * Deletes the caller's notes and draft notes of checks on objects, even after an interrupt: a killed run leaves them,
 * and a note that was created without a response.
 */
export const deleteLeftNotes = async (probe: Asking, objects: Objects): Promise<LeftNotes> => {
  const author = await readOwner(probe);
  if (author === null) return { deleted: 0, paths: [] };
  let deleted = 0;
  const paths: string[] = [];
  for (const object of noteableKinds.flatMap((kind) => objects[kind] ?? [])) {
    const left = [...await notesLeftOn(probe, object, author), ...await draftsLeftOn(probe, object)];
    for (const path of left) {
      const { status } = await probe.call('DELETE', path, { isCleanUp: true });
      if (status === 204) deleted++;
      else if (status !== 404) paths.push(path);
    }
  }
  return { deleted, paths };
};

const readOwner = async ({ call }: Asking): Promise<unknown> => {
  const got = await call('GET', '/user', { isCleanUp: true });
  return got.status === 200 ? objectIn(got)['id'] ?? null : null;
};

const draftsLeftOn = async ({ call }: Asking, object: string): Promise<readonly string[]> => {
  const list = `${object}/draft_notes`;
  const got = /\/merge_requests\/\d+$/.test(object) ? await call('GET', list, { isCleanUp: true }) : null;
  if (got?.status !== 200) return [];
  const drafts = listIn(got) as unknown as readonly { readonly id: number; readonly note: string }[];
  return drafts.filter(({ note }) => note.startsWith(checkText)).map(({ id }) => `${list}/${id}`);
};

/** Their paths, all known before the first is deleted, which moves the others to other pages. */
const notesLeftOn = async ({ call }: Asking, object: string, author: unknown): Promise<readonly string[]> => {
  const list = `${object}/discussions`;
  const threads = await completeList(() => threadsAt(call, list));
  return threads.flatMap(({ id, notes }) => notes
    .filter((note) => note.body.startsWith(checkText) && recordId(note['author']) === author)
    .map((note) => `${list}/${id}/notes/${note.id}`));
};

async function* threadsAt(call: Asking['call'], list: string) {
  for (let page = 1; page <= mostPages; page++) {
    const got = await call('GET', list, { query: `per_page=100&page=${page}`, isCleanUp: true });
    if (got.status !== 200) return;
    const items = listIn(got) as unknown as readonly ThreadSeen[];
    const { total, next } = readPageInfo(got.headers, page);
    yield { page: { items, total }, source: got };
    if (!next) return;
  }
}

/** A service that always names a next page must not keep a run going. */
const mostPages = 1_000;
