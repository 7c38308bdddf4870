import { sudoName, tokenHeader } from '../../contract/conventions.js';
import { usage } from '../failures.js';

/** Headers that say who is calling: the token of the settings does, and goes to its own service alone. */
const identity = new Set([tokenHeader, 'authorization', 'job-token', 'deploy-token', 'cookie', 'proxy-authorization']);

/** Headers that belong to the connection. */
const transport = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'upgrade',
  'expect', 'te', 'trailer']);

/**
 * Headers as the user writes them, `Name: value`, with their names in lower case.
 * @throws Problem for one that is none, or that is not the user's to set
 */
export const headersFrom = (lines: readonly string[]): Record<string, string> =>
  Object.fromEntries(lines.map((line) => {
    const [, written, value] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\t\x20-\x7e]*)$/.exec(line) ?? [];
    if (written === undefined) {
      throw usage('a header is none: its name, a colon and its value are wanted', "write it as -H 'Name: value'");
    }
    const name = written.toLowerCase();
    if (identity.has(name)) {
      throw usage(`the header ${written} is not set by hand`,
        `give the token with --token or COLLOQUY_TOKEN; ${sudoName} may be set`);
    }
    if (transport.has(name)) throw usage(`the header ${written} belongs to the connection`);
    return [name, value!.trim()];
  }));
