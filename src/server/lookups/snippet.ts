import type { Snippet } from '../../contract/companions/issuable-shapes.js';
import type { Contract } from '../../contract/contract.js';
import { readableNoteable } from '../access/noteable.js';
import type { Behaviour, Call } from '../call.js';
import { json, jsonObject, ownUrl, type Json } from '../json.js';
import { userByIdOrName } from '../records/people.js';
import { userJson } from '../render/user.js';
import type { Shown } from './issuables.js';

export const getSnippet: Behaviour<Contract['lookups']['snippet']> = async ({ id, snippet_id }, call) =>
  snippetJson(call, await readableNoteable(call, 'snippet', { id, noteable_id: snippet_id }));

/** A snippet, which is as visible as its project; its one file has no name here. */
export const snippetJson = async (call: Call, { noteable, container }: Shown): Promise<Json<Snippet>> => {
  const author = (await userByIdOrName(call.world, String(noteable.author_id)))!;
  return jsonObject<Snippet>({
    id: json(noteable.global_id),
    project_id: json(container.id),
    title: json(noteable.title),
    file_name: json(''),
    description: json(noteable.description),
    visibility: json(container.visibility),
    author: userJson(author, call.dialect),
    web_url: ownUrl(`/${container.path}/-/snippets/${noteable.global_id}`),
    created_at: json(noteable.created_at),
    updated_at: json(noteable.updated_at),
  });
};
