import * as Type from '@sinclair/typebox';
import { ApiError } from '../../client/errors.js';
import type { Client } from '../../client/methods.js';
import type { Pages } from '../../client/pages.js';
import type { MergeRequest } from '../../contract/lookups/shapes.js';
import type { Discussion, Note } from '../../contract/shapes/note.js';
import { mentionsIn } from '../../markdown/prose.js';
import { visibleText } from '../../wire/note-text.js';
import type { App } from '../app.js';
import type { Failed } from '../changes/report.js';
import { mapInParallel } from '../service/connection/batch.js';
import { isOfService, nullIfUnsupported } from '../service/connection/unsupported.js';
import type { View } from '../terminal/output/view.js';
import { type Owner, waitsFor } from './filters/people.js';
import { readSeen } from './seen.js';
import { threadState } from './views/note.js';

const InboxEntry = Type.Object({
  ref: Type.String(), url: Type.String(), title: Type.String(),
  open: Type.Integer({ description: 'unresolved threads' }),
  waiting: Type.Integer({ description: 'threads that you wrote in and where somebody else has the last word' }),
  mentions: Type.Integer({ description: 'notes of others that mention you' }),
  new: Type.Integer({ description: 'notes of others since you last looked' }),
});
type InboxEntry = Type.Static<typeof InboxEntry>;

interface Waiting extends Pick<InboxEntry, 'open' | 'waiting' | 'mentions' | 'new'> {
  /** When the first of the threads began to wait, in milliseconds since 1970. */
  readonly since: number | null;
}

export const waitingFor = (owner: Owner, threads: readonly Discussion[], isNew: (note: Note) => boolean): Waiting => {
  const isTheirs = ({ author }: Note) => author.id === owner.id;
  const waiting = threads.filter(waitsFor(({ id }) => id === owner.id));
  const others = threads.flatMap(({ notes }) => notes.filter((note) => !note.system && !isTheirs(note)));
  const name = owner.username.toLowerCase();
  const starts = waiting.map(({ notes }) => waitsSince(notes.filter(({ system }) => !system), isTheirs));
  return {
    open: threads.filter((thread) => threadState(thread) === 'open').length,
    waiting: waiting.length,
    mentions: others.filter(({ body }) => mentionsIn(visibleText(body)).has(name)).length,
    new: others.filter(isNew).length,
    since: starts.length === 0 ? null : Math.min(...starts),
  };
};

const waitsSince = (notes: readonly Note[], isTheirs: (note: Note) => boolean): number =>
  Date.parse(notes[notes.findLastIndex(isTheirs) + 1]!.created_at);

const count = (name: 'open' | 'waiting' | 'mentions' | 'new', hideOrder?: number) => ({
  name, cell: (entry: InboxEntry, { isTerminal }: { readonly isTerminal: boolean }) =>
    isTerminal && entry[name] === 0 ? '' : String(entry[name]),
  ...hideOrder !== undefined && { hideOrder },
});

export const inboxView: View<InboxEntry> = {
  columns: [
    { name: 'ref', cell: ({ ref }) => ref, tone: () => 'strong', link: ({ url }) => url, minWidth: 12, keep: 'end' },
    count('open', 2), count('waiting'), count('mentions', 1), count('new'),
    { name: 'title', cell: ({ title }) => title, minWidth: 16 },
  ],
  id: ({ ref }) => ref,
  shape: InboxEntry,
  emptyText: 'no open merge requests',
};

/** Without any id or path, everything that the owner of the token takes part in. */
export interface InboxScope {
  readonly projects: readonly string[];
  readonly groups: readonly string[];
}

/** What waits longest comes first, then what was changed longest ago. */
export const readInbox = async (
  app: App, client: Client, base: string, owner: Promise<Owner>, scope: InboxScope,
): Promise<Found<InboxEntry>> => {
  const [open, user] = await Promise.all([openMergeRequests(client, owner, scope), owner]);
  const rows = await readEach(open.found, mergeRequestProject, async (one): Promise<Row[]> => {
    const { project_id: id, iid } = one;
    const path = { id: String(id), noteable_id: String(iid), per_page: 100 };
    const [threads, isNew] = await Promise.all([
      client.discussions.merge_request.list(path).all(),
      readSeen(app, { base, user: user.id, container: mergeRequestProject(one), name: `mr/${iid}` }),
    ]);
    return [{ one, waiting: waitingFor(user, threads, isNew) }];
  });
  const failed = new Map([...open.failed, ...rows.failed].map((one) => [one.name, one]));
  return { found: rows.found.sort(byTime).map(inboxEntry), failed: [...failed.values()] };
};

