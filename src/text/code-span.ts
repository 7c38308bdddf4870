/** A text in backticks, as Markdown shows it: nothing in it is a reference, a mention or formatting. */
export const codeSpan = (text: string): string => {
  const ticks = '`'.repeat(longestRun(text, '`') + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${ticks}${pad}${text.replace(/\s+/g, ' ').trim()}${pad}${ticks}`;
};

/** The length of the longest run of a character. */
export const longestRun = (text: string, character: string): number =>
  Math.max(0, ...(text.match(new RegExp(`${character}+`, 'g')) ?? []).map((run) => run.length));
