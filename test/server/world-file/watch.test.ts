import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openService, startServer } from '../../../src/server/index.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-watch-'));
  file = join(folder, 'world.yaml');
  await writeFile(file, withUser('ada'));
});
afterEach(() => rm(folder, { recursive: true }));

const withUser = (name: string) => `users: [{ username: ${name}, token: ${name}-token }]\n`;

const watching = async (more: { readonly data?: string } = {}) => {
  const reloads: unknown[] = [];
  const service = await openService({ world: file, watch: true, onReload: (error) => { reloads.push(error); }, ...more });
  onTestFinished(() => service.close());
  const reloaded = (count: number) => expect.poll(() => reloads).toHaveLength(count);
  const userOf = async (base: string, token: string) =>
    (await service.handle({ method: 'GET', target: `${base}/api/v4/user`, headers: { 'private-token': token } })).status;
  return { service, reloads, reloaded, userOf };
};

/** Replaces the file as many editors do. */
const replaced = async (text: string) => {
  await writeFile(`${file}~`, text);
  await rename(`${file}~`, file);
};

describe('a watched world file', () => {
  it.each([['written', (text: string) => writeFile(file, text)], ['replaced', replaced]])(
    'is loaded again when it is %s, more than once', { timeout: 30_000 }, async (_how, change) => {
      const { service, reloads, reloaded, userOf } = await watching();
      for (const [i, name] of ['robert', 'eve', 'frederick'].entries()) {
        await change(withUser(name));
        await reloaded(i + 1);
        expect(await userOf('', `${name}-token`)).toBe(200);
        expect(service.tokens).toEqual({ [name]: `${name}-token` });
      }
      expect(reloads).toEqual([null, null, null]);
    });

  it('is what a reset and new worlds then start with', { timeout: 30_000 }, async () => {
    const { service, reloaded, userOf } = await watching();
    expect(await userOf('/w/a', 'ada-token')).toBe(200);
    await replaced(withUser('robert'));
    await reloaded(1);
    await service.setWorld({});
    await service.reset();
    expect(await userOf('', 'robert-token')).toBe(200);
    expect(await userOf('/w/a', 'ada-token')).toBe(401);
    expect(await userOf('/w/a', 'robert-token')).toBe(200);
  });

  it('replaces stored data too', { timeout: 30_000 }, async () => {
    const { reloaded, userOf } = await watching({ data: join(folder, 'store.db') });
    await replaced(withUser('robert'));
    await reloaded(1);
    expect(await userOf('', 'robert-token')).toBe(200);
    expect(await userOf('', 'ada-token')).toBe(401);
  });

  it('changes nothing while it is invalid or missing, and is loaded when it is valid again', { timeout: 30_000 }, async () => {
    const { reloads, reloaded, userOf } = await watching();
    await replaced('users: [{ nickname: bob }]\n');
    await reloaded(1);
    expect(reloads[0]).toMatchObject({ problem: `${file}:1: unknown key "nickname" in users[0]` });
    expect(await userOf('', 'ada-token')).toBe(200);
    await rm(file);
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    await replaced(withUser('robert'));
    await reloaded(2);
    expect(await userOf('', 'robert-token')).toBe(200);
  });

  it('is awaited while a program that writes it has only emptied it', { timeout: 30_000 }, async () => {
    const { reloads, reloaded, userOf } = await watching();
    await writeFile(file, '');
    await new Promise((resolve) => { setTimeout(resolve, 300); });
    expect([reloads, await userOf('', 'ada-token')]).toEqual([[], 200]);
    await writeFile(file, withUser('robert'));
    await reloaded(1);
    expect(await userOf('', 'robert-token')).toBe(200);
  });

  it('has a path', async () => {
    await expect(openService({ world: {}, watch: true })).rejects.toMatchObject({ name: 'WorldError', problem: 'only a world file can be watched' });
  });

  it('can be that of a server with a socket', { timeout: 30_000 }, async () => {
    const server = await startServer({ world: file, watch: true });
    onTestFinished(() => server.close());
    await replaced(withUser('robert'));
    await expect.poll(() => server.tokens).toEqual({ robert: 'robert-token' });
  });
});
