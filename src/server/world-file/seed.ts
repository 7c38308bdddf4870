import { accessLevels } from '../../contract/conventions.js';
import { jobScope } from '../api/request.js';
import { mediaTypeOfName, storedFileName } from '../handlers/appearance/images.js';
import { uploadPath } from '../repositories/appearance.js';
import { insertFiles, ownFiles } from '../repositories/diffs.js';
import type { HookRow } from '../repositories/hooks.js';
import { insertAllActivity } from '../repositories/notes.js';
import { lastSegment } from '../repositories/world.js';
import type { Database, NewRow, Queries } from '../store/database.js';
import type {
  NamedUser, Role, World, WorldAppearance, WorldGroup, WorldImage, WorldSettings, WorldToken,
} from './schema.js';
import {
  type Cell, createSeedContext, formerPathsOf, idNumbering, insert, instantOr, type PlacedProject, projectsOf,
  type SeedContext, type SeedOptions, tokenDigest, tokensOf, usersOf,
} from './seed-context.js';
import { seedEpics, seedHeads, seedNoteables, seedVersions } from './seed-noteables.js';

export const seedDatabase = (database: Database, world: World, given: SeedOptions): Promise<void> =>
  database.writeExclusively((queries) => writeWorld(queries, world, given));

/** The tables must be empty, and the world valid. */
export const writeWorld = async (queries: Queries, world: World, given: SeedOptions): Promise<void> => {
  const users = usersOf(world);
  const projects = projectsOf(world);
  const context = createSeedContext(queries, world, users, projects, given);
  await seedSettings(queries, world.settings);
  await seedUsers(queries, users);
  await seedGroups(context, world.groups ?? []);
  await seedProjects(context, projects);
  await seedAppearance(queries, world.appearance);
  await seedHooks(context, projects, given.now);
  await seedVersions(queries, context.mergeRequests);
  await insertAllActivity(queries);
  for (const table of ['users', 'groups', 'projects', 'noteables', 'notes', 'draft_notes', 'award_emoji', 'hooks']) {
    await queries.resetIds(table);
  }
  await seedHeads(queries, context.mergeRequests);
};

const seedSettings = async (queries: Queries, settings: WorldSettings = {}): Promise<void> => {
  for (const [name, given] of Object.entries(settings)) {
    const value = Array.isArray(given) ? JSON.stringify(given) : typeof given === 'boolean' ? Number(given) : given;
    await insert(queries, 'meta', { name: `setting.${name}`, value: String(value) });
  }
};

const seedGroups = async (context: SeedContext, groups: readonly WorldGroup[]): Promise<void> => {
  const ids = idNumbering(groups);
  for (const group of groups) {
    const id = ids(group.id);
    const { path = `group${id}`, visibility = 'private', members = {}, enforce_granular_tokens = false } = group;
    const name = group.name ?? lastSegment(path);
    await insert(context.queries, 'groups', { id, path, name, visibility, enforce_granular_tokens });
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

const seedUsers = async (queries: Queries, users: readonly NamedUser[]): Promise<void> => {
  for (const { id, username, name, state, admin = false, ...user } of users) {
    await insert(queries, 'users', { id, username, name, state, admin });
    for (const token of tokensOf(user)) await insert(queries, 'tokens', { user_id: id, ...tokenCells(token) });
  }
};

const seedMembers = async (
  queries: Queries, path: string, members: Readonly<Record<string, Role>>, user: (username: string) => NamedUser,
): Promise<void> => {
  for (const [username, role] of Object.entries(members)) {
    await insert(queries, 'members', { path, user_id: user(username).id, level: accessLevels[role] });
  }
};

/** behavior: tokens.granular-scope */
const rightsOf = ({ kind, permissions = [], scopes = ['api'] }: WorldToken) => {
  if (kind === 'granular') return { scopes: kind, permissions: JSON.stringify(permissions) };
  return { scopes: kind === 'job' ? jobScope : scopes.join(' ') };
};

const tokenCells = (token: WorldToken) => ({
  digest: tokenDigest(token), ...rightsOf(token),
  expires_at: instantOr(token.expires_at, undefined), revoked: token.revoked ?? false,
});

/** What the world leaves out has the defaults of the service. */
const seedAppearance = async (queries: Queries, appearance: WorldAppearance = {}): Promise<void> => {
  const fields: Readonly<Record<string, string | boolean | WorldImage>> = { ...appearance };
  for (const [name, given] of Object.entries(fields)) {
    const value = typeof given === 'boolean' ? String(Number(given)) : given;
    if (typeof value === 'object') await seedImage(queries, name, value);
    else await insert(queries, 'appearance', { name, value });
  }
};

const seedImage = async (queries: Queries, mount: string, { file_name, media_type, content }: WorldImage) => {
  const name = storedFileName(file_name);
  await insert(queries, 'uploads', {
    mount, file_name: name, media_type: media_type ?? mediaTypeOfName(name), content: Buffer.from(content, 'base64'),
  });
  await insert(queries, 'appearance', { name: mount, value: uploadPath(mount, name) });
};

const seedHooks = async (
  { queries, hex }: SeedContext, projects: readonly PlacedProject[], now: Date,
): Promise<void> => {
  const ids = idNumbering(projects.flatMap(({ hooks = [] }) => hooks));
  for (const { id: project_id, hooks = [] } of projects) {
    for (const { id, url, token, events = ['note'], ...hook } of hooks) {
      const [note_events, issues_events] = [events.includes('note'), events.includes('issue')];
      await insert(queries, 'hooks', {
        id: ids(id), project_id, url, token, uuid: hex(32), note_events, issues_events,
        merge_requests_events: events.includes('merge_request'),
        confidential_note_events: hook.confidential_notes ?? note_events,
        confidential_issues_events: hook.confidential_issues ?? issues_events,
        enable_ssl_verification: hook.enable_ssl_verification ?? true,
        created_at: instantOr(hook.created_at, now.toISOString()),
      } satisfies Record<keyof NewRow<HookRow> | 'id', Cell>);
    }
  }
};
