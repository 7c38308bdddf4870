/** Nothing in backticks is a reference, a mention or formatting. */
export const codeSpan = (text: string): string => {
  const ticks = '`'.repeat(longestTicks(text) + 1);
  const pad = /^`|`$/.test(text) ? ' ' : '';
  return `${ticks}${pad}${text.replace(/\s+/g, ' ').trim()}${pad}${ticks}`;
};

/** A link from code. The address cannot end it, or be read as Markdown. @param address which `isWebAddress` accepts */
export const codeLink = (text: string, address: string): string => {
  const inLink = new URL(address).href.replace(/[\\`()<>]/g, (character) =>
    `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  return `[${codeSpan(text)}](${inLink.replace(/&(?=#?\w+;)/g, '&amp;')})`;
};

/** Neither longer than a link needs to be nor with the name of a user, which hides where it leads. */
export const isWebAddress = (value: unknown): value is string => {
  if (typeof value !== 'string' || !/^https?:\/\/\S+$/i.test(value) || !URL.canParse(value)) return false;
  const { href, username, password } = new URL(value);
  return href.length <= longestAddress && username === '' && password === '';
};

const longestAddress = 2_048;

/** @param text null for a block without lines @param info what follows the opening fence */
export const codeBlock = (text: string | null, info = ''): string => {
  const fence = '`'.repeat(Math.max(3, longestTicks(text ?? '') + 1));
  return [`${fence}${info}`, ...text === null ? [] : [text], fence].join('\n');
};

/** Also after the service has deleted carriage returns (behavior: notes.quick-actions). */
const longestTicks = (text: string): number =>
  (text.replaceAll('\r', '').match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);
