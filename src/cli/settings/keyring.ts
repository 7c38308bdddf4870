import type { Keyring } from '../app.js';

/** The name under which all secrets of the program lie. */
const service = 'colloquy';

/**
 * The keyring of this system, loaded with its first use; it is an optional dependency. On Linux the Secret Service is
 * asked for by name: the library would go on to the kernel's keyring, which forgets everything with the session.
 */
export const systemKeyring: Keyring = {
  get: async (account) => (await entry(account)).getPassword(),
  set: async (account, secret) => (await entry(account)).setPassword(secret),
  remove: async (account) => { await (await entry(account)).deletePassword(); },
};

const entry = async (account: string) => {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  return new AsyncEntry(service, account, { linux: { store: 'secret-service' } });
};
