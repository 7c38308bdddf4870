import { located, type Located } from './places.js';
import type { Path } from './problem.js';
import type { World, WorldDiffVersion, WorldMergeRequest } from './schema.js';

export const ofVersion = ['base_sha', 'start_sha', 'head_sha', 'diff'] as const;

/** With the SHAs and the diff of its last version. */
export const withLastVersion = <T extends WorldMergeRequest>(mergeRequest: T): T => {
  const last = mergeRequest.versions?.at(-1);
  return last === undefined ? mergeRequest : { ...mergeRequest, start_sha: last.base_sha, ...valuesOf(last) };
};

const valuesOf = (version: WorldDiffVersion) =>
  Object.fromEntries(ofVersion.flatMap((name) => version[name] === undefined ? [] : [[name, version[name]]]));

export type LocatedVersion = Located<WorldDiffVersion> & { readonly project: Path };

export const locatedVersions = ({ projects }: World): LocatedVersion[] =>
  located(['projects'], projects).flatMap((project) =>
    located([...project.path, 'merge_requests'], project.thing.merge_requests).flatMap(({ path, thing }) =>
      located([...path, 'versions'], thing.versions).map((version) => ({ ...version, project: project.path }))));
