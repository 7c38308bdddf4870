import { execFile, type ExecFileOptions } from 'node:child_process';
import { access, chmod, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Git, Remote, TrackedFiles, Tracking } from '../../app.js';
import { coded, readLimitedFile } from './files.js';
import { largestInput } from './streams.js';

export const gitIn = (folder: () => string): Git => {
  const top = () => workTreeAround(folder());
  return {
    top, branch: async () => branchOf(await top()), remotes: gitRemotes, ...gitAnswers(),
    tracked: trackedFiles(top),
  };
};

const workTreeAround = async (folder: string): Promise<string | null> => {
  const isTop = await access(join(folder, '.git')).then(() => true, () => false);
  if (isTop) return folder;
  return dirname(folder) === folder ? null : workTreeAround(dirname(folder));
};

const branchOf = async (top: string | null): Promise<string | null> => {
  if (top === null) return null;
  const head = await readFile(join(await gitFolder(top), 'HEAD'), 'utf8').catch(() => '');
  const inFile = branchIn(/^ref: (.+)$/m.exec(head)?.[1]);
  // In the reftable format, this file does not name the branch.
  return inFile === '.invalid' ? branchIn(await git(['symbolic-ref', '--quiet', 'HEAD'])) : inFile;
};

const branchIn = (ref: string | null | undefined): string | null => /^refs\/heads\/(.+)$/m.exec(ref ?? '')?.[1] ?? null;

/** Linked work trees and submodules have a file instead of the folder, which names another one. */
const gitFolder = async (top: string): Promise<string> => {
  const path = join(top, '.git');
  const link = await readFile(path, 'utf8').catch(() => '');
  return resolve(top, /^gitdir: (.+)$/m.exec(link)?.[1] ?? path);
};

const gitRemotes = async (): Promise<readonly Remote[]> =>
  remotesIn(await git(['remote', '--verbose'], 2_000) ?? '');

/** Reads `git remote --verbose`. If git also pushes to the address that it fetches from, that one counts. */
export const remotesIn = (text: string): Remote[] => {
  const lines = text.split('\n').flatMap((line) => {
    const [, name, url, use] = /^(\S+)\t(.+) \((fetch|push)\)(?: \[[^[\]]*\])?$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, url: url!, use }];
  });
  return lines.filter(({ use }) => use === 'fetch').map(({ name, url }) => {
    const pushUrls = lines.filter((line) => line.use === 'push' && line.name === name).map((line) => line.url);
    return { name, url, ...pushUrls.length > 0 && !pushUrls.includes(url) && { pushUrls } };
  });
};

/** The form that services use, whatever the user configured. `-l0`: no renamed file looks like a deleted one. */
const diffOptions = [
  '--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '-l0', '--no-relative', '--unified=3',
  '--inter-hunk-context=0', '--diff-algorithm=myers', '--src-prefix=a/', '--dst-prefix=b/',
];

/** What git knows of commits and branches. @param timeout in milliseconds: nothing is known if git takes longer */
export const gitAnswers = (timeout?: number): Pick<Git, 'diff' | 'sha' | 'tracking' | 'distance'> => ({
  /** Programs in the repository's configuration are not run, and paths are not patterns. */
  diff: (from, to, paths) => git(['diff', ...diffOptions, from, to, '--', ...paths.map(literally)], timeout),

  sha: async (revision) => revision.startsWith('-') ? null
    : (await git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], timeout))?.trim() ?? null,

  tracking: async (branch) => {
    const places = ['for-each-ref', '--format=%(upstream) %(push)', `refs/heads/${branch}`];
    const [text, isPushed] = await Promise.all([
      git(['config', '--null', '--get-regexp', trackingKeys], timeout),
      git(places, timeout).then((out) => /^(\S+) \1$/m.test(out ?? '')),
    ]);
    return { ...trackingIn(text ?? '', branch), isPushed };
  },

  distance: async (from, to) => {
    if ([from, to].some((sha) => !/^[0-9a-f]{4,64}$/i.test(sha))) return null;
    const counts = await git(['rev-list', '--left-right', '--count', `${from}...${to}`, '--'], timeout);
    const [, onlyFrom, onlyTo] = /^(\d+)\t(\d+)/.exec(counts ?? '') ?? [];
    return onlyFrom === undefined ? null : { onlyFrom: Number(onlyFrom), onlyTo: Number(onlyTo) };
  },
});

