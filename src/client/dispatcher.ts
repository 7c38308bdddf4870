import type { Agent, Dispatcher } from 'undici';
import type { BaseUrl } from './base-url.js';
import { proxyFor, type ProxySettings } from './proxy.js';

/** A PEM or PKCS 12 value as TLS takes it. */
type Pem = string | Buffer | readonly (string | Buffer)[];

/** What the connection to a service is made of. */
export interface ConnectionSettings extends ProxySettings {
  /** Certificate authorities to trust in place of the built-in ones, PEM. */
  readonly ca?: Pem | undefined;
  /** The client's certificate, PEM. */
  readonly cert?: string | Buffer | undefined;
  /** The key of the client's certificate, PEM. */
  readonly key?: string | Buffer | undefined;
  /** The longest silence in milliseconds: until connected, until the answer begins, and between its pieces. */
  readonly timeout?: number | undefined;
}

/** Longest wait for a connection; a host that is there answers in a fraction of it. */
const longestConnect = 10_000;

/** Opens the pool of connections to a service. undici is loaded here and not before: it costs more than the rest. */
export const openDispatcher = async (base: BaseUrl, settings: ConnectionSettings): Promise<Dispatcher> => {
  const { Agent, ProxyAgent } = await import('undici');
  const timeout = Math.min(settings.timeout ?? longestConnect, longestConnect);
  const tls = { ...tlsOf(settings), timeout };
  const proxy = proxyFor(base.origin, settings);
  if (proxy === null) return new Agent({ connect: tls });
  return new ProxyAgent({ uri: proxy, requestTls: tls, proxyTls: tls, proxyTunnel: base.origin.startsWith('https:') });
};

const tlsOf = ({ ca, cert, key }: ConnectionSettings): Agent.Options['connect'] & object => ({
  ...(ca !== undefined && { ca: typeof ca === 'string' || Buffer.isBuffer(ca) ? ca : [...ca] }),
  ...(cert !== undefined && { cert }),
  ...(key !== undefined && { key }),
});
