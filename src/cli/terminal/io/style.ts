import type { App, Output } from '../../app.js';

/**
 * A non-empty NO_COLOR turns colors off; CLICOLOR_FORCE and FORCE_COLOR turn them on without a terminal, CLICOLOR=0 and
 * TERM=dumb turn them off.
 * @param depth bits of color that the terminal reports
 */
export const colorsOf = (env: App['env'], isTerminal: boolean, depth: number): Output['colors'] => {
  const { NO_COLOR, CLICOLOR, CLICOLOR_FORCE, FORCE_COLOR, TERM } = env;
  if (NO_COLOR) return 0;
  if (FORCE_COLOR !== undefined && /^[0-3]$|^$|^true$|^false$/.test(FORCE_COLOR)) return forced[FORCE_COLOR] ?? 1;
  const own = depth >= 24 ? 3 : depth >= 8 ? 2 : depth >= 4 ? 1 : 0;
  if (CLICOLOR_FORCE && CLICOLOR_FORCE !== '0') return own || 1;
  return isTerminal && TERM !== 'dumb' && CLICOLOR !== '0' ? own : 0;
};

/** Node treats an empty NO_COLOR as set, and warns about conflicting variables; `colorsOf` handles both. */
export const withoutColorVariables = (
  { NO_COLOR: _no, NODE_DISABLE_COLORS: _off, FORCE_COLOR: _force, ...rest }: App['env'],
): App['env'] => rest;

const forced: Readonly<Record<string, Output['colors']>> = { 0: 0, false: 0, 1: 1, true: 1, '': 1, 2: 2, 3: 3 };

/** All are readable on dark and light backgrounds with sixteen colors; none has information that the text lacks. */
export type Tone = 'strong' | 'faint' | 'emphasis' | 'struck' | 'link' | 'code' | 'keyword' | 'open' | 'done' | 'added'
  | 'changed' | 'removed';

export type Paint = (tone: Tone | null, text: string) => string;

export const painter = async (colors: Output['colors']): Promise<Paint> => {
  if (colors === 0) return (_, text) => text;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: colors });
  const tones: Readonly<Record<Tone, (text: string) => string>> = {
    strong: chalk.bold, faint: chalk.dim, emphasis: chalk.italic, struck: chalk.strikethrough, link: chalk.underline,
    code: chalk.cyan, keyword: chalk.magenta, open: chalk.magenta, done: chalk.green, added: chalk.green,
    changed: chalk.magenta, removed: chalk.red,
  };
  return (tone, text) => tone === null || text === '' ? text : tones[tone](text);
};

/** Programs that support hyperlinks (OSC 8), by the variables they set. */
const knownPrograms = /^(iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio|Tabby|mintty)$/;
const knownTerms = /^(xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm)/;

/** VTE, the terminal of GNOME and others, supports them since 0.50. */
const firstVte = 5000;

/** Never in a pipe. Multiplexers may drop hyperlinks, so inside one only FORCE_HYPERLINK counts. */
export const showsLinks = (env: App['env'], { isTerminal }: Pick<Output, 'isTerminal'>): boolean => {
  if (!isTerminal || env['TERM'] === 'dumb') return false;
  if (env['FORCE_HYPERLINK']) return env['FORCE_HYPERLINK'] !== '0';
  if (env['TMUX'] || env['STY'] || env['CI']) return false;
  return Number(env['VTE_VERSION'] ?? 0) >= firstVte || Boolean(env['WT_SESSION'] ?? env['KONSOLE_VERSION'])
    || knownPrograms.test(env['TERM_PROGRAM'] ?? '') || knownTerms.test(env['TERM'] ?? '');
};

/** Without control characters; null unless it is http, https or mailto. */
export const safeAddress = (address: string): string | null => {
  if (!/^(https?:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return null;
  return new URL(address).href.replace(/[^\x21-\x7e]/g, encodeURIComponent);
};

export const linked = (text: string, address: string): string => `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`;
