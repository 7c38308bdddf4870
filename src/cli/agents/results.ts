import type { CallToolResult } from '@modelcontextprotocol/server';
import { counted } from '../../text/messages.js';
import { plainJson } from '../../text/plain.js';
import type { Failure } from '../command-line/failure.js';

/** As the program prints it with `--json`: code, status, message, hint and request. */
export type ProgramError = Readonly<Record<string, unknown>>;

type Facts = Readonly<Record<string, string | null | readonly string[]>>;

export const toolResult = (text: string, facts: Facts = {}): CallToolResult =>
  ({ content: [{ type: 'text', text }], structuredContent: { ...facts } });

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
  const marked = (text: string): string => `<untrusted-${mark}>${text}</untrusted-${mark}>`;
  return refused({
    ...error,
    ...typeof message === 'string' && (typeof status === 'number' || mayQuote(message)) && { message: marked(message) },
    ...typeof hint === 'string' && mayQuote(hint) && { hint: marked(hint) },
  });
};

const mayQuote = (text: string): boolean => /["\n]|^ |\bdid you mean\b/.test(text);

export const errorOf = ({ code, status, message, hint, agentHint, request }: Failure): ProgramError =>
  ({ code, status, message, hint: agentHint ?? hint, request });

/** Characters of one response: what an agent reads at once without losing its thread. */
const largest = 20_000;

interface ListPlace {
  readonly item: number;
  readonly at: number;
}

/** A part of a list, and where the next one begins: `12`, or `12.20000` inside of an item. */
export interface Part {
  readonly text: string;
  readonly next: string | null;
}

/** @param cursor `next` of the part before */
export const placeAt = (cursor = '0'): ListPlace => {
  const [item, at = 0] = cursor.split('.').map(Number);
  return { item: item!, at };
};

/** Items of `-o agent` begin with a line that is not indented; all lines of users are indented. */
export const listItems = (text: string): readonly string[] =>
  text.trimEnd() === '' ? [] : text.trimEnd().split(/\n(?=\S)/);

export const textLines = (text: string): readonly string[] => text.trimEnd() === '' ? [] : text.trimEnd().split('\n');

/** As many items as were asked for, or as fit: at least one, or as much of it as fits. */
export const resultPart = (items: readonly string[], { item: start, at }: ListPlace, limit: number): Part => {
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
  const end = partEnd(item, at);
  const isInLine = at > 0 && item[at - 1] !== '\n';
  const text = (at === 0 ? '' : `${item.split(/\s/, 1)[0]!} (continued)\n${isInLine ? '    ' : ''}`)
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
