import type { Client } from '../client/client.js';
import type { App, Connection } from './app.js';
import { observerFor } from './debug.js';
import { Problem, usage } from './failures.js';
import type { GlobalFlags } from './flags/global.js';
import { milliseconds, wholeNumber } from './flags/numbers.js';
import { readText } from './files.js';
import { address, settingsOf, tokenFor, type Settings } from './settings/settings.js';

/**
 * A client for the service that the settings name.
 * @param base the base URL of a pasted address, which goes before the settings
 * @throws Problem when no service is named or no token may be sent to it
 */
export const open = async (app: App, flags: GlobalFlags, settings: Settings, base?: string): Promise<Client> => {
  const { journal } = app;
  const calling = { dryRun: flags.dryRun ?? false, journal, ...(flags.debug && { observe: observerFor(app) }) };
  if (flags.sandbox) return (await import('./sandbox.js')).sandbox(app, calling);
  const url = address(base) ?? settings.url;
  if (!url) throw usage('no service is named', 'give --url, set COLLOQUY_URL, or log in with `colloquy auth login`');
  return app.connect({ ...calling, url, token: tokenFor(app, settings, url), ...await limits(app, settings) });
};

/** The same for commands that are about no particular noteable. */
export const openPlain = async (app: App, flags: GlobalFlags): Promise<Client> =>
  open(app, flags, await settingsOf(app, flags));

const limits = async (
  app: App, { timeout, retries, tls }: Settings,
): Promise<Pick<Connection, 'timeout' | 'retries' | 'tls'>> => {
  const pem = async (path: string | null) => path === null ? undefined : readText(app, path);
  const [ca, cert, key] = [await pem(tls.ca), await pem(tls.cert), await pem(tls.key)];
  if ((cert === undefined) !== (key === undefined)) {
    throw new Problem('usage', '--client-cert and --client-key go together');
  }
  return {
    ...(timeout !== null && { timeout: milliseconds(timeout, '--timeout') }),
    ...(retries !== null && { retries: wholeNumber(retries, '--retries') }),
    tls: { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
  };
};
