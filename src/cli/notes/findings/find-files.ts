import { join, resolve } from 'node:path';
import { groupedBy } from '../../../text/groups.js';
import { plainLine } from '../../../text/plain.js';
import { counted, firstOf } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { usage, type Problem } from '../../command-line/failure.js';
import { oncePer } from '../../service/connection/batch.js';
import type { Finding, Guess, OtherPlace } from './finding.js';
import { isAbsolute, isInside, pathBelow, pathWithout } from './paths.js';

interface SearchedTree {
  readonly root: string;
  readonly prefix: string;
  readonly strip: string;
  /** Without a work tree, a missing file may exist elsewhere. */
  readonly hasTree: boolean;
}

interface LocatedFile {
  readonly file: string;
  readonly exists: boolean;
  /** The folder that the file was found below, other than the reported one. */
  readonly foundBelow?: string;
  readonly top?: string;
  /** The files that fit. One is chosen only if it has the longest end of the path, and then it is among them. */
  readonly choices?: readonly Choice[];
  /** The path of a chosen file there. */
  readonly reported?: string;
}

interface Choice { readonly path: string; readonly folder: string }

/**
 * Tools that run in a subfolder or a container report paths from there. With a prefix, relative paths are below it;
 * otherwise a path that exists below exactly one folder is the file there. Of a path from elsewhere, absolute or above
 * the folder of the tool, the longest end that exists is used.
 * @throws Problem for a prefix outside of the root
 */
export const findFiles = async (app: App, tree: SearchedTree, findings: readonly Finding[]) => {
  const { root, prefix, strip, hasTree } = tree;
  const search = searchIn(app, { ...tree, prefix: prefixBelow(root, prefix) });
  const known = new Map<string, LocatedFile>();
  const locate = async (place: Reported): Promise<LocatedFile> => {
    const key = `${place.file}\n${place.fileInBase ?? ''}\n${place.package ?? ''}`;
    const where = known.get(key) ?? await search.locate(place);
    known.set(key, where);
    return where;
  };
  const chosen: { readonly finding: Finding; readonly reported: Reported; readonly where: LocatedFile | null }[] = [];
  for (const { guesses = [], ...finding } of findings) {
    const guess = await firstExisting(guesses, locate) ?? (hasTree ? null : unchecked(finding, guesses));
    const { line, column, ...reported } = guess ?? finding;
    const where = reported.file === '' ? null : await locate(reported);
    chosen.push({ finding: { ...finding, line, column }, reported, where });
  }
  const tops = [...known.values()];
  const all = new Map<LocatedFile, LocatedFile>();
  const located: Finding[] = [];
  for (const { finding, reported, where } of chosen) {
    if (where && !all.has(where)) all.set(where, await search.chooseByTops(where, tops));
    located.push(where === null ? { ...finding, file: '' } : await search.placed(finding, reported, all.get(where)!));
  }
  const found = [...all.values()];
  const isMissing = found.length > 0 && !found.some(({ exists }) => exists);
  return {
    findings: located, linesOf: search.linesOf,
    messages: [
      ...search.isUnstripped() ? [`no reported path begins with --strip ${strip}`] : [],
      ...messagesAboutFound(found, root), ...messagesAboutChoices(found), ...messagesAboutMissing(found),
    ],
    /** Set if findings name files, and none of them exists here. */
    problem: isMissing ? noneExists(found, root, await search.folderInstead(found[0]!)) : null,
    /** They may exist elsewhere: there is no work tree, and their paths are relative. */
    mayExist: !hasTree && found.some(({ file }) => isInside(file)),
  };
};

type Reported = Pick<Finding, 'file' | 'fileInBase'> & Pick<Guess, 'package'>;

const firstExisting = async (
  guesses: readonly Guess[], locate: (place: Reported) => Promise<LocatedFile>,
): Promise<Guess | null> => {
  for (const guess of guesses) if ((await locate(guess)).exists) return guess;
  return null;
};

/** Without the files, the first guess counts, unless the report names another file. */
const unchecked = ({ file }: Finding, [guess]: readonly Guess[]): Guess | null =>
  guess && (file === '' || file === guess.file) ? guess : null;

const prefixBelow = (root: string, prefix: string): string => {
  const folder = pathBelow(root, prefix);
  if (folder === '' || folder === pathBelow('', root)) return '';
  if (isInside(folder)) return folder;
  throw usage(`--prefix ${prefix} is outside of ${root}`, 'pass a folder of the repository');
};

