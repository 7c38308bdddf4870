import { delimiter } from 'node:path';

/** The programs of newer Node versions that also run the tests of the store. */
export const newerNodes = (): readonly string[] =>
  (process.env['COLLOQUY_TEST_NODES'] ?? '').split(delimiter).filter((path) => path !== '');
