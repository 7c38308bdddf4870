import { positionGap } from '../repositories/epics.js';
import { beginAllActivity } from '../repositories/noteables.js';
import type { Database, Queries } from '../store/database.js';
import type { NamedUser, World, WorldGroup, WorldProject, WorldSettings } from './schema.js';
import { contentsOf, insert, numbering, numberingOf, worldClock, type Filling, type Given } from './seed-context.js';
import { fillGroup, fillProject } from './seed-noteables.js';
import { fillAppearance, fillMembers, fillUsers, usersOf } from './seed-people.js';

/** Writes a checked world into an empty store: all of it or nothing. */
export const fillWorld = (database: Database, world: World, given: Given): Promise<void> =>
  database.writeExclusively((queries) => writeWorld(queries, world, given));

/** Writes a checked world inside a unit of work, into empty tables. */
export const writeWorld = async (queries: Queries, world: World, given: Given): Promise<void> => {
  const users = usersOf(world);
  const fill = filling(queries, world, users, given);
  await fillSettings(queries, world.settings);
  await fillUsers(queries, users);
  await fillGroups(fill, world.groups ?? []);
  await fillProjects(fill, world.projects ?? []);
  await fillAppearance(queries, world.appearance);
  await beginAllActivity(queries);
  for (const table of ['users', 'groups', 'projects', 'noteables', 'notes']) await queries.resetIds(table);
};

const fillSettings = async (queries: Queries, settings: WorldSettings = {}): Promise<void> => {
  for (const [name, on] of Object.entries(settings)) {
    await insert(queries, 'meta', { name: `setting.${name}`, value: on ? '1' : '0' });
  }
};

const fillGroups = async (fill: Filling, groups: readonly WorldGroup[]): Promise<void> => {
  const ids = numberingOf(groups);
  for (const group of groups) {
    const id = ids(group.id);
    const { path = `group${id}`, visibility = 'private', members = {} } = group;
    await insert(fill.queries, 'groups', { id, path, name: group.name ?? lastOf(path), visibility });
    await fillMembers(fill.queries, path, members, fill.user);
    await fillGroup(fill, id, group);
  }
};

const fillProjects = async (fill: Filling, projects: readonly WorldProject[]): Promise<void> => {
  const ids = numberingOf(projects);
  for (const project of projects) {
    const id = ids(project.id);
    const { path = `group/project${id}`, visibility = 'private', members = {}, archived = false } = project;
    await insert(fill.queries, 'projects', { id, path, name: project.name ?? lastOf(path), visibility, archived });
    await fillMembers(fill.queries, path, members, fill.user);
    await fillProject(fill, id, project);
  }
};

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Begins a fill; `users` are the world's. */
export const filling = (
  queries: Queries, world: World, users: readonly NamedUser[], { now, hex, dialect }: Given,
): Filling => {
  const contents = contentsOf(world);
  const { notes, issue, snippet, epic, merge_request, commit } = contents;
  const count = [notes, issue, snippet, epic, merge_request, commit].reduce((sum, { length }) => sum + length, 0);
  const byName = new Map(users.map((user) => [user.username, user]));
  let position = 0;
  return {
    queries,
    hex,
    dialect,
    clock: worldClock(now, count),
    user: (username) => byName.get(username ?? users[0]!.username)!,
    ids: {
      issue: numberingOf(issue), snippet: numberingOf(snippet), epic: numberingOf(epic),
      merge_request: numberingOf(merge_request), commit: numberingOf(commit), notes: numberingOf(notes),
    },
    nextNoteable: numbering([]),
    nextPosition: () => position += positionGap,
  };
};