const trackingKeys = '^(branch\\..*\\.(merge|remote|pushremote)|remote\\.pushdefault)$';

/** Git takes the last of several values. */
const trackingIn = (text: string, branch: string): Omit<Tracking, 'isPushed'> => {
  const values = new Map(text.split('\0').map((entry) => {
    const end = entry.indexOf('\n');
    return [entry.slice(0, end), entry.slice(end + 1)];
  }));
  const own = (key: string) => values.get(`branch.${branch}.${key}`) ?? null;
  return {
    ref: own('merge'), remote: own('remote'), pushRemote: own('pushremote') ?? values.get('remote.pushdefault') ?? null,
  };
};

/** Null if git fails, or takes longer. @param timeout in milliseconds */
const git = (words: readonly string[], timeout = 5_000): Promise<string | null> =>
  gitOrFail(words, { timeout, maxBuffer: 16 * 1024 * 1024 }).then((output) => output.toString('utf8'), () => null);

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
      return gitOrFail(['cat-file', 'blob', `${revision}:${path}`], { cwd: folder }).catch(() => null);
    },
    read: async (path) => {
      const folder = await top();
      await checkTracked(folder, path);
      const real = await realpath(join(folder, path));
      if (real !== join(await realpath(folder), path)) throw coded('ELINK');
      return readLimitedFile(real, largestInput, folder);
    },
    replace: async (contents) => { await replaceAll(await top(), contents); },
    commit: async (paths, message, signal) => {
      const cwd = await top();
      const files = ['--', ...paths.map(literally)];
      const commitIn = async (...words: string[]) => (await gitOrFail(words, { cwd })).toString('utf8').trim();
      const head = await commitIn('rev-parse', 'HEAD');
      try {
        await gitOrFail(['commit', '--quiet', '--only', `--message=${message}`, ...files],
          { cwd, signal, mayFetch: true });
        return await commitIn('rev-parse', 'HEAD');
      } catch (error) {
        // Hooks run after the commit, too.
        const made = await commitIn('rev-list', '--max-count=1', `${head}..HEAD`, ...files);
        if (made === '') throw error;
        return made;
      }
    },
  };
};

const literally = (path: string): string => `:(top,literal)${path}`;

/** Git writes `MODE SHA STAGE<tab>PATH`, for each stage of a conflict. */
const checkTracked = async (folder: string, path: string): Promise<void> => {
  const listed = await gitOrFail(['ls-files', '--stage', '-z', '--', literally(path)], { cwd: folder })
    .catch(() => Buffer.alloc(0));
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

/** Variables that change the meaning of paths and the form of a diff despite options. */
const changingVariables = /^GIT_((LITERAL|GLOB|NOGLOB|ICASE)_PATHSPECS|DIFF_OPTS)$/;

const gitVariables = (mayFetch: boolean): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !changingVariables.test(name))),
  ...!mayFetch && { GIT_ALLOW_PROTOCOL: 'none' },
});

interface GitOptions extends Pick<ExecFileOptions, 'cwd' | 'timeout' | 'maxBuffer' | 'signal'> {
  /** For hooks. Elsewhere, a partial clone that fetches a missing file could prompt for a password, or wait. */
  readonly mayFetch?: boolean;
}

const gitOrFail = (
  words: readonly string[], { signal, mayFetch = false, ...options }: GitOptions,
): Promise<Buffer> => new Promise((resolve, reject) => {
  signal?.throwIfAborted();
  const all = { encoding: 'buffer', maxBuffer: largestInput, env: gitVariables(mayFetch), ...options } as const;
  const child = execFile('git', words, all, (error, stdout, stderr) => {
    signal?.removeEventListener('abort', stop);
    if (!error) resolve(stdout);
    else reject(coded('EGIT', stderr.toString('utf8').trim() || error.message));
  });
  // Its hooks, which may run on, keep its output open.
  const stop = () => { child.once('exit', () => reject(signal!.reason as Error)).kill(); };
  signal?.addEventListener('abort', stop);
});
