import { isAbsolute } from 'node:path';

/** Debian gives it to users without a home, and nothing is ever there. */
const nowhere = '/nonexistent';

/**
 * The home folder: the first absolute path that a source knows. A user that the system does not know, as containers run
 * under a bare number, has none (a source throws then), and neither has one whose HOME is empty: nothing is found in
 * the folder that stands for it, and nothing lands in the folder the program happens to be called in.
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
