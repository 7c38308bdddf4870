import { execFile } from 'node:child_process';
import { chmod, mkdtemp, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TrackedFiles } from '../../app.js';
import { readLimitedFile } from './files.js';
import { largestInput } from './streams.js';

/** @param findTop resolves to the top of the work tree, or null */
export const trackedFiles = (findTop: () => Promise<string | null>): TrackedFiles => {
  const top = async () => {
    const folder = await findTop();
    if (folder === null) throw coded('ENOTREE');
    return folder;
  };
  return {
    at: async (revision, path) => {
      const folder = await findTop();
      if (folder === null || revision.startsWith('-')) return null;
      return git(folder, ['cat-file', 'blob', `${revision}:${path}`]).catch(() => null);
    },
    read: async (path) => {
      const folder = await top();
      await checkTracked(folder, path);
      const real = await realpath(join(folder, path));
      if (real !== join(await realpath(folder), path)) throw coded('ELINK');
      return readLimitedFile(real, largestInput, folder);
    },
    replace: async (contents) => { await replaceAll(await top(), contents); },
    commit: async (paths, message) => {
      const folder = await top();
      await git(folder, ['commit', '--quiet', '--only', `--message=${message}`, '--', ...paths.map(literally)]);
      return (await git(folder, ['rev-parse', 'HEAD'])).toString('utf8').trim();
    },
  };
};

const literally = (path: string): string => `:(top,literal)${path}`;

/** Git writes `MODE SHA STAGE<tab>PATH`, for each stage of a conflict. */
const checkTracked = async (folder: string, path: string): Promise<void> => {
  const listed = await git(folder, ['ls-files', '--stage', '-z', '--', literally(path)]).catch(() => Buffer.alloc(0));
  const entries = listed.toString('utf8').split('\0').filter((entry) => entry !== '');
  const [, mode, stage] = /^(\d+) [0-9a-f]+ (\d)\t/.exec(entries[0] ?? '') ?? [];
  const isThis = entries.length === 1 && entries[0]!.slice(entries[0]!.indexOf('\t') + 1) === path && stage === '0';
  if (isThis && mode === '120000') throw coded('ELINK');
  if (!isThis || !/^100(644|755)$/.test(mode!)) throw coded('EUNTRACKED');
};

/** Written beside the old ones first. If one cannot be put in its place, the ones before it get their content back. */
const replaceAll = async (folder: string, contents: ReadonlyMap<string, Uint8Array>): Promise<void> => {
  const prepared: Prepared[] = [];
  const replaced: Prepared[] = [];
  try {
    for (const [path, content] of contents) prepared.push(await prepare(join(folder, path), content));
    for (const one of prepared) {
      await rename(one.next, one.path);
      replaced.push(one);
    }
  } catch (error) {
    for (const { old, path } of replaced) await rename(old, path);
    throw error;
  } finally {
    for (const { drawer } of prepared) await rm(drawer, { recursive: true, force: true });
  }
};

interface Prepared { readonly path: string; readonly drawer: string; readonly next: string; readonly old: string }

/** In a folder of its own beside the file, so that no file of the user has one of these names. */
const prepare = async (path: string, content: Uint8Array): Promise<Prepared> => {
  const { mode } = await stat(path);
  const drawer = await mkdtemp(join(dirname(path), '.colloquy-'));
  const [next, old] = [join(drawer, 'next'), join(drawer, 'old')];
  try {
    await writeFile(next, content, { flag: 'wx' });
    await writeFile(old, await readLimitedFile(path, largestInput), { flag: 'wx' });
    for (const copy of [next, old]) await chmod(copy, mode & 0o7777);
    return { path, drawer, next, old };
  } catch (error) {
    await rm(drawer, { recursive: true, force: true });
    throw error;
  }
};

/** Rejects with what git wrote on stderr. */
const git = (folder: string, words: readonly string[]): Promise<Buffer> => new Promise((resolve, reject) => {
  execFile('git', words, { cwd: folder, encoding: 'buffer', maxBuffer: largestInput }, (error, stdout, stderr) => {
    if (!error) resolve(stdout);
    else reject(coded('EGIT', stderr.toString('utf8').trim() || error.message));
  });
});

const coded = (code: string, message: string = code): Error => Object.assign(new Error(message), { code });
