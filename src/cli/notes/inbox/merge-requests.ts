import { ApiError } from '../../../client/errors.js';
import type { Client } from '../../../client/methods.js';
import type { Pages } from '../../../client/pages.js';
import type { MergeRequest } from '../../../contract/lookups/shapes.js';
import type { Failed } from '../../changes/report.js';
import { inLanes } from '../../service/connection/lanes.js';
import { isOfService, nullIfUnsupported } from '../../service/connection/unsupported.js';
import type { Owner } from '../filters/people.js';

/** Ids or paths; without any, everything that the owner of the token takes part in. */
export interface InboxScope {
  readonly projects: readonly string[];
  readonly groups: readonly string[];
}

interface FoundRequests {
  /** Each once. */
  readonly mergeRequests: readonly MergeRequest[];
  readonly failed: readonly Failed[];
}

const scopes = ['reviews_for_me', 'assigned_to_me', 'created_by_me'] as const;
type Scope = (typeof scopes)[number];

interface Filter {
  readonly scope: Scope | 'all';
  readonly reviewer_username?: string;
  readonly state: 'opened';
  readonly per_page: number;
}

interface Source {
  readonly name: string;
  readonly list: (filter: Filter) => Pages<MergeRequest>;
}

/** Open ones of which the owner is reviewer, assignee or author. A project or group that fails is left out. */
export const openMergeRequests = async (
  client: Client, owner: Promise<Owner>, { projects, groups }: InboxScope,
): Promise<FoundRequests> => {
  const given = [...projects.map((id) => ofProject(client, id)), ...groups.map((id) => ofGroup(client, id))];
  if (given.length > 0) return readAll(owner, given);
  const everywhere: Source = { name: 'merge requests', list: (filter) => client.lookups.allMergeRequests(filter) };
  const found = await nullIfUnsupported(inEveryScope(owner, everywhere));
  if (found) return { mergeRequests: found, failed: [] };
  const own = await client.lookups.projects({ membership: true, archived: false, per_page: 100 }).all();
  return readAll(owner, own.map(({ id, path_with_namespace: name }) => ({ ...ofProject(client, String(id)), name })));
};

const ofProject = (client: Client, id: string): Source =>
  ({ name: id, list: (filter) => client.lookups.mergeRequests({ id, ...filter }) });

const ofGroup = (client: Client, id: string): Source =>
  ({ name: id, list: (filter) => client.lookups.groupMergeRequests({ id, ...filter }) });

const readAll = async (owner: Promise<Owner>, sources: readonly Source[]): Promise<FoundRequests> => {
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
