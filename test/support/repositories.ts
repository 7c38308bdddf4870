import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A git repository in a temporary folder, without the user's configuration. */
export const repository = () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-repository-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...words: string[]): string => execFileSync('git', words, {
    cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  }).trim();
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  git('init', '-q', '-b', 'main');
  for (const [name, value] of [['user.name', 'Own'], ['user.email', 'own@example.com'], ['commit.gpgsign', 'false'], ['core.autocrlf', 'false']]) {
    git('config', name!, value!);
  }
  return {
    folder, git, write,
    read: (path: string): string => readFileSync(join(folder, path), 'utf8'),
    commit: (files: Readonly<Record<string, string>>): string => {
      write(files);
      git('add', '.');
      git('commit', '-q', '-m', 'change');
      return git('rev-parse', 'HEAD');
    },
  };
};
export type Repository = ReturnType<typeof repository>;
