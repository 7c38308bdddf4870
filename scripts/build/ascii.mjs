import { readFileSync, writeFileSync } from 'node:fs';

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The esbuild plugin that escapes non-ASCII characters, including those in regular expressions, which esbuild does not
 * escape: V8 stores ASCII source in half the memory and reads it faster.
 */
export const ascii = {
  name: 'ascii',
  setup({ initialOptions: { outfile }, onEnd }) {
    onEnd(() => writeFileSync(outfile, readFileSync(outfile, 'utf8').replace(/[^\x00-\x7f]/g, escaped)));
  },
};
