import type { App } from '../app.js';

/**
 * Prints a text, through the pager of COLLOQUY_PAGER or PAGER if it is longer than the terminal. If the pager does not
 * start, the text is printed directly.
 */
export const showText = async ({ out, env, tools }: App, text: string): Promise<void> => {
  const pager = pagerOf(env);
  const isPaged = out.isTerminal && pager !== null && await isLonger(text, out.rows, out.columns);
  if (!isPaged || !await tools.page(pager, text)) await out.write(text);
};

/** The pager of the environment: an empty name and `cat` mean none. */
const pagerOf = (env: App['env']): string | null => {
  const pager = (env['COLLOQUY_PAGER'] ?? env['PAGER'] ?? '').trim();
  return pager === '' || pager === 'cat' ? null : pager;
};

/** Whether a text needs more lines than the terminal has, wrapped lines included. */
const isLonger = async (text: string, rows: number, columns: number): Promise<boolean> => {
  const { widthOf } = await import('./width.js');
  let left = rows - 1;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    left -= line.length > columns ? Math.ceil(widthOf(line) / columns) : 1;
    if (left < 0) return true;
  }
  return false;
};
