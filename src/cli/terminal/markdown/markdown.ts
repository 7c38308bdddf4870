import { plainText } from '../../plain.js';
import type { Rendering } from './inline.js';

/** Longer texts are shown as they were written: some take the parser more than linear time. */
const longest = 20_000;

/**
 * Markdown as it reads on a terminal, without a line feed at its end. Whatever the text holds, nothing of it acts on
 * the terminal: it is made safe before it is parsed, and where references are resolved.
 */
export const markdownText = async (source: string, width: number, on: Rendering): Promise<string> => {
  const safe = plainText(source).replace(/\n+$/, '');
  if (safe.length > longest) return safe;
  const [{ Lexer }, { blocks }] = await Promise.all([import('marked'), import('./blocks.js')]);
  try {
    return blocks(new Lexer({ gfm: true }).lex(safe), width, on);
  } catch (error) {
    if (error instanceof RangeError) return safe;   // quotes in quotes in quotes: the parser's stack has an end
    throw error;
  }
};
