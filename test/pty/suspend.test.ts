import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome, served, type Env } from '../support/program.js';
import { terminals } from '../support/terminal.js';

const settings = { COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' };

/** A home folder with a server of its own and a program that keeps the terminal until it receives a signal. */
const world = async () => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  const guest = join(home, 'bin', 'guest');
  writeFileSync(guest, `#!/bin/sh\ntrap 'sleep 0.3; echo the guest is gone; exit 1' TERM HUP\necho the guest is here\nwhile :; do sleep 0.1; done\n`);
  chmodSync(guest, 0o755);
  return { home, env: { ...env, ...settings, COLLOQUY_URL: url } as Env };
};

/** A command of the program that stores its id in a file and reports whether the terminal settings are unchanged. */
const watched = (command: string) =>
  `before=$(stty -g); sh -c 'echo $$ > pid; exec ${command}'; code=$?; [ "$(stty -g)" = "$before" ] && echo as it was; exit $code`;
const signalled = (home: string, signal: NodeJS.Signals) => process.kill(Number(readFileSync(join(home, 'pid'), 'utf8')), signal);

/** Whether the last sequence about the cursor shows it. */
const hasCursor = (written: string) => written.lastIndexOf('\x1b[?25h') >= written.lastIndexOf('\x1b[?25l');

describe.each(terminals())('at a terminal (%s)', (_, open) => {
  it('a question that was suspended with Ctrl-Z is asked again', async () => {
    const { home, env } = await world();
    const terminal = open("bash -mc 'colloquy notes delete issue/7 203; echo suspended; fg'", env, home);
    await terminal.sees('Delete note 203 of issue/7 on');
    terminal.presses('Ctrl-Z');
    await terminal.sees('suspended');
    await terminal.sees('Delete note 203 of issue/7 on');
    terminal.types('y');
    terminal.presses('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('deleted note 203 of issue/7');
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('%s at a question restores the terminal', async (signal) => {
    const { home, env } = await world();
    const { COLLOQUY_TOKEN: _, ...without } = env;
    const terminal = open(watched('colloquy auth login'), without, home);
    await terminal.sees('(scope api)');
    signalled(home, signal);
    expect(await terminal.ended()).toBe(130);
    expect(terminal.screen()).toContain('colloquy: interrupted\nnothing was changed\nas it was');
    expect(hasCursor(terminal.painted())).toBe(true);
  });

  it.each([
    ['an editor', 'SIGTERM', 'EDITOR', 'colloquy notes add issue/7'], ['an editor', 'SIGHUP', 'EDITOR', 'colloquy notes add issue/7'],
    ['a pager', 'SIGTERM', 'PAGER', 'colloquy discussions get mr/12 1ce5'],
  ] as const)('%s is stopped at %s before the program prints anything', async (_, signal, name, command) => {
    const { home, env } = await world();
    const terminal = open(`stty rows 5; ${watched(command)}`, { ...env, [name]: 'guest' }, home);
    await terminal.sees('the guest is here');
    signalled(home, signal);
    expect(await terminal.ended()).toBe(130);
    expect(terminal.screen()).toMatch(/the guest is gone\n+colloquy: interrupted\nnothing was changed\n(draft saved; .*\n(.*\n)?)?as it was/);
  });
});
