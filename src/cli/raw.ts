import type { BaseUrl } from '../client/base-url.js';
import type { Transport } from '../wire/http.js';
import type { App } from './app.js';
import { tellSources } from './debug.js';
import type { GlobalFlags } from './flags/global.js';
import { callingFor, limits, serviceOf } from './session.js';
import { tokenFor } from './settings/credential.js';
import { withRemotes } from './settings/remotes.js';
import { settingsOf, type Settings } from './settings/settings.js';

/** The way to a service for requests that the contract does not know. */
export interface Raw {
  readonly transport: Transport;
  readonly base: BaseUrl;
  readonly settings: Settings;
}

/**
 * A transport with the client's layers: token, retries, redirects, proxy and certificates.
 * @param needsContainer whether project or group have to be known, so that git is asked where nothing else says them
 * @throws Problem when no service is named or no token may be sent to it
 */
export const openRaw = async (app: App, flags: GlobalFlags, needsContainer: boolean): Promise<Raw> => {
  const calling = callingFor(app, flags);
  const given = await settingsOf(app, flags);
  if (flags.sandbox) return { ...await (await import('./sandbox.js')).rawSandbox(app, calling), settings: given };
  const { url, settings } = await serviceOf(app, needsContainer ? await withRemotes(app, given) : given);
  if (flags.debug) await tellSources(app, settings);
  const token = await tokenFor(app, settings, url);
  const transport = await app.reach({ ...calling, url, token, ...await limits(app, settings) });
  return { transport, base: url, settings };
};
