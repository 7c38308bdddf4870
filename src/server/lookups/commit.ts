import type { CommitDetails } from '../../contract/companions/shapes.js';
import type { Contract } from '../../contract/contract.js';
import { readableNoteable } from '../access/noteable.js';
import type { Behaviour } from '../call.js';
import { json, jsonObject, ownUrl } from '../json.js';
import { userByIdOrName } from '../records/people.js';

/** A commit by its whole SHA; its message is its title with the description below. */
export const getCommit: Behaviour<Contract['lookups']['commit']> = async ({ id, sha: name }, call) => {
  const { noteable, container } = await readableNoteable(call, 'commit', { id, noteable_id: name });
  const { title, description, parent_sha, created_at } = noteable;
  const sha = noteable.sha!;
  return jsonObject<CommitDetails>({
    id: json(sha),
    short_id: json(sha.slice(0, 8)),
    title: json(title),
    message: json(description ? `${title}\n\n${description}` : title),
    parent_ids: json(parent_sha === null ? [] : [parent_sha]),
    author_name: json((await userByIdOrName(call.world, String(noteable.author_id)))!.name),
    created_at: json(created_at),
    web_url: ownUrl(`/${container.path}/-/commit/${sha}`),
  });
};
