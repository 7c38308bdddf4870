import { statSync } from 'node:fs';
import { clearInterval, setInterval } from '../../wire/time.js';
import { WorldError } from './problem.js';

const interval = 100;

/**
 * Remembers the file as it is now. Returns a function that starts watching; it returns another that stops, after a
 * running reload. A change counts once the file is there, not empty, and has stayed the same for a moment.
 * Polls: unlike events of the file system, this also notices replaced files and links, on every file system.
 * @throws WorldError if the world is not a file
 */
export const watchWorld = (world: unknown, onReload?: (error: unknown) => void) => {
  if (typeof world !== 'string') throw new WorldError('only a world file can be watched', 'pass its path as the world');
  let last = fileVersion(world);
  let isLoaded = true;
  return (reload: () => Promise<void>) => {
    let running = Promise.resolve();
    const timer = setInterval(() => {
      const version = fileVersion(world);
      if (version !== last) isLoaded = false;
      else if (!isLoaded && version !== null) {
        isLoaded = true;
        running = running.then(reload).then(() => onReload?.(null), (error: unknown) => onReload?.(error));
      }
      last = version;
    }, interval).unref();
    return (): Promise<void> => {
      clearInterval(timer);
      return running;
    };
  };
};

const fileVersion = (file: string): string | null => {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return size === 0n ? null : [ino, size, mtimeNs].join(' ');
  } catch {
    return null;
  }
};
