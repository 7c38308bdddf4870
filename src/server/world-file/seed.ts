import { editionOf } from '../../contract/behavior/edition.js';
import { positionGap } from '../repositories/epics.js';
import { insertAllActivity } from '../repositories/noteables.js';
import { insertFiles, ownFiles } from '../repositories/files.js';
import type { Database, Queries } from '../store/database.js';
import type { NamedUser, World, WorldGroup, WorldSettings } from './schema.js';
import {
  contentsOf, formerPathsOf, idNumbering, insert, numbering, type PlacedProject, projectsOf, type SeedContext,
  type SeedOptions, usersOf, worldClock,
} from './seed-context.js';
import { seedAppearance, seedMembers, seedUsers } from './seed-people.js';
import { seedEpics, seedNoteables } from './seed-noteables.js';
import { seedHooks } from './seed-hooks.js';
import { seedVersions } from './seed-versions.js';

/** The store must be empty, the world valid. In one transaction. */
export const seedDatabase = (database: Database, world: World, given: SeedOptions): Promise<void> =>
  database.writeExclusively((queries) => writeWorld(queries, world, given));

/** The tables must be empty, the world valid. Inside a transaction. */
export const writeWorld = async (queries: Queries, world: World, given: SeedOptions): Promise<void> => {
  const users = usersOf(world);
  const projects = projectsOf(world);
  const context = createSeedContext(queries, world, { users, projects }, given);
  await seedSettings(queries, world.settings);
  await seedUsers(queries, users);
  await seedGroups(context, world.groups ?? []);
  await seedProjects(context, projects);
  await seedAppearance(queries, world.appearance);
  await seedHooks(context, world.projects ?? [], given.now);
  await seedVersions(queries, context.mergeRequests);
  await insertAllActivity(queries);
  for (const table of ['users', 'groups', 'projects', 'noteables', 'notes', 'draft_notes', 'hooks']) {
    await queries.resetIds(table);
  }
};

const seedSettings = async (queries: Queries, settings: WorldSettings = {}): Promise<void> => {
  for (const [name, given] of Object.entries(settings)) {
    const value = typeof given === 'boolean' ? String(Number(given)) : given;
    await insert(queries, 'meta', { name: `setting.${name}`, value });
  }
};

const seedGroups = async (context: SeedContext, groups: readonly WorldGroup[]): Promise<void> => {
  const ids = idNumbering(groups);
  for (const group of groups) {
    const id = ids(group.id);
    const { path = `group${id}`, visibility = 'private', members = {} } = group;
    await insert(context.queries, 'groups', { id, path, name: group.name ?? lastSegment(path), visibility });
    await seedMembers(context.queries, path, members, context.user);
    await seedEpics(context, id, group);
  }
};

const seedProjects = async (context: SeedContext, projects: readonly PlacedProject[]): Promise<void> => {
  for (const project of projects) {
    const { id, path, visibility = 'private', members = {}, archived = false, files = {} } = project;
    const name = project.name ?? lastSegment(path);
    await insert(context.queries, 'projects', { id, path, name, visibility, archived });
    for (const former of formerPathsOf(project)) {
      await insert(context.queries, 'former_paths', { path: former, project_id: id });
    }
    await seedMembers(context.queries, path, members, context.user);
    await seedNoteables(context, id, project);
    await insertFiles(context.queries, id, ownFiles, Object.entries(files));
  }
};

const lastSegment = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

interface Named { readonly users: readonly NamedUser[]; readonly projects: readonly PlacedProject[] }

const createSeedContext = (
  queries: Queries, world: World, { users, projects }: Named, { now, hex, dialect, version }: SeedOptions,
): SeedContext => {
  const contents = contentsOf(world);
  const { notes, issue, snippet, epic, merge_request, commit } = contents;
  const count = [notes, issue, snippet, epic, merge_request, commit].reduce((sum, { length }) => sum + length, 0);
  const byName = new Map(users.map((user) => [user.username, user]));
  let position = 0;
  return {
    queries,
    hex,
    edition: editionOf(dialect, version ?? world.settings?.version ?? null),
    clock: worldClock(now, count),
    user: (username) => byName.get(username ?? users[0]!.username)!,
    projectIds: new Map(projects.map(({ id, path }) => [path, id])),
    ids: {
      issue: idNumbering(issue), snippet: idNumbering(snippet), epic: idNumbering(epic),
      merge_request: idNumbering(merge_request), commit: idNumbering(commit), notes: idNumbering(notes),
      draft_note: idNumbering(contents.draft_note),
    },
    nextNoteable: numbering([]),
    nextPosition: () => position += positionGap,
    mergeRequests: [],
  };
};
