import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';

/** Prints directly if the text fits, if the pager does not start, and with `--no-input`. */
export const showText = async (app: App, { input }: Pick<GlobalFlags, 'input'>, text: string): Promise<void> => {
  const { out, tools } = app;
  const isLong = out.isTerminal && input !== false && await isLonger(text, out.rows, out.columns);
  const pager = isLong ? await pagerOf(app) : null;
  if (pager === null || !await tools.page(pager, text)) await out.write(text);
};

/** An empty name and `cat` mean none. */
const pagerOf = async ({ env, tools }: App): Promise<string | null> => {
  const named = env['COLLOQUY_PAGER'] ?? env['PAGER'];
  if (named === undefined) return mayUseDefault(env) && await tools.has('less') ? 'less' : null;
  return ['', 'cat'].includes(named.trim()) ? null : named.trim();
};

/** Nobody answers a pager in a CI job, and `less` cannot work on a terminal that cannot move its cursor. */
const mayUseDefault = (env: App['env']): boolean => !env['CI'] && env['TERM'] !== 'dumb';

/** Wrapped lines included. */
const isLonger = async (text: string, rows: number, columns: number): Promise<boolean> => {
  const { widthOf } = await import('./width.js');
  let left = rows - 1;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    left -= line.length > columns ? Math.ceil(widthOf(line) / columns) : 1;
    if (left < 0) return true;
  }
  return false;
};
