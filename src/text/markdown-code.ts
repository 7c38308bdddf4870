/** In backticks: nothing in it is a reference, a mention or formatting. */
export const codeSpan = (text: string): string => {
  const ticks = '`'.repeat(longestRun(text, '`') + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${ticks}${pad}${text.replace(/\s+/g, ' ').trim()}${pad}${ticks}`;
};

/** Null for a block without lines. @param info what follows the opening fence, such as the name of a language */
export const codeBlock = (text: string | null, info = ''): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(text ?? '', '`') + 1));
  return [`${fence}${info}`, ...text === null ? [] : [text], fence].join('\n');
};

const longestRun = (text: string, character: string): number =>
  (text.match(new RegExp(`${character}+`, 'g')) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
