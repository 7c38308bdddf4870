import { describe, expect, it } from 'vitest';
import { newHome } from '../support/program.js';
import { terminals } from '../support/terminal.js';

describe.each(terminals().slice(-1))('colors at a terminal (%s)', (_, open) => {
  it.each([
    ['', true], ['NO_COLOR=1 FORCE_COLOR=1', false], ['CLICOLOR=0', false], ['NO_COLOR=', true], ['TERM=dumb', false],
  ])('of questions with %j are on: %s, wherever stdout goes', async (variables, isPainted) => {
    const { home, env } = newHome();
    const terminal = open(`${variables} colloquy auth login --url http://127.0.0.1:1 > result`, env, home);
    await terminal.sees('(scope api)');
    expect(/\x1b\[[0-9;]*1m/.test(terminal.painted())).toBe(isPainted);
    expect(terminal.screen()).not.toContain('Warning');
    terminal.presses('Ctrl-C');
    expect(await terminal.ended()).toBe(130);
  });

  it.each([
    ['', true], ['NO_COLOR=1', false], ['NO_COLOR=', true], ['TERM=dumb', false], ['CLICOLOR=0', false], ['CLICOLOR=1', true],
    ['FORCE_COLOR=0', false], ['CLICOLOR=0 CLICOLOR_FORCE=1', true], ['CLICOLOR=0 CLICOLOR_FORCE=0', false],
    ['TERM=dumb FORCE_COLOR=1', true], ['NO_COLOR=1 FORCE_COLOR=1', false], ['NO_COLOR= FORCE_COLOR=1', true],
  ])('with %j are on: %s', async (variables, isPainted) => {
    const { home, env } = newHome();
    const terminal = open(`${variables} colloquy discussions list issue/7 -p acme/app --sandbox`, env, home);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toMatch(/^using a demo service in memory: nothing is kept after this command\nTHREAD /);
    expect(/\x1b\[[0-9;]*1m/.test(terminal.painted())).toBe(isPainted);
  });
});
