import type { App, Output } from '../app.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * How many colours an output may use. NO_COLOR counts when it is not empty; CLICOLOR_FORCE and FORCE_COLOR switch
 * colours on where no terminal is, CLICOLOR=0 and TERM=dumb switch them off.
 * @param depth bits of colour that the terminal says it has
 */
export const colorsOf = (env: Env, isTerminal: boolean, depth: number): Output['colors'] => {
  const { NO_COLOR, CLICOLOR, CLICOLOR_FORCE, FORCE_COLOR, TERM } = env;
  if (NO_COLOR) return 0;
  if (FORCE_COLOR !== undefined && /^[0-3]$|^$|^true$|^false$/.test(FORCE_COLOR)) return forced[FORCE_COLOR] ?? 1;
  const own = depth >= 24 ? 3 : depth >= 8 ? 2 : depth >= 4 ? 1 : 0;
  if (CLICOLOR_FORCE && CLICOLOR_FORCE !== '0') return own || 1;
  return isTerminal && TERM !== 'dumb' && CLICOLOR !== '0' ? own : 0;
};

/**
 * The environment for Node to count the colours of a terminal by. Node takes an empty NO_COLOR for a set one, and warns
 * where two switches meet; what they mean is settled above.
 */
export const withoutColorVariables = (
  { NO_COLOR: _no, NODE_DISABLE_COLORS: _off, FORCE_COLOR: _force, ...rest }: Env,
): Env => rest;

const forced: Readonly<Record<string, Output['colors']>> = { 0: 0, false: 0, 1: 1, true: 1, '': 1, 2: 2, 3: 3 };

/**
 * How a piece of text stands out. All of these can be read on dark and on light backgrounds in sixteen colours: neither
 * black nor white, no yellow and no bright shade is among them. None says anything that the text does not say.
 */
export type Tone = 'strong' | 'faint' | 'emphasis' | 'struck' | 'link' | 'code' | 'open' | 'done' | 'added' | 'removed';

/** Puts a tone on a text. */
export type Paint = (tone: Tone | null, text: string) => string;

/** Painting with so many colours; with none, texts stay as they are. */
export const painter = async (colors: Output['colors']): Promise<Paint> => {
  if (colors === 0) return (_, text) => text;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: colors });
  const tones: Readonly<Record<Tone, (text: string) => string>> = {
    strong: chalk.bold, faint: chalk.dim, emphasis: chalk.italic, struck: chalk.strikethrough, link: chalk.underline,
    code: chalk.cyan, open: chalk.magenta, done: chalk.green, added: chalk.green, removed: chalk.red,
  };
  return (tone, text) => tone === null || text === '' ? text : tones[tone](text);
};

/** Programs that show links behind words (OSC 8), by what they put into the environment. */
const knownPrograms = /^(iTerm\.app|WezTerm|vscode|ghostty|Hyper|rio|Tabby|mintty)$/;
const knownTerms = /^(xterm-kitty|xterm-ghostty|alacritty|foot|contour|wezterm)/;

/** VTE, the terminal of GNOME and others, has them since 0.50. */
const firstVte = 5000;

/**
 * Whether links can stand behind words: on a terminal that is known to show them, or where FORCE_HYPERLINK says so;
 * never in a pipe. Multiplexers swallow what they do not know, so inside them only FORCE_HYPERLINK counts.
 */
export const showsLinks = (env: App['env'], { isTerminal }: Pick<Output, 'isTerminal'>): boolean => {
  if (!isTerminal || env['TERM'] === 'dumb') return false;
  if (env['FORCE_HYPERLINK']) return env['FORCE_HYPERLINK'] !== '0';
  if (env['TMUX'] || env['STY'] || env['CI']) return false;
  return Number(env['VTE_VERSION'] ?? 0) >= firstVte || Boolean(env['WT_SESSION'] ?? env['KONSOLE_VERSION'])
    || knownPrograms.test(env['TERM_PROGRAM'] ?? '') || knownTerms.test(env['TERM'] ?? '');
};

/** An address that may be put behind words: of the web or of mail, with nothing in it that acts on a terminal. */
export const safeAddress = (address: string): string | null => {
  if (!/^(https?:\/\/|mailto:)/i.test(address) || !URL.canParse(address)) return null;
  return new URL(address).href.replace(/[^\x21-\x7e]/g, encodeURIComponent);
};

/** A text with an address behind it. @param address as `safeAddress` gives it */
export const linked = (text: string, address: string): string => `\x1b]8;;${address}\x1b\\${text}\x1b]8;;\x1b\\`;
