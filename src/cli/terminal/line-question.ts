import { Problem } from '../failures.js';
import type { Host } from './asking.js';

/**
 * A question on a terminal that can't move its cursor, as editors have them: a line is written and a line is read, a
 * secret one without an echo.
 * @param signal ends the question
 * @throws Problem when it is left with Ctrl-D
 */
export const answerOnLine = async (
  { stdin, stderr }: Host, text: string, isSecret: boolean, signal: AbortSignal,
): Promise<string> => {
  const { createInterface } = await import('node:readline');
  const { Writable } = await import('node:stream');
  stderr.write(text);
  const nowhere = new Writable({ write: (_, __, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: isSecret });
  let isEnded = false;
  try {
    const line = await new Promise<string>((resolve, reject) => {
      lines.once('line', resolve);
      lines.once('close', () => reject(new Problem('cancelled', 'cancelled')));
      lines.once('SIGINT', () => reject(new DOMException('interrupted', 'AbortError')));
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    isEnded = !isSecret;
    return isSecret ? corrected(line) : line;
  } finally {
    lines.close();
    if (!isEnded) stderr.write('\n');
  }
};

/** What was taken back with the backspace key: the terminal does so where it echoes, and readline not on such a one. */
const corrected = (line: string): string => {
  const kept: string[] = [];
  for (const character of line) {
    if (character === '\x7f' || character === '\b') kept.pop();
    else kept.push(character);
  }
  return kept.join('');
};
