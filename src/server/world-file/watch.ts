import { statSync } from 'node:fs';
import { clearInterval, setInterval } from '../../wire/timers.js';

/** In milliseconds. */
const interval = 100;

/** Returns a function that stops. */
type StartWatching = (onChange: () => void) => () => void;

/**
 * A change is reported once the file has stayed the same for a moment, and a missing file when it is back. Polls:
 * unlike events of the file system, this also notices replaced files and links, on every file system.
 */
export const watchFile = (file: string): StartWatching => {
  let last = versionOf(file);
  let isReported = true;
  return (onChange) => {
    const timer = setInterval(() => {
      const version = versionOf(file);
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

/** Null if the file is missing. */
const versionOf = (file: string): string | null => {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs].join(' ');
  } catch {
    return null;
  }
};
