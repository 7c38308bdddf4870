import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome, served, type Env } from '../support/program.js';
import { terminals, type Size } from '../support/terminal.js';

/** A comment with a mistake at first, which the second run of the editor corrects. */
const editor = (home: string) => `#!/bin/sh
for last; do :; done
echo $PPID > "${home}/pid"
if [ -e "${home}/page" ]; then cp "$last" "${home}/second"; script='s/^> +  return never;$/> +  return false;/'
else script='s/^> +  return false;$/> +  return never;\\nWhy not throw?/'; fi
cp "$last" "${home}/page"
sed "$script" "$last" > "$last.new" && cat "$last.new" > "$last" && rm "$last.new"
`;

const world = async () => {
  const { home, env } = newHome();
  const { url } = await served(['--dialect', 'live'], env, home);
  const EDITOR = join(home, 'bin', 'fake-editor');
  writeFileSync(EDITOR, editor(home));
  chmodSync(EDITOR, 0o755);
  const settings = { EDITOR, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_URL: url };
  const bodies = async () => {
    const answer = await fetch(`${url}/api/v4/projects/1/merge_requests/12/discussions?per_page=100`, { headers: { 'private-token': 'ada-token' } });
    return (await answer.json() as { notes: { body: string }[] }[]).flatMap(({ notes }) => notes.map(({ body }) => body));
  };
  return { home, env: { ...env, ...settings } as Env, bodies };
};

const mistake = 'this quoted line was changed';
const sizes: readonly Size[] = [{ columns: 40, rows: 20 }, { columns: 80, rows: 24 }, { columns: 140, rows: 40 }];

describe.each(terminals().filter(([name]) => name === 'tmux'))('a review at a terminal (%s)', (_, open) => {
  it.each(sizes)('shows a mistake, opens the editor again with all that was typed, and asks once: %o', async (size) => {
    const { home, env, bodies } = await world();
    const terminal = open('colloquy discussions review mr/12', env, home, size);
    await terminal.sees(mistake);
    await terminal.sees('Open the editor again?');
    terminal.types('y');
    terminal.presses('Enter');
    await terminal.sees('Post 1 comment on mr/12');
    expect(readFileSync(join(home, 'second'), 'utf8')).toContain('> +  return never;\nWhy not throw?\n');
    expect(terminal.screen()).toContain('comment on src/delivery/retry.ts:9');
    terminal.types('y');
    terminal.presses('Enter');
    expect(await terminal.ended()).toBe(0);
    expect((await bodies()).filter((body) => body === 'Why not throw?')).toHaveLength(1);
  });

  it('goes on with --resume after it was killed, in the editor with all that was typed', async () => {
    const { home, env, bodies } = await world();
    const killed = open('colloquy discussions review mr/12', env, home);
    await killed.sees(mistake);
    await killed.sees('Open the editor again?');
    process.kill(Number(readFileSync(join(home, 'pid'), 'utf8')), 'SIGKILL');
    expect(await killed.ended()).not.toBe(0);
    const resumed = open('colloquy discussions review mr/12 --resume', env, home);
    await resumed.sees('Post 1 comment on mr/12');
    expect(existsSync(join(home, 'second'))).toBe(true);
    resumed.types('y');
    resumed.presses('Enter');
    expect(await resumed.ended()).toBe(0);
    expect((await bodies()).filter((body) => body === 'Why not throw?')).toHaveLength(1);
  });

  it.each(sizes)('the conversation of a merge request fits %o, without colors', async (size) => {
    const { home, env } = await world();
    const terminal = open('colloquy discussions view mr/12 --no-input', { ...env, NO_COLOR: '1', PAGER: 'cat' }, home, size);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('return retried(limits.attempts');
    expect(terminal.painted()).not.toMatch(/\x1b\[[0-9;]*m/);
  });
});
