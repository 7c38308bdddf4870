import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { withLock } from '../../../src/cli/state/lock.js';

let folder: string;
let path: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-lock-')); path = join(folder, 'lock'); });
afterEach(() => rmSync(folder, { recursive: true }));

/** The id of a process that has ended. */
const goneProcess = (): number => spawnSync('true').pid;

/** A process that has ended but whose parent never reads its status. */
const zombie = async (): Promise<Partial<Holder>> => {
  const line = 'exec 3<&0; cat <&3 >/dev/null & echo $!; exec sleep 60';
  const parent = spawn('/bin/sh', ['-c', line], { stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => { parent.kill('SIGKILL'); });
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  await until(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8') === 'sleep\n');
  parent.stdin.end();
  const status = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
  await until(() => status()[2] === 'Z');
  return { pid, started: status()[21]! };
};

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => { setTimeout(resolve, 5); });
};

interface Holder { machine: string; pid: number; started: string | null }

type Change = (own: Holder) => Partial<Holder> | Promise<Partial<Holder>>;

/** Leaves the lock behind as another process does. */
const leftBy = async (change: Change): Promise<void> => {
  const own = await withLock(path, () => JSON.parse(readFileSync(path, 'utf8')) as Holder);
  writeFileSync(path, JSON.stringify({ ...own, ...await change(own) }));
};

const anywhere: [string, Change][] = [['has ended', () => ({ pid: goneProcess() })]];
const onLinux: [string, Change][] = [
  ['had a process id that is in use again', ({ started }) => ({ started: `${started}0` })],
  ['has ended as a zombie', zombie],
];

describe('a lock', () => {
  it('runs one function at a time and is removed afterwards', async () => {
    let inside = 0;
    let most = 0;
    const work = () => withLock(path, async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => { setTimeout(resolve, 2); });
      inside--;
    });
    await Promise.all(Array.from({ length: 10 }, work));
    expect([most, readdirSync(folder)]).toEqual([1, []]);
  });

  it('can be acquired after a process with the same id was killed while it created one', async () => {
    writeFileSync(`${path}.${process.pid}`, '');
    expect(await withLock(path, () => readFileSync(path, 'utf8'), 2)).toContain(`"pid":${process.pid}`);
  });

  it('is removed after the function fails', async () => {
    await expect(withLock(path, () => { throw new Error('no'); })).rejects.toThrow('no');
    expect(await withLock(path, () => 'yes')).toBe('yes');
  });

  it('that stays held causes an error with its file and holder', async () => {
    await withLock(path, async () => {
      await expect(withLock(path, () => 'never', 2)).rejects.toMatchObject({
        code: 'failure', message: expect.stringMatching(new RegExp(`^process ${process.pid} on \\S+ holds the lock ${path}$`)) as string,
        hint: 'try again; if no other colloquy is running, remove that file',
      });
      expect(readdirSync(folder)).toEqual(['lock']);
    });
  });

  it.each([...anywhere, ...process.platform === 'linux' ? onLinux : []])('is free if the process that held it %s', async (_, change) => {
    await leftBy(change);
    expect(await withLock(path, () => readdirSync(folder), 2)).toEqual(['lock']);
  });

  it.each([
    ['on another machine', (machine: string) => `another-${machine}`],
    ['in another container', (machine: string) => `${machine}0`],
  ])('is not free when a process %s holds it, because it may still run', async (_, other) => {
    await leftBy(({ machine }) => ({ pid: goneProcess(), machine: other(machine) }));
    await expect(withLock(path, () => 'never', 2)).rejects.toMatchObject({ code: 'failure' });
  });

  it.each(['', '{', 'null', '[]', '{"pid":"x"}'])('that contains %j is not free', async (text) => {
    writeFileSync(path, text);
    await expect(withLock(path, () => 'never', 2)).rejects.toMatchObject({ code: 'failure', message: expect.stringContaining(path) as string });
  });

  it('is taken even if a process ended while it removed an abandoned lock', async () => {
    await leftBy(() => ({ pid: goneProcess() }));
    writeFileSync(`${path}~`, readFileSync(path));
    expect(await withLock(path, () => readdirSync(folder), 5)).toEqual(['lock']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('in a missing folder causes the system error', async () => {
    await expect(withLock(join(folder, 'none', 'lock'), () => 'never')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
