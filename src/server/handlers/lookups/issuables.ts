import type { Contract } from '../../../contract/operations.js';
import type { Issue, Snippet } from '../../../contract/lookups/shapes.js';
import { readableNoteable, type Target } from '../../api/access.js';
import type { Call, OperationHandler } from '../../api/context.js';
import { json, jsonObject, ownUrl, type Json } from '../../http/response.js';
import { userByIdOrName } from '../../repositories/world.js';
import { userJson } from '../../serializers/note.js';

type Lookups = Contract['lookups'];

export type Shown = Pick<Target, 'noteable' | 'container'>;

export const getIssue: OperationHandler<Lookups['issue']> = async ({ id, iid }, call) =>
  issueJson(call, await readableNoteable(call, 'issue', { id, noteable_id: iid }));

export const issueJson = async (call: Call, shown: Shown): Promise<Json<Issue>> => jsonObject<Issue>({
  ...await issuableFields(call, shown, { collection: 'issues', sign: '#' }),
  confidential: json(shown.noteable.confidential === 1),
});

interface Naming { readonly collection: string; readonly sign: string }

/** `discussion_locked` is null unless locked. */
export const issuableFields = async (call: Call, { noteable, container }: Shown, { collection, sign }: Naming) => {
  const author = (await userByIdOrName(call.world, String(noteable.author_id)))!;
  const short = `${sign}${noteable.iid}`;
  return {
    id: json(noteable.global_id),
    iid: json(noteable.iid!),
    project_id: json(container.id),
    title: json(noteable.title),
    description: json(noteable.description),
    state: json(noteable.state),
    author: userJson(author, call.edition),
    web_url: ownUrl(`/${container.path}/-/${collection}/${noteable.iid}`),
    created_at: json(noteable.created_at),
    updated_at: json(noteable.updated_at),
    closed_at: json(noteable.state === 'closed' ? noteable.changed_at : null),
    labels: json([]),
    assignees: json([]),
    milestone: json(null),
    references: json({ short, relative: short, full: `${container.path}${short}` }),
    discussion_locked: json(noteable.locked ? true : null),
  };
};

export const getSnippet: OperationHandler<Contract['lookups']['snippet']> = async ({ id, snippet_id }, call) =>
  snippetJson(call, await readableNoteable(call, 'snippet', { id, noteable_id: snippet_id }));

/** With the visibility of its project; its file has no name. */
export const snippetJson = async (call: Call, { noteable, container }: Shown): Promise<Json<Snippet>> => {
  const author = (await userByIdOrName(call.world, String(noteable.author_id)))!;
  return jsonObject<Snippet>({
    id: json(noteable.global_id),
    project_id: json(container.id),
    title: json(noteable.title),
    file_name: json(''),
    description: json(noteable.description),
    visibility: json(container.visibility),
    author: userJson(author, call.edition),
    web_url: ownUrl(`/${container.path}/-/snippets/${noteable.global_id}`),
    created_at: json(noteable.created_at),
    updated_at: json(noteable.updated_at),
  });
};
