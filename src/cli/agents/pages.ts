import { counted } from '../../text/counted.js';

/** Characters of one response: what an agent reads at once without losing its thread. */
const largest = 20_000;

/** A part of a list, and where the next one begins. */
export interface Part {
  readonly text: string;
  readonly next: number | null;
}

/** Items of `-o agent` begin with a line that is not indented; all lines of users are indented. */
export const itemsOf = (text: string): readonly string[] =>
  text.trimEnd() === '' ? [] : text.trimEnd().split(/\n(?=\S)/);

export const linesOf = (text: string): readonly string[] => text.trimEnd() === '' ? [] : text.trimEnd().split('\n');

/** As many items as were asked for, or as fit: at least one, which is cut if it is too long. */
export const partOf = (items: readonly string[], start: number, limit: number): Part => {
  const taken: string[] = [];
  let length = 0;
  for (const item of items.slice(start, start + limit)) {
    if (taken.length > 0 && length + item.length > largest) break;
    taken.push(cut(item));
    length += item.length + 1;
  }
  const end = start + taken.length;
  return { text: taken.join('\n'), next: end < items.length ? end : null };
};

const cut = (item: string): string => item.length <= largest ? item
  : `${item.slice(0, largest)}\n  (${counted(item.length - largest, 'more character')})`;
