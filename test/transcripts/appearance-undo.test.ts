import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { otherPng, png } from '../support/appearance.js';
import { ended, newHome, program, served } from '../support/program.js';

/** A server and a home folder in which the program runs. */
const setUp = async () => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  writeFileSync(join(home, 'a.png'), png);
  writeFileSync(join(home, 'b.png'), otherPng('b'));
  const settings = { ...env, COLLOQUY_URL: url, COLLOQUY_TOKEN: 'root-token' };
  const start = (...words: string[]) =>
    spawn(process.execPath, [program, 'appearance', ...words], { cwd: home, env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
  const state = async () => {
    const response = await fetch(`${url}/api/v4/application/appearance`, { headers: { 'private-token': 'root-token' } });
    const fields = await response.json() as Record<string, string | null>;
    const bytes = async (path: string | null) => path && Buffer.from(await (await fetch(url + path)).arrayBuffer()).toString('base64');
    return { ...fields, logo: await bytes(fields['logo'] ?? null), favicon: await bytes(fields['favicon'] ?? null) };
  };
  /** Resolves when the service has stored another state. */
  const changed = async (before: unknown): Promise<void> => {
    if (JSON.stringify(await state()) === JSON.stringify(before)) await changed(before);
  };
  /** A running program, after the service has stored something; `left` resolves at its end. */
  const storing = async (...words: string[]) => {
    const before = await state();
    const child = start(...words);
    const left = ended(child);
    await changed(before);
    return { child, left };
  };
  const killed = async (...words: string[]): Promise<void> => {
    const { child, left } = await storing(...words);
    child.kill('SIGKILL');
    await left;
  };
  return { home, settings, state, storing, killed, ran: (...words: string[]) => ended(start(...words)) };
};

const undone = { code: 0, err: expect.stringMatching(/^[-+~] \w+:[^]*\nundid change \d+ .*\n$/) as string };

describe('a change of the appearance that is killed', () => {
  it('after the service stored it can be undone, images included', async () => {
    const { home, killed, state, ran } = await setUp();
    await ran('set', '--logo', 'a.png', '--favicon', 'a.png', '--title', 'Old', '--description', 'x\n\ny ');
    const before = await state();
    await killed('set', '--logo', 'b.png', '--favicon', 'b.png', '--title', 'New', '--description', '');
    expect(await ran('undo', '--yes')).toMatchObject(undone);
    expect(await state()).toEqual(before);
    const folder = join(home, '.local', 'state', 'colloquy', 'appearance');
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      expect(statSync(path).mode & 0o077, name).toBe(0);
      if (statSync(path).isFile()) expect(readFileSync(path, 'latin1')).not.toContain('root-token');
    }
  });

  it('during its time can be undone, if it was a banner', async () => {
    const { killed, state, ran } = await setUp();
    await ran('set', '--header-message', 'Old', '--message-font-color', '#eee');
    const before = await state();
    await killed('banner', 'Hi', '--footer', 'F', '--bg', '#000', '--fg', '#fff', '--for', '2h');
    expect(await ran('undo', '--yes')).toMatchObject(undone);
    expect(await state()).toEqual(before);
  });
});

describe('appearance banner', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('restores the former text on %s', async (signal) => {
    const { state, storing } = await setUp();
    const before = await state();
    const { child, left } = await storing('banner', 'Hi', '--for', '2h');
    child.kill(signal);
    const { code, err } = await left;
    expect(code).toBe(130);
    expect(err).toMatch(/restored the former text of \S+\ncolloquy: interrupted\n2 changes were made\n/);
    expect(await state()).toEqual(before);
  });

  it('restores the former text on a signal that a parent process passes on as well', async () => {
    const { state, storing } = await setUp();
    const before = await state();
    const { child, left } = await storing('banner', 'Hi', '--for', '2h');
    // They come together, however long the test takes to send them.
    for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGCONT'] as const) child.kill(signal);
    expect(await left).toMatchObject({ code: 130, err: expect.stringContaining('restored the former text of http') as string });
    expect(await state()).toEqual(before);
  });

  it('prints commands that work in sh', async () => {
    const { home, settings, state, ran } = await setUp();
    await ran('set', '--header-message', "It's 100% \"old\"\n$HOME `x` \\n", '--footer-message', '-n');
    const before = await state();
    const { out } = await ran('banner', '--footer', "F'; echo x", '--print', '--', "- Hi 50% 'now' \\ $(id)");
    const [show, restore] = out.trimEnd().split('\n');
    // While this process waits for a program in one call, it does not see that the server closes an idle connection.
    const sh = (line: string) => ended(spawn('sh', ['-c', line], { cwd: home, env: settings }));
    expect(await sh(show!)).toMatchObject({ code: 0 });
    expect(await state()).toMatchObject({ header_message: "- Hi 50% 'now' \\ $(id)", footer_message: "F'; echo x" });
    expect(await sh(restore!)).toMatchObject({ code: 0 });
    expect(await state()).toEqual(before);
  });
});
