import { readFileSync, writeFileSync } from 'node:fs';

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The esbuild plugin that writes a bundle in ASCII, regular expressions too, which esbuild leaves as they are: such a
 * text takes V8 half the room and is read sooner.
 */
export const ascii = {
  name: 'ascii',
  setup({ initialOptions: { outfile }, onEnd }) {
    onEnd(() => writeFileSync(outfile, readFileSync(outfile, 'utf8').replace(/[^\x00-\x7f]/g, escaped)));
  },
};
