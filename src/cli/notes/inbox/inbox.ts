import { ApiError } from '../../../client/errors.js';
import type { Client } from '../../../client/methods.js';
import type { Pages } from '../../../client/pages.js';
import type { MergeRequest } from '../../../contract/lookups/shapes.js';
import type { App } from '../../app.js';
import type { Failed } from '../../changes/report.js';
import { inLanes } from '../../service/connection/batch.js';
import { isOfService, nullIfUnsupported } from '../../service/connection/unsupported.js';
import type { Owner } from '../filters/people.js';
import { readSeen } from '../seen.js';
import { type InboxEntry, type Waiting, waitingFor } from './entry.js';

/** Without any id or path, everything that the owner of the token takes part in. */
export interface InboxScope {
  readonly projects: readonly string[];
  readonly groups: readonly string[];
}

interface FoundRequests {
  readonly mergeRequests: readonly MergeRequest[];
  readonly failed: readonly Failed[];
}

const scopes = ['reviews_for_me', 'assigned_to_me', 'created_by_me'] as const;
type Scope = (typeof scopes)[number];

interface RequestFilter {
  readonly scope: Scope | 'all';
  readonly reviewer_username?: string;
  readonly state: 'opened';
  readonly per_page: number;
}

interface Source {
  readonly name: string;
  readonly list: (filter: RequestFilter) => Pages<MergeRequest>;
}

/** A project or group that fails is left out. */
const openMergeRequests = async (
  client: Client, owner: Promise<Owner>, { projects, groups }: InboxScope,
): Promise<FoundRequests> => {
  const given = [...projects.map((id) => projectSource(client, id)), ...groups.map((id) => groupSource(client, id))];
  if (given.length > 0) return readSources(owner, given);
  const everywhere: Source = { name: 'merge requests', list: (filter) => client.lookups.allMergeRequests(filter) };
  const found = await nullIfUnsupported(inEveryScope(owner, everywhere));
  if (found) return { mergeRequests: found, failed: [] };
  const own = await client.lookups.projects({ membership: true, archived: false, per_page: 100 }).all();
  return readSources(owner, own.map(({ id, path_with_namespace: name }) =>
    ({ ...projectSource(client, String(id)), name })));
};

const projectSource = (client: Client, id: string): Source =>
  ({ name: id, list: (filter) => client.lookups.mergeRequests({ id, ...filter }) });

const groupSource = (client: Client, id: string): Source =>
  ({ name: id, list: (filter) => client.lookups.groupMergeRequests({ id, ...filter }) });

const readSources = async (owner: Promise<Owner>, sources: readonly Source[]): Promise<FoundRequests> => {
  const failed: Failed[] = [];
  const found = await inLanes(sources, async (source) => {
    try {
      return await inEveryScope(owner, source);
    } catch (error) {
      if (!isOfService(error)) throw error;
      failed.push({ name: source.name, error });
      return [];
    }
  });
  return { mergeRequests: unique(found.flat()), failed };
};

const inEveryScope = async (owner: Promise<Owner>, { list }: Source): Promise<MergeRequest[]> => {
  const found = await Promise.all(scopes.map((scope) => {
    const mine = list({ scope, state: 'opened', per_page: 100 }).all();
    return scope === 'reviews_for_me' ? mine.catch(async (error: unknown) => {
      if (!isUnknownScope(error)) throw error;
      const { username } = await owner;
      return list({ scope: 'all', reviewer_username: username, state: 'opened', per_page: 100 }).all();
    }) : mine;
  }));
  return unique(found.flat());
};

/** Older services have no scope for reviewers. */
const isUnknownScope = (error: unknown): boolean => error instanceof ApiError && error.status === 400;

const unique = (all: readonly MergeRequest[]): MergeRequest[] =>
  [...new Map(all.map((one) => [one.id, one])).values()];

interface Inbox {
  /** What waits longest comes first, then what was changed longest ago. */
  readonly entries: readonly InboxEntry[];
  /** Projects and groups that could not be read. */
  readonly failed: readonly Failed[];
}

export const readInbox = async (
  app: App, client: Client, base: string, owner: Promise<Owner>, scope: InboxScope,
): Promise<Inbox> => {
  const [{ mergeRequests, failed }, user] = await Promise.all([openMergeRequests(client, owner, scope), owner]);
  const unread: Failed[] = [];
  const rows = await inLanes(mergeRequests, async (one) => {
    try {
      const { project_id: id, iid } = one;
      const path = { id: String(id), noteable_id: String(iid), per_page: 100 };
      const [threads, isNew] = await Promise.all([
        client.discussions.merge_request.list(path).all(),
        readSeen(app, { base, user: user.id, container: projectOf(one), name: `mr/${iid}` }),
      ]);
      return [{ one, waiting: waitingFor(user, threads, isNew) }];
    } catch (error) {
      if (!isOfService(error)) throw error;
      unread.push({ name: projectOf(one), error });
      return [];
    }
  });
  return { entries: rows.flat().sort(byTime).map(entryOf), failed: uniqueByName([...failed, ...unread]) };
};

interface Row { readonly one: MergeRequest; readonly waiting: Waiting }

const byTime = (a: Row, b: Row): number => {
  const [first, second] = [a.waiting.since ?? Infinity, b.waiting.since ?? Infinity];
  return first === second ? Date.parse(a.one.updated_at) - Date.parse(b.one.updated_at) : first - second;
};

const entryOf = ({ one, waiting: { open, waiting, mentions, new: unseen } }: Row): InboxEntry =>
  ({ ref: `${projectOf(one)}!${one.iid}`, url: one.web_url, title: one.title, open, waiting, mentions, new: unseen });

/** Older services show the path in the address only. */
const projectOf = ({ references, web_url, project_id }: MergeRequest): string => {
  const full = (references as Partial<MergeRequest>['references'])?.full;
  return full?.split('!')[0] || /^https?:\/\/[^/]+\/(.+?)\/(?:-\/)?merge_requests\//.exec(web_url)?.[1]
    || String(project_id);
};

const uniqueByName = (failed: readonly Failed[]): Failed[] =>
  [...new Map(failed.map((one) => [one.name, one])).values()];
