import { nearestName } from '../../../text/nearest.js';
import { usage, type Problem } from '../errors/failure.js';

/** Spaces also separate names: PowerShell turns commas into spaces when it calls the script that npm installs. */
export const namesIn = (value: string): string[] => value.split(/[,\s]+/).filter((name) => name !== '');

/** One known name is enough. No reference or id contains a comma, so the other names of a list are misspelled. */
export const areFields = (word: string, known: readonly string[]): boolean =>
  namesIn(word).some((name) => known.includes(name));

/** Suggests the nearest field and lists all. */
export const unknownField = (name: string, known: readonly string[]): Problem => {
  const near = nearestName(name, known);
  return usage(`unknown field ${JSON.stringify(name)}`,
    `${near === null ? '' : `did you mean ${near}? `}choose from: ${known.join(', ')}`);
};
