import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Failure } from '../command-line/errors/failure.js';
import type { ProgramError } from './call.js';
import { hintForAgents } from './hints.js';

type Facts = Readonly<Record<string, string | null | readonly string[]>>;

const resultOf = (text: string, facts: Facts): CallToolResult =>
  ({ content: [{ type: 'text', text }], structuredContent: { ...facts } });

/** What the program itself says. */
export const ownText = (text: string, facts: Facts = {}): CallToolResult => resultOf(text, facts);

/**
 * What users of the service wrote, between marks that they cannot know.
 * @param mark random text @param facts of the program; also below the marks, for clients that pass on the text only
 */
export const untrusted = (text: string, mark: string, facts: Facts = {}): CallToolResult => {
  const marked = text === '' ? 'nothing' : `<untrusted-${mark}>\n${text}\n</untrusted-${mark}>`;
  return resultOf([marked, ...Object.entries(facts).map(([name, value]) => `${name}: ${value}`)].join('\n'), facts);
};

/** As the program prints it with `--json`, with a hint that fits the tools. */
export const refused = (error: ProgramError): CallToolResult => {
  const { hint } = error;
  const shown = typeof hint === 'string' ? { ...error, hint: hintForAgents(hint) } : error;
  return { content: [{ type: 'text', text: JSON.stringify({ error: shown }) }], isError: true };
};

export const errorOf = ({ code, status, message, hint, request }: Failure): ProgramError =>
  ({ code, status, message, hint, request });
