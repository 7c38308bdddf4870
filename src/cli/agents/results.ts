import { createHash } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { counted } from '../../text/messages.js';
import { plainJson } from '../../text/plain.js';
import type { Failure } from '../command-line/failure.js';

/** As the program prints it with `--json`: code, status, message, hint and request. */
export type ProgramError = Readonly<Record<string, unknown>>;

type Facts = Readonly<Record<string, string | null | readonly string[]>>;

/** The text is in both parts: some clients pass on only the structured one to their model, others only the other. */
export const toolResult = (text: string, facts: Facts = {}): CallToolResult =>
  ({ content: [{ type: 'text', text }], structuredContent: { text, ...facts } });

/**
 * What users of the service wrote, between marks that they cannot know.
 * @param mark random text @param facts of the program, repeated below the marks for clients that pass on the text only
 */
export const untrusted = (text: string, mark: string, facts: Facts = {}): CallToolResult => {
  const marked = text === '' ? 'nothing' : `<untrusted-${mark}>\n${text}\n</untrusted-${mark}>`;
  return toolResult([marked, ...Object.entries(facts).map(([name, value]) => `${name}: ${value}`)].join('\n'), facts);
};

export const refused = (error: ProgramError): CallToolResult =>
  ({ content: [{ type: 'text', text: plainJson(JSON.stringify({ error })) }], isError: true });

/**
 * The error of a command. Its message and hint stand between marks where they may have words of the service: in what it
 * responded, in quotes, in lists and in names that are alike.
 */
export const failed = (error: ProgramError, mark: string): CallToolResult => {
  const { status, message, hint } = error;
  return refused({
    ...error,
    ...typeof message === 'string'
      && { message: typeof status === 'number' ? marked(message, mark) : markedIfQuoting(message, mark) },
    ...typeof hint === 'string' && { hint: markedIfQuoting(hint, mark) },
  });
};

const marked = (text: string, mark: string): string => `<untrusted-${mark}>${text}</untrusted-${mark}>`;

export const markedIfQuoting = (text: string, mark: string): string => mayQuote(text) ? marked(text, mark) : text;

const mayQuote = (text: string): boolean => /["\n]|^ |\bdid you mean\b/.test(text);

export const errorOf = ({ code, status, message, hint, agentHint, request }: Failure): ProgramError =>
  ({ code, status, message, hint: agentHint ?? hint, request });

/** Characters of one response: what an agent reads at once without losing its thread. */
const largest = 20_000;

export interface Item {
  readonly key: string;
  readonly text: string;
}

interface ListPlace {
  readonly item: number;
  readonly at: number;
}

/** A part of a list, and its last item if there are more: a key, or `key.20000` inside of the item. */
export interface Part {
  readonly text: string;
  readonly next: string | null;
}

/** Null if the item that the cursor names is not in the list. @param cursor `next` of the part before */
export const placeIn = (items: readonly Item[], cursor: string | undefined): ListPlace | null => {
  if (cursor === undefined) return { item: 0, at: 0 };
  const [name, at] = cursor.split('.');
  const item = items.findIndex(({ key }) => key === name);
  if (item < 0) return null;
  return at === undefined ? { item: item + 1, at: 0 } : { item, at: Number(at) };
};

export const placeAmong = (items: readonly Item[], unfiltered: readonly Item[], cursor: string): ListPlace | null => {
  const place = placeIn(unfiltered, cursor);
  if (place === null) return null;
  const before = new Set(unfiltered.slice(0, place.item).map(({ key }) => key));
  return { item: items.filter(({ key }) => before.has(key)).length, at: 0 };
};

const keyFrom = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/** Items of `-o agent` begin with a line that is not indented, and with their id; all lines of users are indented. */
export const listItems = (output: string): readonly Item[] => output.trimEnd() === '' ? []
  : output.trimEnd().split(/\n(?=\S)/).map((text) => ({ key: keyFrom(firstWord(text)), text }));

const firstWord = (text: string): string => text.split(/\s/, 1)[0]!;

/** Their keys depend on the lines before. */
export const textLines = (output: string): readonly Item[] => {
  let key = '';
  return output.trimEnd() === '' ? []
    : output.trimEnd().split('\n').map((text) => ({ key: key = keyFrom(`${key} ${text}`), text }));
};

/** As many items as were asked for, or as fit: at least one, or as much of it as fits. */
export const resultPart = (items: readonly Item[], { item: start, at }: ListPlace, limit: number): Part => {
  const taken: string[] = [];
  let [length, last] = [0, ''];
  for (const [i, { key, text: item }] of items.slice(start, start + limit).entries()) {
    const { text, end } = pieceOf(item, i === 0 ? at : 0);
    if (taken.length > 0 && (length + text.length > largest || end < item.length)) break;
    taken.push(text);
    length += text.length + 1;
    last = key;
    if (end < item.length) return { text: taken.join('\n'), next: `${key}.${end}` };
  }
  return { text: taken.join('\n'), next: start + taken.length < items.length ? last : null };
};

/** The rest begins with the id of the item, and is indented: it is text of users. */
const pieceOf = (item: string, at: number): { readonly text: string; readonly end: number } => {
  const end = partEnd(item, at);
  const isInLine = at > 0 && item[at - 1] !== '\n';
  const text = (at === 0 ? '' : `${firstWord(item)} (continued)\n${isInLine ? '    ' : ''}`)
    + item.slice(at, end).trimEnd();
  const left = item.length - end;
  return { text: left === 0 ? text : `${text}\n  (${counted(left, 'more character')})`, end };
};

const partEnd = (item: string, at: number): number => {
  if (item.length - at <= largest) return item.length;
  const line = item.lastIndexOf('\n', at + largest - 1) + 1;
  if (line > at) return line;
  return /[\ud800-\udbff]/.test(item[at + largest - 1]!) ? at + largest - 1 : at + largest;
};
