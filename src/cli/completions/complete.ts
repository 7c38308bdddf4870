import type { App } from '../app.js';
import { plainLine } from '../plain.js';
import { wholeProgram } from '../program.js';
import { candidates } from './candidates.js';
import { written } from './values.js';

/**
 * Prints what may stand in place of the last word of a command line: a value, a tab and what it is, line by line. What
 * goes wrong is no matter for somebody who is still typing: then there is nothing to offer. A value that would not stay
 * what it is on a line is left out.
 */
export const complete = async (app: App, line: readonly string[]): Promise<void> => {
  const found = await candidates(app, written(await wholeProgram(app), line)).catch(() => []);
  const offered = found.filter(({ value }) => value !== '' && value === plainLine(value));
  await app.out.write(offered.map(({ value, text }) => `${value}\t${plainLine(text)}\n`).join(''));
};
