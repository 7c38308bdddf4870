import { statSync } from 'node:fs';
import { clearInterval, setInterval } from '../../wire/timers.js';

/** How often to look at the file, in milliseconds. */
const interval = 100;

/** Starts to report changes of a file, and returns a function that stops. */
type StartWatching = (onChange: () => void) => () => void;

/**
 * Watches a file from now on. A change is reported once the file has stayed the same for a moment, and a missing file
 * when it is back. Polls: unlike events of the file system, this also notices replaced files and links, on every file
 * system.
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

/** Changes with the content of a file; null if the file is missing. */
const versionOf = (file: string): string | null => {
  try {
    const { ino, size, mtimeNs } = statSync(file, { bigint: true });
    return [ino, size, mtimeNs].join(' ');
  } catch {
    return null;
  }
};
