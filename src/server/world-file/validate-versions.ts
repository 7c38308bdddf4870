import { patchProblem } from '../../diff/patch.js';
import { isFilePath } from '../repositories/files.js';
import { located, type Located } from './places.js';
import { formatPath, type Problem } from './problem.js';
import type { World, WorldMergeRequest } from './schema.js';
import { locatedVersions, ofVersion, withLastVersion, type LocatedVersion } from './versions.js';

export const versionProblems = (world: World): Problem[] => {
  const versions = locatedVersions(world);
  return [
    ...mergeRequestsOf(world).flatMap(lastVersionProblems), ...versions.flatMap(incomplete),
    ...baseFileProblems(versions),
    ...[...versions, ...located(['projects'], world.projects)].flatMap(pathProblems),
  ];
};

const mergeRequestsOf = ({ projects }: World): Located<WorldMergeRequest>[] =>
  located(['projects'], projects).flatMap(({ path, thing }) =>
    located([...path, 'merge_requests'], thing.merge_requests));

const lastVersionProblems = ({ path, thing }: Located<WorldMergeRequest>): Problem[] => {
  const last = withLastVersion(thing);
  return ofVersion.filter((name) => thing[name] !== undefined && thing[name] !== last[name]).map((name) => ({
    path: [...path, name], reason: `${formatPath([...path, name])} differs from that of the last version`,
    hint: () => `leave out ${name} of the merge request`,
  }));
};

const incomplete = ({ path, thing }: LocatedVersion): Problem[] => {
  const missing = (['base_sha', 'head_sha'] as const).filter((name) => thing[name] === undefined);
  const reason = thing.diff === undefined ? null : patchProblem(thing.diff);
  return [
    ...missing.length === 0 ? [] : [{ path, reason: `${formatPath(path)} is missing ${missing.join(', ')}` }],
    ...reason === null ? [] : [{
      path: [...path, 'diff'], reason: `${formatPath([...path, 'diff'])} ${reason}`,
      hint: () => 'use the output of git diff',
    }],
  ];
};

/** A commit has one set of files. */
const baseFileProblems = (versions: readonly LocatedVersion[]): Problem[] => {
  const known = new Map<string, string>();
  return versions.flatMap(({ path, thing: { base_sha, base_files }, project }) => {
    if (base_files === undefined) return [];
    const key = `${formatPath(project)} ${base_sha}`;
    const files = JSON.stringify(Object.entries(base_files).sort());
    const former = known.get(key) ?? files;
    known.set(key, former);
    const at = [...path, 'base_files'];
    return former === files ? [] : [{ path: at, reason: `${formatPath(at)} differs from that of the same base_sha` }];
  });
};

const pathProblems = (
  { path, thing }: Located<{ readonly files?: object; readonly base_files?: object }>,
): Problem[] => (['files', 'base_files'] as const).flatMap((key) => Object.keys(thing[key] ?? {})
  .filter((file) => !isFilePath(file)).map((file) => ({
    path: [...path, key, file], atKey: true as const,
    reason: `${formatPath([...path, key])}: invalid path ${JSON.stringify(file)}`,
    hint: () => 'use a path such as src/app.ts, of at most 500 characters',
  })));
