import fc from 'fast-check';
import { noteableKinds, type NoteableKind } from '../../../src/contract/conventions.js';
import type { Discussion, Note } from '../../../src/contract/shapes/note.js';
import type { ServerOptions } from '../../../src/server/index.js';
import { caller, expected, type Call } from './calls.js';
import { watched, type Statuses } from './sequence.js';
import {
  bases, canResolve, freshModel, notesIn, people, threadsIn, threadWorld, type Model, type ModelNote, type ModelThread,
  type Person,
} from './threads-model.js';

const does = ['create', 'comment', 'reply', 'reply', 'reply', 'edit', 'delete', 'resolve note', 'resolve thread', 'resolve thread', 'reset'] as const;

/** One step: who does what to which thread and note, counted round. */
export interface ThreadStep {
  readonly what: typeof does[number];
  readonly kind: NoteableKind;
  readonly as: Person;
  readonly thread: number;
  readonly note: number;
  readonly text: string;
  readonly on: boolean;
  readonly createdAt: string | null;
}

const knownTexts = fc.constantFrom('x', ' ', '', 'two\r\nlines \r\n', 'a\t ', '😀\u202e', '/close');
const texts = fc.oneof(knownTexts, fc.string({ unit: 'binary-ascii', maxLength: 6 }));

const times = fc.constantFrom('2024-04-01T00:01:00.000Z', '2024-04-02T00:00:00.000Z', '2030-01-01T00:00:00.000Z');

export const threadSteps = fc.array(fc.record<ThreadStep>({
  what: fc.constantFrom(...does, ...does, ...does.slice(0, -1)),
  kind: fc.constantFrom(...noteableKinds, ...noteableKinds.map(() => 'merge_request' as const)),
  as: fc.constantFrom(...Object.keys(people) as Person[], 'owner', 'maintainer', 'developer'), thread: fc.nat({ max: 3 }), note: fc.nat({ max: 5 }),
  text: texts, on: fc.boolean(),
  createdAt: fc.option(times, { nil: null }),
}), { minLength: 1, maxLength: 40, size: 'max' });

/**
 * Does the steps on a service and on the model, and compares the two after each.
 * @throws Error that says where they part
 */
export const runThreads = async (options: ServerOptions, steps: readonly ThreadStep[], statuses: Statuses): Promise<void> => {
  const service = await watched({ world: threadWorld, ...options });
  const call = caller(service, statuses);
  let model = freshModel();
  try {
    for (const step of steps) {
      if (step.what === 'reset') {
        expected((await call('root', 'POST', '/-/reset')).status, 204, step);
        model = freshModel();
      } else await take(call, model, step);
      await compare(call, model, step.kind);
    }
  } finally {
    await service.close();
  }
};

/** What a body becomes, or null where it is blank. */
const kept = (kind: NoteableKind, text: string): string | null =>
  text.trim() === '' ? null : kind === 'snippet' ? text : text.replaceAll('\r', '').trimEnd();

const isUnstorable = (text: string): boolean => text.includes('\0');

const take = async (call: Call, model: Model, step: ThreadStep): Promise<void> => {
  if (isUnstorable(step.text)) return;
  const threads = threadsIn(model[step.kind]);
  if (step.what === 'create' || step.what === 'comment') return start(call, model, step);
  const thread = threads[step.thread % threads.length];
  if (!thread) return;
  const notes = notesIn(thread);
  const note = notes[step.note % notes.length]!;
  if (step.what === 'reply') return reply(call, thread, step);
  if (step.what === 'resolve thread') return reportingLastThread(call, model, step, () => resolveThread(call, thread, step));
  if (step.what === 'resolve note') return reportingLastThread(call, model, step, () => resolveNote(call, thread, note, step));
  return step.what === 'edit' ? edit(call, thread, note, step) : remove(call, thread, note, step);
};

const noteFrom = (made: Note, { as, kind, text, createdAt }: ThreadStep, rest: Pick<ModelNote, 'type' | 'resolvedBy'>): ModelNote => ({
  id: made.id, body: kept(kind, text)!, author: as, system: false,
  createdAt: createdAt !== null && people[as].level >= 50 ? createdAt : made.created_at, ...rest,
});

