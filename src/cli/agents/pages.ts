import { counted } from '../../text/messages.js';

/** Characters of one response: what an agent reads at once without losing its thread. */
const largest = 20_000;

/** An item, and a character in it. */
export interface Place {
  readonly item: number;
  readonly at: number;
}

/** A part of a list, and where the next one begins: `12`, or `12.20000` inside of an item. */
export interface Part {
  readonly text: string;
  readonly next: string | null;
}

/** @param cursor `next` of the part before */
export const placeAt = (cursor = '0'): Place => {
  const [item, at = 0] = cursor.split('.').map(Number);
  return { item: item!, at };
};

/** Items of `-o agent` begin with a line that is not indented; all lines of users are indented. */
export const itemsOf = (text: string): readonly string[] =>
  text.trimEnd() === '' ? [] : text.trimEnd().split(/\n(?=\S)/);

export const linesOf = (text: string): readonly string[] => text.trimEnd() === '' ? [] : text.trimEnd().split('\n');

/** As many items as were asked for, or as fit: at least one, or as much of it as fits. */
export const partOf = (items: readonly string[], { item: start, at }: Place, limit: number): Part => {
  const taken: string[] = [];
  let length = 0;
  for (const [i, item] of items.slice(start, start + limit).entries()) {
    const { text, end } = pieceOf(item, i === 0 ? at : 0);
    if (taken.length > 0 && (length + text.length > largest || end < item.length)) break;
    taken.push(text);
    length += text.length + 1;
    if (end < item.length) return { text: taken.join('\n'), next: `${start + i}.${end}` };
  }
  const end = start + taken.length;
  return { text: taken.join('\n'), next: end < items.length ? String(end) : null };
};

/** The rest begins with the id of the item, and is indented: it is text of users. */
const pieceOf = (item: string, at: number): { readonly text: string; readonly end: number } => {
  const end = endOf(item, at);
  const isInLine = at > 0 && item[at - 1] !== '\n';
  const text = (at === 0 ? '' : `${item.split(/\s/, 1)[0]!} (continued)\n${isInLine ? '    ' : ''}`)
    + item.slice(at, end).trimEnd();
  const left = item.length - end;
  return { text: left === 0 ? text : `${text}\n  (${counted(left, 'more character')})`, end };
};

/** After a line, or else after a character. */
const endOf = (item: string, at: number): number => {
  if (item.length - at <= largest) return item.length;
  const line = item.lastIndexOf('\n', at + largest - 1) + 1;
  if (line > at) return line;
  return /[\ud800-\udbff]/.test(item[at + largest - 1]!) ? at + largest - 1 : at + largest;
};