/** Null for a file that is there and cannot be read. */
type Lines = readonly string[] | null;

const searchIn = (app: App, { root, prefix, strip }: SearchedTree) => {
  const known = new Map<string, Lines | undefined>();
  const exists = async (file: string): Promise<boolean> => {
    if (isInside(file) && !known.has(file)) known.set(file, await linesIn(app, root, file));
    return known.get(file) !== undefined;
  };
  let paths: ReadonlyMap<string, readonly string[]> | undefined;
  const pathsEndingWith = async (path: string, within = prefix): Promise<readonly string[]> => {
    paths ??= groupedBy(await app.files.below(root, mostFiles) ?? [], nameIn);
    return (paths.get(nameIn(path)) ?? []).filter((one) => `/${one}`.endsWith(`/${path}`)
      && (within === '' || one.startsWith(`${within}/`)));
  };
  const inPrefix = (path: string) => prefix === '' ? path : pathBelow(root, `${prefix}/${path}`);
  let isStripped = false;
  const stripped = (path: string): string => {
    const rest = strip === '' ? null : pathWithout(strip, path);
    isStripped ||= rest !== null;
    return rest ?? path;
  };
  const findByEnd = async (file: string, shortest = ''): Promise<LocatedFile> => {
    const parts = file.split('/');
    const ends = parts.map((_, i) => parts.slice(i).join('/')).slice(1).filter((end) => end.length >= shortest.length);
    for (const [i, end] of ends.entries()) {
      const found = await pathsEndingWith(end);
      const choices = choicesIn(found, end);
      if (found.length > 1) return { file, exists: false, choices };
      const [path] = found;
      if (path === undefined || !await exists(path)) continue;
      const located = { file: path, exists: true, foundBelow: choices[0]!.folder, top: file.slice(0, -end.length - 1) };
      const shorter = await Promise.all(ends.slice(i + 1).map(async (one) =>
        choicesIn((await pathsEndingWith(one)).filter((other) => other === inPrefix(one) && other !== path), one)));
      const more = shorter.flat();
      return more.length === 0 ? located : { ...located, choices: [...choices, ...more], reported: file };
    }
    return { file, exists: false };
  };
  /** A path that is not below the root may lead there by a link. If it leads elsewhere, it is no path of a copy. */
  const locateOutside = async (path: string): Promise<LocatedFile> => {
    const here = resolve(root, path);
    if (await app.files.kindOf(here) === null) {
      return isAbsolute(path) || prefix === '' ? findByEnd(path) : { file: path, exists: false };
    }
    const file = await app.files.realPath(here, root) ?? path;
    return { file, exists: await exists(file) };
  };
  const findDeclaring = async ({ file, package: name = '' }: Reported): Promise<LocatedFile | null> => {
    const found: string[] = [];
    for (const path of name === '' ? [] : await pathsEndingWith(nameIn(file))) {
      if (await exists(path) && declares(known.get(path)!, name)) found.push(path);
    }
    return found.length === 1 ? { file: found[0]!, exists: true } : null;
  };
  const locate = async (reported: Reported): Promise<LocatedFile> => {
    const found = await locateAs(reported);
    if (found.exists || !reported.file.includes('\\')) return found;
    const [file, fileInBase] = [reported.file, reported.fileInBase].map((path) => path?.replaceAll('\\', '/'));
    return locateAs({ ...reported, file: file!, ...fileInBase !== undefined && { fileInBase } });
  };
  const locateAs = async (reported: Reported): Promise<LocatedFile> => {
    const path = stripped(reported.file);
    const file = isAbsolute(path) ? pathBelow(root, path) : inPrefix(pathBelow(root, path));
    if (await exists(file)) return { file, exists: true };
    const relative = pathBelow(root, reported.fileInBase ?? path);
    if (!isInside(relative)) return locateOutside(file);
    if (reported.fileInBase !== undefined) {
      // The base may be a folder of the repository.
      const byEnd = isAbsolute(file) ? await findByEnd(file, relative) : null;
      if (byEnd?.exists) return byEnd;
      if (await exists(inPrefix(relative))) return { file: inPrefix(relative), exists: true, foundBelow: prefix };
    }
    const found = prefix === '' ? await pathsEndingWith(relative) : [];
    const choices = choicesIn(found, relative);
    if (choices.length !== 1) {
      if (choices.length === 0 && isAbsolute(file)) return locateOutside(file);
      return await findDeclaring(reported) ?? { file, exists: false, choices };
    }
    return { file: found[0]!, exists: await exists(found[0]!), foundBelow: choices[0]!.folder };
  };
  const chooseByTops = async (where: LocatedFile, others: readonly LocatedFile[]): Promise<LocatedFile> => {
    const { choices, reported: path = where.file } = where;
    if (isInside(path) || !choices) return where;
    const files = new Map(others.flatMap(({ top, foundBelow: folder = '', choices: unsure }) => {
      if (top === undefined || unsure || !path.startsWith(`${top}/`)) return [];
      return [[`${folder === '' ? '' : `${folder}/`}${path.slice(top.length + 1)}`, folder]];
    }));
    const [[file, folder] = []] = files;
    if (files.size !== 1 || !await exists(file!)) return where;
    return { file: file!, exists: true, foundBelow: folder! };
  };
  const linesOf = (file: string) => known.get(file) ?? null;
  /** Paths are normalized, so a file whose name looks like another path is found only by that very name. */
  const literal = async (reported: string): Promise<readonly string[]> => {
    const given = reported.replace(/^file:\/\//i, '');
    const below = prefix === '' ? given : `${prefix}/${given}`;
    const path = given.startsWith(`${root}/`) ? given.slice(root.length + 1) : below;
    if (!/[\\:%]/.test(path) || path.startsWith('/')) return [];
    return await linesIn(app, root, path) === undefined ? [] : [path];
  };
  /** The file that the path leads to by links, which the merge request may change instead. */
  const targetsOf = oncePer(async (file: string): Promise<readonly string[]> => {
    const target = isInside(file) ? await app.files.realPath(join(root, file), root) : null;
    return target === null ? [] : [target];
  });
  const placed = async (
    { otherPlaces: given = [], ...finding }: Finding, { file: reported }: Reported, { file, choices = [] }: LocatedFile,
  ): Promise<Finding> => {
    const { line } = finding;
    const names = await Promise.all([reported, ...given.map((one) => one.file)].map(literal));
    // macOS finds a name whose letters are composed otherwise than in git.
    const composed = isInside(file) ? [file.normalize('NFC'), file.normalize('NFD')] : [];
    const files = new Set([...choices.map(({ path }) => path), ...names.flat(), ...await targetsOf(file), ...composed]);
    if (isInside(file)) files.delete(file);
    const inFiles = [...files].map((one): OtherPlace => ({ file: one, line }));
    const otherPlaces = [...inFiles, ...otherLines(file, line, linesOf(file))];
    return { ...finding, file, ...otherPlaces.length > 0 && { otherPlaces } };
  };
  /** The only folder that has the file, if it is not that of the prefix. */
  const folderInstead = async ({ file }: LocatedFile): Promise<string | null> => {
    const path = prefix === '' || !file.startsWith(`${prefix}/`) ? null : file.slice(prefix.length + 1);
    const choices = path === null ? [] : choicesIn(await pathsEndingWith(path, ''), path);
    return choices.length === 1 ? choices[0]!.folder || null : null;
  };
  return {
    linesOf, locate, chooseByTops, placed, folderInstead,
    isUnstripped: () => strip !== '' && !isStripped,
  };
};

const choicesIn = (paths: readonly string[], end: string): Choice[] =>
  paths.map((path) => ({ path, folder: path.slice(0, Math.max(0, path.length - end.length - 1)) }));

const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Files of Kotlin, Scala and Groovy need no folders for their packages. */
const declares = (lines: Lines, name: string): boolean => lines?.some((line) => {
  const [, declared] = /^\s{0,20}package ([\w.]{1,999})/.exec(line) ?? [];
  return declared === name;
}) ?? false;

/** A walk through more would take seconds. */
const mostFiles = 500_000;

const largestSource = 10_485_760;

const linesIn = async ({ files }: App, root: string, path: string): Promise<Lines | undefined> => {
  try {
    const content = await files.readLimited(join(root, path), largestSource, root);
    return Buffer.from(content).toString().split('\n');
  } catch (error) {
    return codesOfMissing.includes((error as NodeJS.ErrnoException).code ?? '') ? undefined : null;
  }
};

/** The last two are those of a name that no file can have: too long, or with a zero character. */
const codesOfMissing = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'];

/** What some tools count as the end of a line, and git does not: they agree on `\n` and `\r\n`. */
const oddEnd = /\r(?!$)|[\v\f\u0085\u2028\u2029]/g;

/** More than these are the whole file. */
const mostOtherLines = 50;

/**
 * The lines of git that a tool may mean too: one odd end of a line above the finding is enough to move it from an
 * added line to an unchanged one. Compilers report what is missing at the end on the line after the last one; of a line
 * further down, the tool has read another text. @param lines of git
 */
export const otherLines = (
  file: string, line: number | null, lines: readonly string[] | null,
): readonly OtherPlace[] => {
  if (line === null || lines === null) return [];
  const ends = oddEndsIn(lines);
  if (line > lines.length + ends) return [{ file, line: null }];
  if (line === lines.length && ends === 0 && lines.at(-1) === '') return line === 1 ? [] : [{ file, line: line - 1 }];
  const first = leastLine(line, lines);
  const last = Math.min(line - 1, lines.length);
  if (last - first >= mostOtherLines) return [{ file, line: null }];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => ({ file, line: first + i }));
};