const payload = ({ text, createdAt }: ThreadStep) => ({ body: text, ...(createdAt !== null && { created_at: createdAt }) });

const start = async (call: Call, model: Model, step: ThreadStep): Promise<void> => {
  const isComment = step.what === 'comment';
  if (isComment && step.kind === 'commit') return;
  const got = await call<Discussion | Note>(step.as, 'POST', `${bases[step.kind]}/${isComment ? 'notes' : 'discussions'}`, payload(step));
  expected(got.status, kept(step.kind, step.text) === null ? 400 : 201, step);
  if (got.status !== 201) return;
  const made = 'notes' in got.body ? got.body.notes[0]! : got.body;
  const id = 'notes' in got.body ? got.body.id : (await threadOf(call, step.kind, made.id));
  model[step.kind].push({ id, notes: [noteFrom(made, step, { type: isComment ? null : 'DiscussionNote', resolvedBy: null })] });
};

/** A single comment's thread id stands in the list alone. */
const threadOf = async (call: Call, kind: NoteableKind, note: number): Promise<string> => {
  const { body } = await call<Discussion[]>('root', 'GET', `${bases[kind]}/discussions?per_page=100`);
  return body.find(({ notes }) => notes.some(({ id }) => id === note))!.id;
};

const reply = async (call: Call, thread: ModelThread, step: ThreadStep): Promise<void> => {
  const { kind, as } = step;
  const first = notesIn(thread)[0]!;
  const refuses = first.type === null && (kind === 'snippet' || kind === 'commit');
  const got = await call<Note>(as, 'POST', `${bases[kind]}/discussions/${thread.id}/notes`, payload(step));
  expected(got.status, refuses || kept(kind, step.text) === null ? 400 : 201, step);
  if (got.status !== 201) return;
  const resolvable = thread.notes.filter((note) => canResolve(kind, note));
  const isResolved = resolvable.length > 0 && resolvable.every(({ resolvedBy }) => resolvedBy !== null);
  first.type ??= 'DiscussionNote';
  thread.notes.push(noteFrom(got.body, step, { type: 'DiscussionNote', resolvedBy: isResolved ? as : null }));
};

const mayChange = (as: Person, note: ModelNote): boolean => !note.system && (note.author === as || people[as].level >= 40);

const edit = async (call: Call, thread: ModelThread, note: ModelNote, { kind, as, text, ...step }: ThreadStep): Promise<void> => {
  const { status } = await call(as, 'PUT', `${bases[kind]}/discussions/${thread.id}/notes/${note.id}`, { body: text });
  const body = kept(kind, text);
  expected(status, !mayChange(as, note) ? 403 : body === null ? 400 : 200, step);
  if (status === 200) note.body = body!;
};

const remove = async (call: Call, thread: ModelThread, note: ModelNote, { kind, as, ...step }: ThreadStep): Promise<void> => {
  const path = `${bases[kind]}/discussions/${thread.id}/notes/${note.id}`;
  const { status } = await call(as, 'DELETE', path);
  expected(status, mayChange(as, note) ? 204 : 403, step);
  if (status !== 204) return;
  thread.notes.splice(thread.notes.indexOf(note), 1);
  expected((await call(as, 'DELETE', path)).status, 404, step);
};

const mayResolve = (as: Person): boolean => people[as].level >= 30 || as === 'author';

const resolveThread = async (call: Call, thread: ModelThread, { kind, as, on, ...step }: ThreadStep): Promise<void> => {
  const { status } = await call(as, 'PUT', `${bases[kind]}/discussions/${thread.id}`, { resolved: on });
  const resolvable = thread.notes.filter((note) => canResolve(kind, note));
  const isKnown = kind !== 'snippet' && kind !== 'commit';
  expected(status, !isKnown ? 404 : mayResolve(as) && resolvable.length > 0 ? 200 : 403, step);
  if (status !== 200) return;
  for (const note of resolvable) note.resolvedBy = on ? note.resolvedBy ?? as : null;
};

