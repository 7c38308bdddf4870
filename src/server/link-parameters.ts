import { sudoName } from '../contract/conventions.js';
import { toPairs, type Hash } from '../wire/brackets.js';
import { isSecretName } from './redact.js';

/**
 * The parameters that the links of a page repeat: all of the request (wire-facts 3.2) but tokens, the user to act for,
 * and declared ones that are blank. Links are stored and logged more freely than headers.
 * @param values the declared parameters after conversion
 * @param all every parameter as it was given
 */
export const linkParameters = (values: Hash, all: Hash): Hash => Object.fromEntries([
  ...Object.entries(values).filter(([, value]) => value !== null),
  ...Object.entries(all).filter(([name, value]) => !Object.hasOwn(values, name) && isShown(name, value)),
]);

const isShown = (name: string, value: unknown): boolean =>
  name !== sudoName && !toPairs({ [name]: value }).some(([full]) => isSecretName(full));
