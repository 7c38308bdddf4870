import type { CallToolResult } from '@modelcontextprotocol/server';
import { plainJson } from '../../text/plain.js';
import type { Failure } from '../command-line/failure.js';
import type { ProgramError } from './call.js';
import { hintForAgents } from './hints.js';

type Facts = Readonly<Record<string, string | null | readonly string[]>>;

const resultOf = (text: string, facts: Facts): CallToolResult =>
  ({ content: [{ type: 'text', text }], structuredContent: { ...facts } });

/** What the program itself says. */
export const ownText = (text: string, facts: Facts = {}): CallToolResult => resultOf(text, facts);

/**
 * What users of the service wrote, between marks that they cannot know.
 * @param mark random text @param facts of the program, repeated below the marks for clients that pass on the text only
 */
export const untrusted = (text: string, mark: string, facts: Facts = {}): CallToolResult => {
  const marked = text === '' ? 'nothing' : `<untrusted-${mark}>\n${text}\n</untrusted-${mark}>`;
  return resultOf([marked, ...Object.entries(facts).map(([name, value]) => `${name}: ${value}`)].join('\n'), facts);
};

/** As the program prints it with `--json`, with a hint that fits the tools. */
export const refused = (error: ProgramError): CallToolResult => {
  const { hint } = error;
  const shown = typeof hint === 'string' ? { ...error, hint: hintForAgents(hint) } : error;
  return { content: [{ type: 'text', text: plainJson(JSON.stringify({ error: shown })) }], isError: true };
};

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
    ...typeof hint === 'string' && mayQuote(hint) && { hint: marked(hintForAgents(hint)) },
  });
};

const mayQuote = (text: string): boolean => /["\n]|^ |\bdid you mean\b/.test(text);

export const errorOf = ({ code, status, message, hint, request }: Failure): ProgramError =>
  ({ code, status, message, hint, request });
