import type { Keyring } from '../../app.js';

const service = 'colloquy';

/**
 * Loaded on first use. On Linux only the Secret Service is used: the kernel keyring, the fallback of the library, loses
 * its content at the end of the session.
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
