import { beginAllActivity } from '../records/activity.js';
import type { Database, Queries } from '../store/database.js';
import { fillAppearance } from './fill-appearance.js';
import { filling, type Filling, type Given } from './filling.js';
import { fillGroup, fillProject } from './fill-noteables.js';
import { fillMembers, fillUsers, usersOf } from './fill-people.js';
import { insert } from './insert.js';
import { numberingOf } from './numbering.js';
import type { World, WorldGroup, WorldProject, WorldSettings } from './shape.js';

/** Writes a checked world into an empty store: all of it or nothing. */
export const fillWorld = (database: Database, world: World, given: Given): Promise<void> =>
  database.writeAlone((queries) => writeWorld(queries, world, given));

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
  for (const table of ['users', 'groups', 'projects', 'noteables', 'notes']) await queries.numberOn(table);
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
