import { Problem } from './failures.js';

type Refusal = Error & { hint?: string; code?: string; address?: string; port?: number };

const refusals = ['WorldError', 'StoreError', 'ListenError'];

const atAddress: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program', EACCES: 'is not for this user to listen at',
  EADDRNOTAVAIL: 'is no address of this machine',
};

/** What a server could not begin with, a world, a store or an address, in words; other errors stay what they are. */
export const orUnusable = (error: unknown): unknown => {
  const { name, message, hint, code = '', address, port } = error as Refusal;
  if (refusals.includes(name)) return new Problem('usage', message, hint ?? null, { cause: error });
  if (!Object.hasOwn(atAddress, code)) return error;
  return new Problem('failure', `${address}:${port} ${atAddress[code]} (${code})`,
    'choose another --host or --port; port 0 picks a free one', { cause: error });
};
