import { collectionName, type NoteableKind, noteableKinds, noteables } from '../../contract/conventions.js';
import type { WorldPath } from './problem.js';
import type {
  World, WorldAwardEmoji, WorldCommit, WorldDiffVersion, WorldDiscussion, WorldDraftNote, WorldEpic, WorldMergeRequest,
} from './schema.js';

export interface Located<T> { readonly path: WorldPath; readonly thing: T }

type AnyNoteable = Omit<WorldEpic & WorldMergeRequest & WorldCommit, 'state' | 'position'>;

export interface LocatedNoteable extends Located<AnyNoteable> {
  readonly kind: NoteableKind;
  readonly container: WorldPath;
}

export const located = <T>(path: WorldPath, things: readonly T[] = []): Located<T>[] =>
  things.map((thing, i) => ({ path: [...path, i], thing }));

export const locatedNoteables = (world: World): LocatedNoteable[] => noteableKinds.flatMap((kind) => {
  const containers = noteables[kind].container === 'group' ? located(['groups'], world.groups)
    : located(['projects'], world.projects);
  return containers.flatMap(({ path, thing }) => {
    const key = collectionName(kind);
    const things = (thing as Readonly<Record<string, unknown>>)[key] as readonly AnyNoteable[] | undefined;
    return located([...path, key], things).map((place) => ({ ...place, kind, container: path }));
  });
});

export const locatedThreads = ({ path, thing }: LocatedNoteable): Located<WorldDiscussion>[] =>
  located([...path, 'discussions'], thing.discussions);

export const locatedDrafts = ({ path, thing }: LocatedNoteable): Located<WorldDraftNote>[] =>
  located([...path, 'draft_notes'], thing.draft_notes);

export const locatedAwards = (noteable: LocatedNoteable): Located<WorldAwardEmoji>[] =>
  locatedThreads(noteable).flatMap(({ path, thing }) => located([...path, 'notes'], thing.notes)).flatMap(
    ({ path, thing }) => located([...path, 'award_emoji'], thing.award_emoji));

export const ofVersion = ['base_sha', 'start_sha', 'head_sha', 'diff'] as const;

/** A merge request with versions has the SHAs and the diff of the last one. The start is by default the base. */
export const withLastVersion = <T extends WorldMergeRequest>(mergeRequest: T): T => {
  const last = mergeRequest.versions?.at(-1) ?? mergeRequest;
  return { ...mergeRequest, ...last.base_sha && { start_sha: last.base_sha }, ...versionValues(last) };
};

const versionValues = (version: Pick<WorldDiffVersion, typeof ofVersion[number]>) =>
  Object.fromEntries(ofVersion.flatMap((name) => version[name] === undefined ? [] : [[name, version[name]]]));

export type LocatedVersion = Located<WorldDiffVersion> & { readonly project: WorldPath };

export const locatedVersions = ({ projects }: World): LocatedVersion[] =>
  located(['projects'], projects).flatMap((project) =>
    located([...project.path, 'merge_requests'], project.thing.merge_requests).flatMap(({ path, thing }) =>
      located([...path, 'versions'], thing.versions).map((version) => ({ ...version, project: project.path }))));
