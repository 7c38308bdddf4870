import { isAbsolute } from 'node:path';

/** Debian gives it to users without a home, and nothing is ever there. */
const nowhere = '/nonexistent';

/**
 * The home folder: the first absolute path that a source knows; an empty HOME is none. A user that the system does not
 * know, as containers run under a bare number, has no home (a source throws then): nothing is found in the folder that
 * stands for it, and nothing lands in the folder the program happens to be called in.
 */
export const homeFolder = (sources: readonly (() => string)[]): string => {
  for (const source of sources) {
    const home = told(source);
    if (isAbsolute(home)) return home;
  }
  return nowhere;
};

const told = (source: () => string): string => {
  try {
    return source();
  } catch {
    return '';
  }
};
