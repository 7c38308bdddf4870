import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sources } from './candidates.mjs';

const linesLike = (text, old) => text.split('\n').flatMap((line, i) => line.trim() === old ? [i] : []);

/**
 * Where the line of a mutant is now, as `{ file, line, text }`: in its file, or in the one other file that has it.
 * Null if the line is gone, or stands in several files and in none of them once in a function of its name.
 */
export const placeOf = (root, { file, function: name, old }) => {
  const found = sources(root).map(([path, text]) => ({ file: path, text, lines: linesLike(text, old) }))
    .filter(({ lines }) => lines.length === 1);
  const named = found.filter(({ text }) => text.includes(name));
  const elsewhere = found.length === 1 ? found : named.length === 1 ? named : [];
  const [place] = [...found.filter((one) => one.file === file), ...elsewhere];
  return place === undefined ? null : { file: place.file, line: place.lines[0], text: place.text };
};

/** Writes the changed line. */
export const apply = (root, { file, line, text }, mutant) => {
  const lines = text.split('\n');
  lines[line] = lines[line].replace(mutant.old, () => mutant.new);
  writeFileSync(join(root, file), lines.join('\n'));
};

export const restore = (root, { file, text }) => writeFileSync(join(root, file), text);
