import { delimiter } from 'node:path';

/** The programs of newer Nodes that the tests of the store are run by once more. */
export const newerNodes = (): readonly string[] =>
  (process.env['COLLOQUY_TEST_NODES'] ?? '').split(delimiter).filter((path) => path !== '');
