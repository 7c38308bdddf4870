import { shellWord } from '../../text/shell.js';
import type { GlobalFlags } from '../command-line/flags/global.js';

/** A command line of this program that a user can paste into a shell, for the same service as this run. */
export const commandLine = (words: readonly string[], { url, profile }: GlobalFlags): string => [
  'colloquy', ...words, ...(url === undefined ? [] : ['--url', url]),
  ...(profile === undefined ? [] : ['--profile', profile]),
].map(shellWord).join(' ');
