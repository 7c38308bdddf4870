import { join } from 'node:path';
import { plainLine } from '../../../text/plain.js';
import { counted } from '../../../text/counted.js';
import type { App } from '../../app.js';
import { usage, type Problem } from '../../command-line/errors/failure.js';
import type { Finding } from './finding.js';
import { isAbsolute, isInside, pathBelow } from './paths.js';

interface FoundFiles {
  /** With paths from the top of the repository; in the order of the findings. */
  readonly findings: readonly Finding[];
  /** Null if the file cannot be read. */
  readonly linesOf: (file: string) => readonly string[] | null;
  /** What a user has to know about paths that were changed or are missing. */
  readonly messages: readonly string[];
  /** If findings name files, and none of them exists. */
  readonly problem: Problem | null;
}

/** Of one reported file. */
interface Place {
  readonly file: string;
  readonly exists: boolean;
  /** It is below this folder in place of the reported one. */
  readonly foundBelow?: string;
  /** It is below each of these, so none of them is chosen. */
  readonly choices?: readonly string[];
}

/**
 * Tools that run in a subfolder or a container report paths from there. With a prefix, relative paths are below it;
 * else one that exists below exactly one folder is the file there.
 * @throws Problem for a prefix outside of the root
 */
export const findFiles = async (
  app: App, root: string, prefix: string, findings: readonly Finding[],
): Promise<FoundFiles> => {
  const search = searchIn(app, root, prefixBelow(root, prefix));
  const places = new Map<string, Place>();
  for (const finding of findings) {
    const key = reportedPath(finding);
    if (finding.file !== '' && !places.has(key)) places.set(key, await search.placeOf(finding));
  }
  const all = [...places.values()];
  const isMissing = all.length > 0 && !all.some(({ exists }) => exists);
  return {
    findings: findings.map((finding) => ({ ...finding, file: places.get(reportedPath(finding))?.file ?? '' })),
    linesOf: search.linesOf,
    messages: [...messagesAboutFound(all), ...messagesAboutChoices(all), ...isMissing ? [] : messagesAboutMissing(all)],
    problem: isMissing ? noneExists(all, root) : null,
  };
};

const reportedPath = ({ file, fileInBase = '' }: Finding): string => `${file}\n${fileInBase}`;

const prefixBelow = (root: string, prefix: string): string => {
  const folder = pathBelow(root, prefix);
  if (folder === '' || folder === pathBelow('', root)) return '';
  if (isInside(folder)) return folder;
  throw usage(`--prefix ${prefix} is outside of ${root}`, 'pass a folder of the repository');
};

/** Null if it exists, but cannot be read. */
type Lines = readonly string[] | null;

const searchIn = (app: App, root: string, prefix: string) => {
  const known = new Map<string, Lines | undefined>();
  const exists = async (file: string): Promise<boolean> => {
    if (isInside(file) && !known.has(file)) known.set(file, await linesIn(app, root, file));
    return known.get(file) !== undefined;
  };
  let paths: readonly string[] | undefined;
  const foldersWith = async (file: string): Promise<readonly string[]> => {
    paths ??= await app.files.below(root, mostFiles) ?? [];
    return paths.filter((path) => path.endsWith(`/${file}`)).map((path) => path.slice(0, -file.length - 1));
  };
  const inPrefix = (path: string) => prefix === '' ? path : pathBelow(root, `${prefix}/${path}`);
  return {
    linesOf: (file: string) => known.get(file) ?? null,
    placeOf: async ({ file: reported, fileInBase }: Finding): Promise<Place> => {
      const file = isAbsolute(reported) ? pathBelow(root, reported) : inPrefix(pathBelow(root, reported));
      if (await exists(file)) return { file, exists: true };
      const relative = pathBelow(root, fileInBase ?? reported);
      if (!isInside(relative)) return { file, exists: false };
      if (fileInBase !== undefined && await exists(inPrefix(relative))) {
        return { file: inPrefix(relative), exists: true, foundBelow: prefix === '' ? root : prefix };
      }
      const folders = prefix === '' ? await foldersWith(relative) : [];
      if (folders.length !== 1) return { file, exists: false, choices: folders };
      const [folder] = folders;
      return { file: `${folder}/${relative}`, exists: await exists(`${folder}/${relative}`), foundBelow: folder! };
    },
  };
};

/** A walk through more would take seconds. */
const mostFiles = 500_000;

/** Larger ones are not source. In bytes. */
const largestSource = 10_485_760;

/** Of a regular file below the root, links resolved; undefined if there is none. */
const linesIn = async ({ files }: App, root: string, path: string): Promise<Lines | undefined> => {
  try {
    const content = await files.readLimited(join(root, path), largestSource, root);
    return Buffer.from(content).toString().split('\n');
  } catch (error) {
    return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? undefined : null;
  }
};

const reportedFiles = (count: number): string => counted(count, 'reported file');

const messagesAboutFound = (all: readonly Place[]): string[] => {
  const folders = new Set(all.map(({ foundBelow }) => foundBelow).filter((folder) => folder !== undefined));
  return [...folders].map((folder) => {
    const found = all.filter(({ foundBelow }) => foundBelow === folder);
    return `found ${reportedFiles(found.length)} below ${folder}, such as ${found[0]!.file}`;
  });
};

const messagesAboutChoices = (all: readonly Place[]): string[] => {
  const unclear = all.filter(({ choices = [] }) => choices.length > 0);
  const [first] = unclear;
  if (!first) return [];
  const folders = first.choices!.slice(0, 5).join(' and ');
  return [`cannot tell where ${reportedFiles(unclear.length)} ${unclear.length === 1 ? 'is' : 'are'}: `
    + `${first.file} exists below ${folders}; pass --prefix DIR`];
};

const messagesAboutMissing = (all: readonly Place[]): string[] => {
  const missing = all.filter(({ file, exists, choices = [] }) => !exists && choices.length === 0 && isInside(file));
  if (missing.length === 0) return [];
  return [`${reportedFiles(missing.length)} ${missing.length === 1 ? 'does' : 'do'} not exist: ${someOf(missing)}`];
};

const noneExists = (all: readonly Place[], root: string): Problem => usage(
  plainLine(all.length === 1 ? `the reported file ${all[0]!.file} does not exist in ${root}`
    : `none of the ${reportedFiles(all.length)} exists in ${root}: ${someOf(all)}`),
  'run the command in the repository that the tool checked, or pass --prefix DIR or --root DIR');

const someOf = (places: readonly Place[]): string => {
  const shown = places.slice(0, 3).map(({ file }) => file).join(', ');
  return places.length > 3 ? `${shown} and ${places.length - 3} more` : shown;
};
