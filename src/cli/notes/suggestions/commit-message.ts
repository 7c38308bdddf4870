import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { Suggested } from './suggested.js';

/** As the service writes it when it applies suggestions: each author once, in the order of the suggestions. */
export const commitMessage = (suggestions: readonly Suggested[]): string => {
  const files = new Set(suggestions.map(({ path }) => path)).size;
  const trailers = new Set(suggestions.map(({ author }) => `Co-authored-by: ${nameOf(author)} <${mailOf(author)}>`));
  return [
    `Apply ${counted(suggestions.length, 'suggestion')} to ${counted(files, 'file')}`, '', ...trailers, '',
  ].join('\n');
};

type Author = Suggested['author'];

/** Brackets would end the name. */
const nameOf = ({ name, username }: Author): string =>
  plainLine(name).replace(/[<>]/g, '').trim() || plainLine(username).replace(/[<>]/g, '');

/** Without a public address, the one that hides it: `12-ada@users.noreply.HOST`. */
const mailOf = ({ id, username, public_email, web_url }: Author): string => {
  if (typeof public_email === 'string' && /^[^\s<>@\p{C}]+@[^\s<>@\p{C}]+$/u.test(public_email)) return public_email;
  return `${id}-${username.replace(/[^\w.-]/g, '-')}@users.noreply.${hostOf(web_url)}`;
};

const hostOf = (address: string): string => URL.canParse(address) ? new URL(address).hostname : 'invalid';