const resolveNote = async (call: Call, thread: ModelThread, note: ModelNote, { kind, as, on, ...step }: ThreadStep): Promise<void> => {
  const { status } = await call(as, 'PUT', `${bases[kind]}/discussions/${thread.id}/notes/${note.id}`, { resolved: on });
  const author = kind === 'merge_request' || kind === 'issue' ? 'author' : 'root';
  const may = people[as].level >= 30 || as === author || as === note.author;
  expected(status, !may ? 403 : canResolve(kind, note) ? 200 : 400, step);
  if (status === 200) note.resolvedBy = on ? note.resolvedBy ?? as : null;
};

const hasOpenThread = (model: Model): boolean => model.merge_request.some(({ notes }) =>
  notes.some((note) => canResolve('merge_request', note) && note.resolvedBy === null));

/** Whoever resolves the last open thread leaves a system note, whose id and time are the service's. */
const reportingLastThread = async (call: Call, model: Model, { kind, as, ...step }: ThreadStep, resolve: () => Promise<void>): Promise<void> => {
  const wasOpen = hasOpenThread(model);
  await resolve();
  if (!wasOpen || hasOpenThread(model)) return;
  const { body } = await call<Discussion[]>('root', 'GET', `${bases[kind]}/discussions?per_page=100`);
  const added = body.filter(({ id }) => model[kind].every((thread) => thread.id !== id));
  expected(added.map(({ notes }) => notes.length), [1], step);
  const [{ id, notes: [{ id: note, created_at: createdAt }] }] = added as [Discussion & { notes: [Note] }];
  model[kind].push({ id, notes: [{
    id: note, body: 'resolved all threads', type: null, author: as, createdAt, system: true, resolvedBy: null,
  }] });
};

const shown = (kind: NoteableKind, note: ModelNote) => {
  const { id, body, type, author, system, createdAt, resolvedBy } = note;
  return [id, body, type, author, system, createdAt, ...(canResolve(kind, note) ? [resolvedBy !== null, resolvedBy] : [])];
};

const seen = (kind: NoteableKind, note: Note) => {
  const { id, body, type, author, system, created_at, resolved, resolved_by } = note;
  const resolver = (resolved_by as { username: string } | null | undefined)?.username ?? null;
  const isThread = kind === 'merge_request' && type !== null && !system;
  return [id, body, type, author.username, system, created_at, ...(isThread ? [resolved, resolver] : [])];
};

/** Everything that can be read of a noteable against the model: the list, its pages, one thread, the notes without threads. */
const compare = async (call: Call, model: Model, kind: NoteableKind): Promise<void> => {
  const threads = threadsIn(model[kind]);
  const wanted = threads.map((thread) => [thread.id, notesIn(thread)[0]!.type === null, notesIn(thread).map((note) => shown(kind, note))]);
  const view = ({ id, individual_note, notes }: Discussion) => [id, individual_note, notes.map((note) => seen(kind, note))];
  const list = `${bases[kind]}/discussions`;
  const all = await call<Discussion[]>('owner', 'GET', `${list}?per_page=100`);
  expected(all.body.map(view), wanted, kind);
  const paged: Discussion[] = [];
  for (let page = 1; page <= Math.ceil(threads.length / 3); page++) {
    paged.push(...(await call<Discussion[]>('author', 'GET', `${list}?per_page=3&page=${page}`)).body);
  }
  expected(paged.map(view), wanted, `${kind}, in pages`);
  const last = threads.at(-1);
  if (last) expected(view((await call<Discussion>('reporter', 'GET', `${list}/${last.id}`)).body), wanted.at(-1), `${kind}, one`);
  if (kind === 'commit') return;
  const flat = await call<Note[]>('developer', 'GET', `${bases[kind]}/notes?per_page=100`);
  const newest = notesIn({ id: '', notes: threads.flatMap(({ notes }) => notes) }).reverse();
  expected(flat.body.map((note) => seen(kind, note)), newest.map((note) => shown(kind, note)), `${kind}, flat`);
};
