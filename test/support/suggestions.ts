import { trackedFiles } from '../../src/cli/terminal/io/git.js';
import type { World } from '../../src/server/world-file/schema.js';
import { ranIn, type WorldOptions } from './app.js';
import { repository, type Contents, type Repository } from './repositories.js';
import { testService } from './service.js';
import { acme } from './worlds.js';

export const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join('');

/** `above` and `below` are further lines that the suggestion replaces. */
export interface Planted {
  readonly path?: string;
  readonly line: number;
  readonly text: string;
  /** Instead of one block with the text. */
  readonly body?: string;
  readonly above?: number;
  readonly below?: number;
  readonly author?: string;
  readonly resolved?: boolean;
  /** Of another version. */
  readonly head?: string;
}

export const threadId = (at: number): string => String(at + 1).padStart(40, '0');

const head: Readonly<Record<string, string>> = {
  'src/a.txt': lines(20).replace('line 5\n', 'fifth\n'), 'src/b.txt': lines(9).replace('line 2\n', 'second\n'),
};

let changed: { readonly contents: Contents; readonly base: string; readonly head: string; readonly diff: string } | undefined;

/** With two commits, of which the second is the head. */
const changedRepository = () => {
  if (changed) return { repo: repository(changed.contents), ...changed };
  const repo = repository();
  const base = repo.commit({ 'src/a.txt': lines(20), 'src/b.txt': lines(9) });
  const commit = repo.commit(head);
  changed = { contents: repo.contents(), base, head: commit, diff: repo.git('diff', base, commit) };
  return { repo, ...changed };
};

/** A work tree at the head of `!1`, whose threads have these suggestions. `isKnown`: git has the head commit. */
export const suggestionWorld = async (planted: readonly Planted[], isKnown = true) => {
  const { repo, base: base_sha, head: known, diff } = changedRepository();
  const head_sha = isKnown ? known : 'f'.repeat(40);
  const discussions = planted.map(({ path = 'src/a.txt', line, text, above = 0, below = 0, author = 'guest', ...more }, at) => ({
    id: threadId(at), notes: [{
      id: 900 + at, author, body: more.body ?? `Better:\n\`\`\`suggestion:-${above}+${below}\n${text}\`\`\``,
      ...more.resolved && { resolved_by: 'developer' },
      position: {
        base_sha, start_sha: base_sha, head_sha: more.head ?? head_sha, position_type: 'text' as const,
        old_path: path, new_path: path, new_line: line,
      },
    }],
  }));
  const world: World = {
    ...acme, projects: [{
      ...acme.projects![0]!, merge_requests: [{
        id: 50, iid: 1, title: 'Change', author: 'developer', base_sha, start_sha: base_sha, head_sha, diff: `${diff}\n`, discussions,
      }],
    }],
  };
  const service = await testService({ dialect: 'live', world });
  const options: WorldOptions = { service, workTree: repo.folder, tracked: trackedFiles(async () => repo.folder) };
  return {
    repo, options,
    run: (...words: string[]) => ranIn(options, 'discussions', 'suggestions', '!1', ...words),
    runAtTerminal: (...words: string[]) => ranIn({ ...options, terminal: true }, 'discussions', 'suggestions', '!1', ...words),
  };
};

export const applyPatch = (repo: Repository, patch: string): void => {
  repo.write({ 'p.patch': patch });
  repo.git('apply', 'p.patch');
};
