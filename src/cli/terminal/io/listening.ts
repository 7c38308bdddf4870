import { Problem, usage } from '../../command-line/failure.js';
import { wholeNumber } from '../../command-line/flags.js';

export const portFrom = (text: string): number => {
  const port = wholeNumber(text, '--port');
  if (port > 65_535) throw usage(`invalid port ${text}`, 'use a port from 0 to 65535');
  return port;
};

const addressErrors: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is already in use', EACCES: 'cannot be used without more permissions',
  EADDRNOTAVAIL: 'is not an address of this machine',
};

interface SystemError { readonly code?: string; readonly address?: string; readonly port?: number }

/** Returns errors that are not about the address unchanged. @param flags that choose the address: `--port` */
export const addressProblem = (error: unknown, flags: string): unknown => {
  const { name, cause } = error as Error;
  // Node leaves out port 0.
  const { code = '', address, port = 0 } = (name === 'ListenError' ? cause : error) as SystemError;
  if (!Object.hasOwn(addressErrors, code)) return error;
  return new Problem('failure', `${address}:${port} ${addressErrors[code]} (${code})`,
    `choose another ${flags}; port 0 picks a free one`, { cause: error });
};

export const untilAborted = (signal: AbortSignal): Promise<void> => new Promise((resolve) => {
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
});
