import { statSync } from 'node:fs';
import { clearInterval, setInterval } from '../../wire/timers.js';
import { WorldError } from './problem.js';

/** Starts to reload, and returns a function that stops after a running reload. */
type StartReloading = (reload: () => Promise<void>) => () => Promise<void>;

/** @throws WorldError if the world is not a file */
export const watchWorld = (world: unknown, onReload?: (error: unknown) => void): StartReloading => {
  if (typeof world !== 'string') throw new WorldError('only a world file can be watched', 'pass its path as the world');
  const startWatching = watchFile(world);
  return (reload) => {
    let running = Promise.resolve();
    const stop = startWatching(() => {
      running = running.then(reload).then(() => onReload?.(null), (error: unknown) => onReload?.(error));
    });
    return () => {
      stop();
      return running;
    };
  };
};

const interval = 100;

/**
 * A change is reported once the file has stayed the same for a moment, and a missing file when it is back. Polls:
 * unlike events of the file system, this also notices replaced files and links, on every file system.
 */
const watchFile = (file: string) => {
  let last = fileVersion(file);
  let isReported = true;
  return (onChange: () => void) => {
    const timer = setInterval(() => {
      const version = fileVersion(file);
      if (version !== last) isReported = false;
      else if (!isReported && version !== null) {
        isReported = true;
        onChange();
      }
      last = version;
    }, interval).unref();
    return () => { clearInterval(timer); };
  };
};

const fileVersion = (file: string): string | null => {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs].join(' ');
  } catch {
    return null;
  }
};
