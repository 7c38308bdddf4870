import { shellWord } from '../../text/quoting.js';
import type { GlobalFlags } from '../command-line/flags.js';

/** For a shell, and for the same service as this run. */
export const commandLine = (words: readonly string[], { url, profile }: GlobalFlags): string => [
  'colloquy', ...words, ...(url === undefined ? [] : ['--url', url]),
  ...(profile === undefined ? [] : ['--profile', profile]),
].map(shellWord).join(' ');
