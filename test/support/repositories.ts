import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** All files of a repository by path, with its history, to start others with: git takes longer than all else in a test. */
export type Contents = ReadonlyMap<string, Buffer>;

let empty: Contents | undefined;

const own = '[user]\n\tname = Own\n\temail = own@example.com\n[commit]\n\tgpgsign = false\n[core]\n\tautocrlf = false\n';

/** A git repository in a temporary folder, without the user's configuration. @param contents of another; empty by default */
export const repository = (contents?: Contents) => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-repository-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = (program: string, ...words: string[]): string => execFileSync(program, words, {
    cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  }).trim();
  const git = (...words: string[]): string => run('git', ...words);
  const write = (files: Readonly<Record<string, string | Buffer>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const start = contents ?? empty;
  if (start) {
    for (const kept of ['.git/refs/heads', '.git/refs/tags', '.git/objects', '.git/hooks']) mkdirSync(join(folder, kept), { recursive: true });
    write(Object.fromEntries(start));
  } else {
    git('init', '-q', '-b', 'main', '--template=');
    write({ '.git/config': `${read('.git/config')}${own}` });
    empty = contentsOf(folder);
  }
  return {
    folder, git, write, read,
    contents: () => contentsOf(folder),
    commit: (files: Readonly<Record<string, string>>): string => {
      write(files);
      return run('sh', '-c', 'git add . && git commit -q -m change && git rev-parse HEAD');
    },
  };
};
export type Repository = ReturnType<typeof repository>;

const contentsOf = (folder: string): Contents => new Map(
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path.slice(folder.length + 1), readFileSync(path)];
  }));
