import type { App, Output } from '../app.js';

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
