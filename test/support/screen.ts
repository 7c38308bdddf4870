import type { Prompts, Key, KeyName } from '../../src/cli/app.js';
import { widthOf } from '../../src/cli/terminal/io/width.js';

/** What the user presses next, given the screen: `r`, `g :2 enter` in parts, `:typed text`, `paste:text`. */
export type ScriptedUser = (screen: string) => string | Promise<string>;

/** The name of a key, or one letter. */
const keyOf = (word: string): Key => {
  return word.length === 1 ? { name: 'text', text: word } : { name: word as KeyName };
};

/** Keys between spaces, `:text` letter by letter, or `paste:text`. */
const keysOf = (words: string): Key[] => {
  if (words.startsWith('paste:')) return [{ name: 'paste', text: words.slice('paste:'.length) }];
  return words.startsWith(':') ? [...words.slice(1)].map((text) => ({ name: 'text', text })) : words.split(' ').map(keyOf);
};

/** A terminal of one user. @throws Error if a line does not fit */
export const scriptedScreen = (
  user: ScriptedUser, terminal: { readonly columns?: number; readonly rows?: number }, stop: AbortSignal,
): NonNullable<Prompts['screen']> => async (work) => {
  const size = () => ({ columns: terminal.columns ?? 80, rows: terminal.rows ?? 24 });
  let shown = '';
  const waiting: Key[] = [];
  return work({
    size,
    draw: async (lines) => {
      const { columns, rows } = size();
      const long = lines.find((line) => widthOf(line) > columns);
      if (long !== undefined) throw new Error(`longer than ${columns} columns: ${long}`);
      if (lines.length > rows) throw new Error(`more than ${rows} lines:\n${lines.join('\n')}`);
      shown = lines.join('\n');
    },
    key: async () => {
      if (waiting.length === 0) waiting.push(...keysOf(await user(shown)));
      stop.throwIfAborted();
      return waiting.shift()!;
    },
    waitingKeys: () => waiting.length,
    lend: (lent) => lent(),
  });
};

/** Presses one word after the other. */
export const presses = (...words: readonly string[]): ScriptedUser => {
  const left = [...words];
  return (screen) => {
    const next = left.shift();
    if (next === undefined) throw new Error(`no key left at:\n${screen}`);
    return next;
  };
};
