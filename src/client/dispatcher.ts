import type { Dispatcher } from 'undici';
import type { BaseUrl } from './base-url.js';
import type { ProxySettings } from './proxy.js';
import { mostBytes } from './unpacked.js';

/** What the connection to a service is made of. */
export interface ConnectionSettings extends ProxySettings {
  /** Certificate authorities to trust in place of the built-in ones, PEM. */
  readonly ca?: string | Buffer | (string | Buffer)[] | undefined;
  /** The client's certificate, PEM. */
  readonly cert?: string | Buffer | undefined;
  /** The key of the client's certificate, PEM. */
  readonly key?: string | Buffer | undefined;
  /** The longest silence in milliseconds: until connected, until the answer begins, and between its pieces. */
  readonly timeout?: number | undefined;
}

/** Longest wait for a connection; a host that is there answers in a fraction of it. */
const longestConnect = 10_000;

/**
 * Opens the pool of connections to a service. undici is loaded here and not before: it costs more than the rest.
 * @param proxy to go through: by a tunnel to https, with whole addresses to http; the client's certificate is the
 *   service's to see, not the proxy's
 */
export const openDispatcher = async (
  base: BaseUrl, proxy: URL | null, settings: ConnectionSettings,
): Promise<Dispatcher> => {
  // Each of the two is loaded as its name is read.
  const undici = await import('undici');
  const { ca, cert, key } = settings;
  const timeout = Math.min(settings.timeout ?? longestConnect, longestConnect);
  const trust = { timeout, ...(ca !== undefined && { ca }) };
  const tls = { ...trust, ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
  if (proxy === null) return new undici.Agent({ connect: tls, maxResponseSize: mostBytes });
  const proxyTunnel = base.origin.startsWith('https:');
  return new undici.ProxyAgent({
    uri: proxy.href, requestTls: tls, proxyTls: trust, proxyTunnel, maxResponseSize: mostBytes,
  });
};
