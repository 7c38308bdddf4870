import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { serving } from '../client/support/loopback.js';
import { ended, newHome, program, type Env } from '../support/program.js';

/** Runs the built program in a folder of a new home, with these files in the home. */
const ranAt = async (folder: string, files: Readonly<Record<string, string>>, words: readonly string[], own: Env = {}) => {
  const { home, env } = newHome();
  const cwd = join(home, folder);
  mkdirSync(cwd, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text.replaceAll('HOME', home));
  }
  return ended(spawn(process.execPath, [program, ...words], { cwd, env: { ...env, ...own }, stdio: ['ignore', 'pipe', 'pipe'] }));
};

describe('the branch that is checked out', () => {
  /** The branches whose merge requests the program asks for. */
  const asked = async (folder: string, files: Readonly<Record<string, string>>, own: Env = {}) => {
    const branches: (string | null)[] = [];
    const url = await serving((incoming, answer) => {
      branches.push(new URL(incoming.url!, 'http://x').searchParams.get('source_branch'));
      answer.setHeader('content-type', 'application/json').end('[]');
    });
    await ranAt(folder, files, ['discussions', 'list'], { COLLOQUY_URL: url, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', ...own });
    return branches;
  };

  it('is that of the nearest repository around the folder', async () => {
    const outer = { '.git/HEAD': 'ref: refs/heads/outer\n' };
    expect(await asked('a/b', outer)).toEqual(['outer']);
    expect(await asked('a/b', { ...outer, 'a/.git/HEAD': 'ref: refs/heads/feature/x\n' })).toEqual(['feature/x']);
  });

  it('of a linked work tree is its own, wherever it is', async () => {
    const files = {
      'repo/.git/HEAD': 'ref: refs/heads/main\n', 'repo/.git/worktrees/w/HEAD': 'ref: refs/heads/topic\n',
      'repo/w/.git': 'gitdir: HOME/repo/.git/worktrees/w\n', 'elsewhere/.git': 'gitdir: HOME/repo/.git/worktrees/w\n',
    };
    expect([await asked('repo/w/src', files), await asked('elsewhere', files)]).toEqual([['topic'], ['topic']]);
  });

  it('of a submodule is its own, by a path relative to it', async () => {
    const files = {
      'repo/.git/HEAD': 'ref: refs/heads/main\n', 'repo/.git/modules/sub/HEAD': 'ref: refs/heads/fix\n', 'repo/sub/.git': 'gitdir: ../.git/modules/sub\n',
    };
    expect(await asked('repo/sub', files)).toEqual(['fix']);
  });

  it('is that of git where HEAD does not name it, as with the format reftable', async () => {
    const { home } = newHome();
    writeFileSync(join(home, 'git'), '#!/bin/sh\ntest "$1" = symbolic-ref && echo refs/heads/topic\n', { mode: 0o755 });
    expect(await asked('repo/src', { 'repo/.git/HEAD': 'ref: refs/heads/.invalid\n' }, { PATH: `${home}:${process.env['PATH']}` })).toEqual(['topic']);
  });

  it.each([
    ['a commit is checked out', { 'repo/.git/HEAD': `${'a'.repeat(40)}\n` }], ['there is no repository', {}],
    ['the link of a work tree leads nowhere', { '.git/HEAD': 'ref: refs/heads/outer\n', 'repo/.git': 'gitdir: HOME/none\n' }],
    ['the link of a work tree is empty', { '.git/HEAD': 'ref: refs/heads/outer\n', 'repo/.git': '' }],
  ])('is unknown if %s', async (_, files) => {
    expect(await asked('repo', files)).toEqual([]);
  });
});

describe('the process', () => {
  it('ends with the exit code of its command', async () => {
    expect(await ranAt('.', {}, ['--version'])).toMatchObject({ code: 0, err: '' });
    expect(await ranAt('.', {}, ['notes', 'list', 'none'])).toMatchObject({ code: 2, out: '' });
    expect(await ranAt('.', {}, ['notes', 'list', 'mr/1'], { COLLOQUY_URL: 'http://127.0.0.1:9', COLLOQUY_PROJECT: 'acme/app' })).toMatchObject({ code: 4 });
  });

  it('prints no warning of Node about variables for colors', async () => {
    expect(await ranAt('.', {}, ['config', 'path'], { NO_COLOR: '1', FORCE_COLOR: '1' })).toMatchObject({ code: 0, err: '' });
  });

  it('finds its profiles below HOME', async () => {
    const files = { '.config/colloquy/config.json': '{"current":"work","profiles":{"work":{"timeout":"7"}}}' };
    const { out, code } = await ranAt('.', files, ['config', 'get', 'timeout']);
    expect({ out, code }).toEqual({ out: '7\n', code: 0 });
  });
});

it('a current folder that was removed is named', async () => {
  const words = ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', process.execPath, program, 'discussions', 'list'];
  const { home, env } = newHome();
  const own = { COLLOQUY_URL: 'http://127.0.0.1:9', COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' };
  const cwd = join(home, 'gone');
  mkdirSync(cwd);
  const { code, err } = await ended(spawn('sh', words, { cwd, env: { ...env, ...own }, stdio: ['ignore', 'pipe', 'pipe'] }));
  expect({ code, err }).toEqual({ code: 1, err: 'colloquy: the current folder does not exist any more\nrun it again in another folder\n' });
});
