import type { Contract } from '../../../contract/operations.js';
import type { CommitDetails } from '../../../contract/lookups/shapes.js';
import { readableNoteable } from '../../api/access/access.js';
import type { Call, OperationHandler, PageOf } from '../../api/context.js';
import { json, jsonObject, ownUrl, type Json } from '../../http/json.js';
import { commitsBetween } from '../../repositories/noteables.js';
import { userByIdOrName } from '../../repositories/world.js';
import { commitEmail } from '../../serializers/note.js';
import type { Shown } from './issuables.js';

type Lookups = Contract['lookups'];

export const getCommit: OperationHandler<Lookups['commit']> = async ({ id, sha }, call) =>
  commitJson(call, await readableNoteable(call, 'commit', { id, noteable_id: sha }));

/** Newest first. */
export const listMergeRequestCommits: OperationHandler<Lookups['mergeRequestCommits']> = async ({ id, iid }, call) =>
  pageOf(call, await commitsOf(call, await readableNoteable(call, 'merge_request', { id, noteable_id: iid })));

export const commitsOf = async (call: Call, { noteable, container }: Shown): Promise<Json<CommitDetails>[]> => {
  const commits: Json<CommitDetails>[] = [];
  for (const commit of await commitsBetween(call.queries, noteable)) {
    commits.push(await commitJson(call, { noteable: commit, container }));
  }
  return commits;
};

/** The message is the title and the description, the email address is invalid. */
export const commitJson = async (call: Call, { noteable, container }: Shown): Promise<Json<CommitDetails>> => {
  const { title, description, parent_sha } = noteable;
  const sha = noteable.sha!;
  const author = (await userByIdOrName(call.world, String(noteable.author_id)))!;
  const [name, email] = [json(author.name), json(commitEmail(author))];
  const at = json(noteable.created_at);
  return jsonObject<CommitDetails>({
    id: json(sha),
    short_id: json(sha.slice(0, 8)),
    title: json(title),
    message: json(description ? `${title}\n\n${description}` : title),
    parent_ids: json(parent_sha === null ? [] : [parent_sha]),
    author_name: name,
    author_email: email,
    authored_date: at,
    committer_name: name,
    committer_email: email,
    committed_date: at,
    created_at: at,
    web_url: ownUrl(`/${container.path}/-/commit/${sha}`),
  });
};

export const pageOf = <T>({ page: { offset, limit } }: Call, all: readonly Json<T>[]): PageOf<T> =>
  ({ items: all.slice(offset, offset + limit), rows: all.length });
