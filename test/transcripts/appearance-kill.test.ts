import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { otherPng, png } from '../support/appearance.js';
import { ended, newHome, program, served, type Ended } from '../support/program.js';

const token = 'root-token';
const world = 'users: [{ id: 1, username: root, admin: true, token: root-token }]\nappearance: { title: Old, footer_message: Bye, logo: ./old.png }\n';

/** A service of the program with an appearance, and a home folder with a document that changes it. */
const prepared = async () => {
  const { home, env } = newHome();
  const files = { 'world.yaml': world, 'old.png': png, 'new.png': otherPng('new'), 'a.yaml': 'title: New\nlogo: new.png\nfooter_message: ""\n' };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(home, name), content);
  const { url } = await served(['--world', 'world.yaml'], env, home);
  const settings = { ...env, COLLOQUY_URL: url, COLLOQUY_TOKEN: token };
  const start = (...words: string[]) =>
    spawn(process.execPath, [program, 'appearance', ...words], { cwd: home, env: settings, stdio: ['ignore', 'pipe', 'pipe'] });
  const run = (...words: string[]): Promise<Ended> => ended(start(...words));
  const get = (path: string) => fetch(url + path, { headers: { 'private-token': token } });
  const control = (rules: unknown) => fetch(`${url}/-/faults`,
    { method: 'PUT', body: JSON.stringify({ rules }), headers: { 'content-type': 'application/json' } });
  const state = async () => {
    const fields = await (await get('/api/v4/application/appearance')).json() as Record<string, string | null>;
    return { ...fields, logo: Buffer.from(await (await get(fields['logo']!)).arrayBuffer()).toString('base64') };
  };
  const hits = async () => (await (await get('/-/faults')).json() as { rules: { hits: number }[] }).rules[0]!.hits;
  return { start, run, control, state, hits };
};

describe('an apply that is killed', () => {
  it.each([
    ['before the change is stored', 'PUT /application/appearance', 'stall 60000', 10],
    ['after the change is stored', 'PUT /application/appearance', 'stall 60000 after', 0],
    ['while it reads the appearance before', 'GET /application/appearance', 'stall 60000', 1],
  ])('%s can be undone, and applied again', async (_, on, action, code) => {
    const { start, run, control, state, hits } = await prepared();
    const before = await state();
    await control([{ on, do: action }]);
    const child = start('apply', 'a.yaml', '--yes');
    const end = ended(child);
    await expect.poll(hits, { interval: 20 }).toBe(1);
    child.kill('SIGKILL');
    expect((await end).code).toBeNull();
    await control([]);
    if (action.endsWith('after')) expect(await state()).toMatchObject({ title: 'New', footer_message: '' });

    expect(await run('undo', '--yes')).toMatchObject({ code });
    expect(await state()).toEqual(before);
    expect(await run('apply', 'a.yaml', '--yes')).toMatchObject({ code: 0 });
    expect(await state()).toMatchObject({ title: 'New', footer_message: '', logo: otherPng('new').toString('base64') });
    expect(await run('apply', 'a.yaml')).toMatchObject({ code: 0, err: 'nothing changed\n' });
    expect(await run('undo', '--yes')).toMatchObject({ code: 0 });
    expect(await state()).toEqual(before);
  }, 60_000);
});

it('an exported appearance can be applied later, with its images', async () => {
  const { run, state } = await prepared();
  expect(await run('export', 'out.yaml')).toMatchObject({ code: 0, err: 'exported the appearance to out.yaml and 1 image\n' });
  const before = await state();
  await run('apply', 'a.yaml', '--yes');
  expect(await run('diff', 'out.yaml')).toMatchObject({ code: 8, out: expect.stringContaining('title: "New" → "Old"') as string });
  expect(await run('apply', 'out.yaml', '--yes')).toMatchObject({ code: 0 });
  expect(await state()).toMatchObject({ title: 'Old', footer_message: 'Bye', logo: before.logo });
}, 60_000);
