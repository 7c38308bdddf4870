import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

const mount = (folder: string, options: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0;
const unmount = (folder: string): void => { spawnSync('umount', ['-l', folder]); };

/** A folder that is removed when the test ends. */
export const ownFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-disk-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Whether the tests can create disks here. */
export const canMount = (): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-mount-'));
  const made = mount(folder, 'size=1m');
  if (made) unmount(folder);
  rmSync(folder, { recursive: true });
  return made;
};

/** A disk of this size, such as `2m`, until the test ends. */
export const ownDisk = (room: string): string => {
  const folder = ownFolder();
  mount(folder, `size=${room}`);
  onTestFinished(() => { unmount(folder); });
  return folder;
};

/** Makes a disk read-only. */
export const makeReadOnly = (disk: string): void => { spawnSync('mount', ['-o', 'remount,ro', disk]); };
