import type { Group, Project } from '../../contract/companions/shapes.js';
import type { Contract } from '../../contract/contract.js';
import { visibleGroup, visibleProject } from '../access/container.js';
import type { Behaviour } from '../call.js';
import { json, jsonObject, ownUrl } from '../json.js';
import { groupBy, pathsAbove } from '../records/containers.js';

type Lookups = Contract['lookups'];

/** Rights are shown as the project's own, wherever they come from; every project's branch is called main. */
export const getProject: Behaviour<Lookups['project']> = async ({ id }, call) => {
  const { container, level } = await visibleProject(call, id);
  return jsonObject<Project>({
    id: json(container.id),
    name: json(container.name),
    path: json(lastOf(container.path)),
    name_with_namespace: json([...container.path.split('/').slice(0, -1), container.name].join(' / ')),
    path_with_namespace: json(container.path),
    description: json(null),
    default_branch: json('main'),
    visibility: json(container.visibility),
    web_url: ownUrl(`/${container.path}`),
    archived: json(container.archived === 1),
    permissions: json({ project_access: level > 0 ? { access_level: level } : null, group_access: null }),
  });
};

/** A group's parent is the group of the path above, where there is one. */
export const getGroup: Behaviour<Lookups['group']> = async ({ id }, call) => {
  const { container } = await visibleGroup(call, id);
  const above = pathsAbove(container.path).at(-2);
  const parent = above === undefined ? undefined : await groupBy(call.queries, above);
  return jsonObject<Group>({
    id: json(container.id),
    name: json(container.name),
    path: json(lastOf(container.path)),
    full_path: json(container.path),
    visibility: json(container.visibility),
    web_url: ownUrl(`/groups/${container.path}`),
    parent_id: json(parent?.id ?? null),
  });
};

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
