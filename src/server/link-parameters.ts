import { toPairs, type Hash } from '../wire/brackets.js';
import { isCredential } from '../wire/secrets.js';
import { urlEncoded } from '../wire/url-encoded.js';

/**
 * The most characters of undeclared parameters to repeat; more are left out. A page has up to four links, and clients
 * take 16 KiB of headers (Node's default).
 */
const most = 2_000;

/**
 * The parameters that the links of a page repeat: all of the request (wire-facts 3.2) but tokens, the user to act for,
 * and declared ones that are blank. Links are stored and logged more freely than headers.
 * @param values the declared parameters after conversion
 * @param all every parameter as it was given
 */
export const linkParameters = (values: Hash, all: Hash): Hash => {
  const declared = Object.entries(values).filter(([, value]) => value !== null);
  const others = Object.entries(all).filter(([name, value]) => !Object.hasOwn(values, name) && isShown(name, value));
  const isLong = urlEncoded(Object.fromEntries(others)).length > most;
  return Object.fromEntries(isLong ? declared : [...declared, ...others]);
};

const isShown = (name: string, value: unknown): boolean =>
  !toPairs({ [name]: value }).some(([full]) => isCredential(full));