interface Row { readonly one: MergeRequest; readonly waiting: Waiting }

const byTime = (a: Row, b: Row): number => {
  const [first, second] = [a.waiting.since ?? Infinity, b.waiting.since ?? Infinity];
  return first === second ? Date.parse(a.one.updated_at) - Date.parse(b.one.updated_at) : first - second;
};

const inboxEntry = ({ one, waiting: { since: _, ...counts } }: Row): InboxEntry =>
  ({ ref: `${mergeRequestProject(one)}!${one.iid}`, url: one.web_url, title: one.title, ...counts });

/** Older services show the path in the address only. */
const mergeRequestProject = ({ references, web_url, project_id }: MergeRequest): string => {
  const full = (references as Partial<MergeRequest>['references'])?.full;
  return full?.split('!')[0] || /^https?:\/\/[^/]+\/(.+?)\/(?:-\/)?merge_requests\//.exec(web_url)?.[1]
    || String(project_id);
};

interface Found<T> { readonly found: T[]; readonly failed: readonly Failed[] }

const readEach = async <T, R>(
  items: readonly T[], nameOf: (item: T) => string, read: (item: T) => Promise<readonly R[]>,
): Promise<Found<R>> => {
  const failed: Failed[] = [];
  const found = await mapInParallel(items, async (item) => {
    try {
      return await read(item);
    } catch (error) {
      if (!isOfService(error)) throw error;
      failed.push({ name: nameOf(item), error });
      return [];
    }
  });
  return { found: found.flat(), failed };
};

const scopes = ['reviews_for_me', 'assigned_to_me', 'created_by_me'] as const;

interface RequestFilter {
  readonly scope: (typeof scopes)[number] | 'all';
  readonly reviewer_username?: string;
  readonly state: 'opened';
  readonly per_page: number;
}

interface Source {
  readonly name: string;
  readonly list: (filter: RequestFilter) => Pages<MergeRequest>;
}

const openMergeRequests = async (
  client: Client, owner: Promise<Owner>, { projects, groups }: InboxScope,
): Promise<Found<MergeRequest>> => {
  const { lookups } = client;
  const projectSource = (id: string, name = id): Source =>
    ({ name, list: (filter) => lookups.mergeRequests({ id, ...filter }) });
  const groupSource = (id: string): Source =>
    ({ name: id, list: (filter) => lookups.groupMergeRequests({ id, ...filter }) });
  const given = [...projects.map((id) => projectSource(id)), ...groups.map(groupSource)];
  if (given.length > 0) return readSources(owner, given);
  const found = await nullIfUnsupported(readEveryScope(owner, (filter) => lookups.allMergeRequests(filter)));
  if (found) return { found: unique(found), failed: [] };
  const own = await lookups.projects({ membership: true, archived: false, per_page: 100 }).all();
  return readSources(owner, own.map(({ id, path_with_namespace }) => projectSource(String(id), path_with_namespace)));
};

const readSources = async (owner: Promise<Owner>, sources: readonly Source[]): Promise<Found<MergeRequest>> => {
  const { found, failed } = await readEach(sources, ({ name }) => name, ({ list }) => readEveryScope(owner, list));
  return { found: unique(found), failed };
};

const readEveryScope = async (owner: Promise<Owner>, list: Source['list']): Promise<MergeRequest[]> => {
  const found = await Promise.all(scopes.map((scope) => {
    const mine = list({ scope, state: 'opened', per_page: 100 }).all();
    return scope === 'reviews_for_me' ? mine.catch(async (error: unknown) => {
      if (!isUnknownScope(error)) throw error;
      const { username } = await owner;
      return list({ scope: 'all', reviewer_username: username, state: 'opened', per_page: 100 }).all();
    }) : mine;
  }));
  return found.flat();
};

/** Older services have no scope for reviewers. */
const isUnknownScope = (error: unknown): boolean => error instanceof ApiError && error.status === 400;

const unique = (all: readonly MergeRequest[]): MergeRequest[] =>
  [...new Map(all.map((one) => [one.id, one])).values()];
