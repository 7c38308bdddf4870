import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Discussion } from '../../src/contract/shapes/note.js';
import { testApp, type WorldOptions } from './app.js';
import { patientGit } from './git-answers.js';
import { testService } from './service.js';
import { acme } from './worlds.js';

type Texts = Readonly<Record<string, string | null>>;

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `const value${from + i} = ${from + i};\n`).join('');

/** The file of the tests; the merge request adds `bad(value)` as its line 6, and changes line 17 after it. */
export const source = 'src/a.ts';
export const before = numbered(1, 20);
export const changed = before.replace('const value6', 'bad(value);\nconst value6').replace('value16 = 16', 'value16 = 0');
export const fixed = changed.replace('bad(value)', 'good(value)');

/** Has the commits of the work tree, as after a clone of the whole project. */
export const inGit: WorldOptions = { git: { diff: patientGit.diff, sha: patientGit.sha, distance: patientGit.distance } };

/** One process for several calls of git: starting one from a worker with much memory takes longer than the call. */
const gitScript = (script: string, ...words: string[]): string => execFileSync('sh', ['-euc', `
  git() {
    command git -c user.name=A -c user.email=a@a.example -c commit.gpgsign=false -c core.hooksPath=/dev/null \\
      -c gc.auto=0 -c maintenance.auto=false "$@"
  }
  ${script}`, 'sh', ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

const git = (...words: string[]): string => gitScript('git "$@"', ...words);

const writeFile = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};

const writeFiles = (files: Texts): void => {
  for (const [path, text] of Object.entries(files)) {
    if (text === null) rmSync(path);
    else writeFile(path, text);
  }
};

const commit = (files: Texts, title = 'Change', ...flags: string[]): string => {
  writeFiles(files);
  return gitScript('git add --all; git commit --quiet --allow-empty -m "$@"; git rev-parse HEAD', title, ...flags);
};

/** Works in a new folder until the test ends. */
const inNewFolder = (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-proof-'));
  const home = process.cwd();
  process.chdir(folder);
  onTestFinished(() => { process.chdir(home); rmSync(folder, { recursive: true }); });
};

interface Branch { readonly base: string; readonly first: string; readonly patch: string }

let made: Branch & { readonly files: readonly (readonly [path: string, content: Uint8Array])[] } | undefined;

/** The branch with its first commit, in the current folder: once by git, which takes long, then from its files. */
const makeBranch = (): Branch => {
  if (made !== undefined) {
    for (const [path, content] of made.files) writeFile(path, content);
    return made;
  }
  git('init', '--quiet', '--template=', '-b', 'main');
  const base = commit({ [source]: before, 'src/other.ts': numbered(30, 40) }, 'Start');
  git('switch', '--quiet', '-c', 'topic');
  const first = commit({ [source]: changed }, 'Add a value');
  const files = readdirSync('.', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name)).map((path) => [path, readFileSync(path)] as const);
  made = { base, first, patch: git('diff', base, first), files };
  return made;
};

/**
 * A repository with the branch of a merge request, and a service to which it is pushed. The merge request of
 * `developer` has one commit; `reporter` comments.
 */
export const proofRepository = async (options: WorldOptions = {}) => {
  inNewFolder();
  const { base, first, patch } = makeBranch();
  const service = await testService({ dialect: 'live', world: { ...acme, projects: [{
    id: 20, path: 'acme/app', visibility: 'private', members: { developer: 'developer', reporter: 'reporter', maintainer: 'maintainer' },
    merge_requests: [{ id: 50, iid: 1, title: 'Add a value', author: 'developer', base_sha: base, start_sha: base, head_sha: first,
      diff: `${patch}\n` }],
  }] } });
  let pushed = first;
  const mergeRequest = '/projects/20/merge_requests/1';
  const world = await testApp({ ...options, service });
  /** Pushes the branch as it is, each commit by itself. */
  const push = async (force = false): Promise<void> => {
    const commits = gitScript(`
      from=$1; if [ "$2" = true ]; then from=$(git merge-base main HEAD); fi
      for sha in $(git rev-list --reverse --first-parent "$from..HEAD"); do
        base=$(git merge-base main "$sha")
        echo "$sha"; echo "$base"; git log -1 --format=%s "$sha"; git diff --find-renames "$base" "$sha"
        printf '\\0'
      done`, pushed, String(force)).split('\0').slice(0, -1);
    service.later(60_000);
    for (const [at, text] of commits.entries()) {
      const [head_sha, base_sha, title, ...diff] = text.split('\n');
      const { status, text: answer } = await service.post('/-/push', { as: null, json: {
        project: 20, merge_request: 1, head_sha, base_sha, diff: diff.join('\n'), title, force: force && at === 0,
      } });
      expect(status, answer).toBe(201);
      pushed = head_sha!;
    }
    if (commits.length === 0) pushed = git('rev-parse', 'HEAD');
  };
  /** Of `reporter`. */
  const comment = async (position: object | null = { new_line: 6 }, path = source): Promise<string> => {
    service.later(60_000);
    const { body: { diff_refs } } = await service.get<{ diff_refs: object }>(mergeRequest);
    const { status, body, text } = await service.post<Discussion>(`${mergeRequest}/discussions`, { as: 'reporter', json: {
      body: 'please fix this',
      ...position && { position: { ...diff_refs, position_type: 'text', old_path: path, new_path: path, ...position } },
    } });
    expect(status, text).toBe(201);
    return body.id;
  };
  return {
    ...world, git, commit, base, first, service, push, comment,
    notesOf: async (id: string) => (await service.get<Discussion>(`${mergeRequest}/discussions/${id}`)).body.notes
      .filter(({ system }) => !system),
    /** A thread that is resolved with its fix, after which the lines are as they were. */
    revertedThread: async (): Promise<string> => {
      const thread = await comment();
      commit({ [source]: fixed });
      await push();
      await world.run('discussions', 'resolve', '!1', thread, '--fixed-by', 'HEAD');
      commit({ [source]: changed });
      await push();
      return thread;
    },
    resolve: (thread: string, ...flags: string[]) => world.run('discussions', 'resolve', '!1', thread, ...flags),
    check: (...flags: string[]) => world.run('discussions', 'check', '!1', ...flags),
  };
};

export type ProofRepository = Awaited<ReturnType<typeof proofRepository>>;
