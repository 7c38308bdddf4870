import { type HintedError, listenProblem } from '../../../text/messages.js';
import { Problem, usage } from '../../command-line/failure.js';
import { wholeNumber } from '../../command-line/flags.js';

export const portFrom = (text: string): number => {
  const port = wholeNumber(text, '--port');
  if (port > 65_535) throw usage(`invalid port ${text}`, 'use a port from 0 to 65535');
  return port;
};

interface SystemError { readonly code?: string | null; readonly address?: string; readonly port?: number }

/** Returns errors that are not about the address unchanged. @param flags that choose the address: `--port` */
export const addressProblem = (error: unknown, flags: string): unknown => {
  // Node leaves out port 0. The test server names the address itself.
  const { code, address = '', port = 0, problem } = error as SystemError & Partial<HintedError>;
  const reason = listenProblem(code ?? '', address, port);
  if (reason === null) return error;
  return new Problem('failure', problem ?? reason, `choose another ${flags}; port 0 picks a free one`,
    { cause: error });
};

export const untilAborted = (signal: AbortSignal): Promise<void> => new Promise((resolve) => {
  if (signal.aborted) resolve();
  else signal.addEventListener('abort', () => resolve(), { once: true });
});
