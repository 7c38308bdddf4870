import type { Output } from '../app.js';

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
