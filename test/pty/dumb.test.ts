import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newHome, served, type Env } from '../support/program.js';
import { terminals } from '../support/terminal.js';

const world = async () => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  const settings = { COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app', COLLOQUY_URL: url };
  return { home, url, env: { ...env, ...settings } as Env };
};

/** Sequences that move the cursor or clear a line. */
const moves = /\x1b\[[0-9;]*[A-HJKf]/;

describe.each(terminals().slice(-1))('at a terminal that cannot move its cursor (%s)', (_, open) => {
  it.each([
    ['y', 'Enter', 0, 'deleted note 203 of issue/7'], ['n', 'Enter', 3, 'colloquy: cancelled'], ['', 'Ctrl-D', 3, 'colloquy: cancelled'],
    ['', 'Ctrl-C', 130, 'colloquy: interrupted\nnothing was changed'],
  ] as const)('a question is a line, and so is its answer: %j and %s exit with %i', async (answer, key, code, said) => {
    const { home, env, url } = await world();
    const terminal = open('TERM=dumb colloquy notes delete issue/7 203', env, home);
    await terminal.sees(`? Delete note 203 of issue/7 on ${url}? (y/N)`);
    if (answer !== '') terminal.types(answer);
    terminal.presses(key);
    expect(await terminal.ended()).toBe(code);
    expect(terminal.screen()).toContain(`\n${said}`);
    expect(terminal.painted()).not.toMatch(moves);
  });

  it('a choice is a numbered list, and the question is repeated until the answer is one of the numbers', async () => {
    const { home, env } = await world();
    const failing = (text: string) => `echo "${text}" | COLLOQUY_TOKEN=wrong colloquy notes add issue/7 2>/dev/null`;
    const terminal = open(`${failing('older')}; ${failing('newer')}; TERM=dumb colloquy notes add issue/7 --recover --json=body`, env, home);
    await terminal.sees('  1) just now: newer\n  2) just now: older\n? Use which draft? (1-2, default 1)');
    terminal.types('3');
    terminal.presses('Enter');
    await terminal.sees('default 1) 3\n? Use which draft?');
    terminal.types('2');
    terminal.presses('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('"body": "older"');
    expect(terminal.painted()).not.toMatch(moves);
  });

  it('a token is not echoed, and can be corrected', async () => {
    const { home, env, url } = await world();
    const { COLLOQUY_TOKEN: _token, COLLOQUY_URL: _url, ...without } = env;
    const terminal = open('TERM=dumb colloquy auth login', { ...without, COLLOQUY_CONFIG_DIR: join(home, 'config') }, home);
    await terminal.sees('? Base URL of the service');
    terminal.types(url);
    terminal.presses('Enter');
    await terminal.sees('(scope api)');
    terminal.types('ada-tokem\x7fn');
    terminal.presses('Enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain(`logged in to ${url} as ada`);
    expect(terminal.painted()).not.toContain('ada-toke');
  });
});