const oddEndsIn = (lines: readonly string[]): number =>
  lines.reduce((sum, text) => sum + (text.match(oddEnd)?.length ?? 0), 0);

/** Where the line is if each odd end counts. */
const leastLine = (line: number, lines: readonly string[]): number => {
  let ends = 0;
  for (const [i, text] of lines.entries()) {
    ends += text.match(oddEnd)?.length ?? 0;
    if (i + 1 + ends >= line) return i + 1;
  }
  return ends === 0 ? line : lines.length;
};

const reportedFiles = (count: number): string => counted(count, 'reported file');

const messagesAboutFound = (all: readonly LocatedFile[], root: string): string[] => {
  const sure = all.filter(({ choices = [] }) => choices.length === 0);
  const folders = new Set(sure.map(({ foundBelow }) => foundBelow).filter((folder) => folder !== undefined));
  return [...folders].map((folder) => {
    const found = sure.filter(({ foundBelow }) => foundBelow === folder);
    return `found ${reportedFiles(found.length)} below ${folder || root}, such as ${found[0]!.file}`;
  });
};

const messagesAboutChoices = (all: readonly LocatedFile[]): string[] => {
  const unclear = all.filter(({ choices = [] }) => choices.length > 0);
  const [first] = unclear;
  if (!first) return [];
  const { file, reported, choices = [] } = first;
  const where = reported !== undefined ? `is ${anyOf(choices.map(({ path }) => path), 'or')}`
    : `exists below ${anyOf(choices.map(({ folder }) => folder || 'the top'), 'and')}`;
  return [`cannot tell where ${reportedFiles(unclear.length)} ${unclear.length === 1 ? 'is' : 'are'}: `
    + `${reported ?? file} ${where}; pass ${isAbsolute(reported ?? file) ? '--strip PREFIX' : '--prefix DIR'}`];
};

const anyOf = (names: readonly string[], word: string): string => names.slice(0, 5).join(` ${word} `);

const messagesAboutMissing = (all: readonly LocatedFile[]): string[] => {
  const missing = all.filter(({ file, exists, choices = [] }) => !exists && choices.length === 0 && !isAbsolute(file));
  if (missing.length === 0 || !all.some(({ exists }) => exists)) return [];
  return [`${reportedFiles(missing.length)} ${missing.length === 1 ? 'does' : 'do'} not exist: ${firstThree(missing)}`];
};

const noneExists = (all: readonly LocatedFile[], root: string, instead: string | null): Problem => usage(
  plainLine(all.length === 1 ? `the reported file ${all[0]!.file} does not exist in ${root}`
    : `none of the ${reportedFiles(all.length)} exists in ${root}: ${firstThree(all)}`),
  instead !== null ? plainLine(`did you mean the folder ${instead}?`) : all.every(({ file }) => isAbsolute(file))
    ? 'pass --strip PREFIX, the folder of the repository where the tool ran, or run the command in that repository'
    : 'run the command in the repository that the tool checked, or pass --prefix DIR or --root DIR');

const firstThree = (places: readonly LocatedFile[]): string => firstOf(places.map(({ file }) => file), 3);
