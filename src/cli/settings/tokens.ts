import type { App } from '../app.js';
import { Problem } from '../failures.js';
import { address } from './address.js';
import type { Profile } from './profiles.js';

/** What a profile says of its token. */
export type TokenEntry = Pick<Profile, 'token' | 'keyring'>;

/** No token, neither in the file nor in the keyring. */
export const noToken = { token: undefined, keyring: undefined } as const;

/** A secret is for one profile of one file and one origin: a changed url finds none. */
const accountOf = ({ profiles }: App, name: string, url: string | undefined): string =>
  `${name} ${address(url)?.origin ?? ''} ${profiles.path}`;

/**
 * The token of a profile that has one.
 * @throws Problem when the keyring does not hand it out
 */
export const keptToken = async (app: App, name: string, { token, url }: Profile): Promise<string> => {
  if (token !== undefined) return token;
  const secret = await app.keyring.get(accountOf(app, name, url)).catch((error: Error) => {
    throw new Problem('unauthenticated',
      `the system keyring does not hand out the token of profile ${name}: ${error.message}`,
      'unlock the keyring, or log in again with `colloquy auth login --insecure-storage`', { cause: error });
  });
  if (secret !== null) return secret;
  throw new Problem('unauthenticated', `the token of profile ${name} is no longer in the system keyring`,
    'log in again with `colloquy auth login`');
};

/** Where a token went. */
export interface Kept {
  readonly entry: TokenEntry;
  /** Why it is not in the keyring; null when it is, or was not to be. */
  readonly reason: string | null;
}

/** Puts a token into the system keyring where one works, and else hands it back for the file. */
export const keepToken = async (app: App, name: string, url: string, token: string): Promise<Kept> => {
  try {
    await app.keyring.set(accountOf(app, name, url), token);
    return { entry: { keyring: true }, reason: null };
  } catch (error) {
    return { entry: { token }, reason: (error as Error).message };
  }
};

/**
 * Takes a profile's token out of the keyring. One that can't be taken out is found by no profile any more; then the
 * keyring's reason is handed back, else null.
 */
export const dropToken = async (app: App, name: string, { keyring, url }: Profile): Promise<string | null> => {
  if (!keyring) return null;
  return app.keyring.remove(accountOf(app, name, url)).then(() => null, (error: Error) => error.message);
};

/** Where the token of a profile lies, in words. */
export const storageOf = ({ profiles }: App, { keyring }: TokenEntry): string =>
  keyring ? 'the system keyring' : `${profiles.path}, which only you can read`;
