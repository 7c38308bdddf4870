/** Texts on standard input, which become neutral: readers of Markdown that are not linear take minutes for them. */
import { fails, worksSilently } from './judge.mjs';

const length = 980_000;
const repeated = (part) => part.repeat(length / part.length);

/** A name and the text of each case. */
export const texts = Object.fromEntries([
  ['quotes', repeated('> ')], ['items', repeated('- ')], ['items, then empty lines', '- '.repeat(100) + repeated('\n')],
  ['brackets', repeated('[')], ['starts of links', repeated('[a](')], ['starts of titles', repeated('[a](b "')],
  ['nested images', '!['.repeat(100_000) + 'x' + '](h://y)'.repeat(100_000)], ['starts of code', repeated('`a ``b ')],
  ['starts of tags', repeated('<a b="')], ['starts of comments', repeated('<!--')], ['entities', repeated('&#x40;')],
  ['starts of addresses', repeated('http://')], ['definitions', repeated('[a]:\n')], ['fences', repeated('````\n/a\n')],
  ['line separators', repeated('\u2028')], ['spaces', `a${repeated(' ')}b`], ['bars', `|a|\n|-|\n${repeated('|`')}`],
  ['empty lines in a comment', `<!--${repeated('\n')}-->`], ['blank lines in code', `\`${repeated('\u00a0\n')}x\``],
  ['spaces in the tag of an image', `<img ${repeated('\t')}>`],
].map(([name, text]) => [`text of ${name}`, text.slice(0, 990_000)]));

export const textCases = Object.keys(texts).map((name) => (
  {
    name, command: name, clients: ['program'], limit: 30,
    expect: texts[name].trim() === '' ? fails(2, /the text is empty/) : worksSilently,
  }));
