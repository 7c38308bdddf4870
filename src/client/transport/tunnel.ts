import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { urlToHttpOptions } from 'node:url';
import type { BaseUrl } from '../base-url.js';
import { defaultTimeout, identified, trusted, type Connect, type ConnectionSettings, type Send } from './connection.js';
import { NeverSent, ProxyError } from './network-errors.js';

/**
 * Opens TLS connections to a service through a proxy. The timeout limits all of it: the way to the proxy, its answer to
 * CONNECT and the handshake. (undici's ProxyAgent limits no answer to CONNECT, and repeats it without end where the
 * proxy closes the connection.)
 * @throws NeverSent around a ProxyError or the system's error
 */
export const tunnelTo = (base: BaseUrl, proxy: URL, settings: ConnectionSettings): Connect => async () => {
  const limit = new AbortController();
  const timer = setTimeout(() => { limit.abort(); }, settings.timeout ?? defaultTimeout);
  try {
    const tunnel = await openTunnel(base, proxy, settings, limit.signal);
    return await secured(tunnel, base, settings, limit.signal);
  } catch (cause) {
    throw new NeverSent(limit.signal.aborted ? tooSlow(base, proxy) : cause);
  } finally {
    clearTimeout(timer);
  }
};

const openTunnel = async (
  base: BaseUrl, proxy: URL, settings: ConnectionSettings, signal: AbortSignal,
): Promise<Socket> => {
  const { request } = await (proxy.protocol === 'https:' ? import('node:https') : import('node:http'));
  const { hostname, port } = new URL(base.origin);
  const authority = `${hostname}:${port || '443'}`;
  return new Promise((resolve, reject) => {
    const asked = request({
      ...addressOf(proxy), ...trusted(settings), agent: false, signal, method: 'CONNECT', path: authority,
      headers: { host: authority, ...credentialsFor(proxy) },
    });
    asked.on('error', reject).on('connect', ({ statusCode = 0 }: IncomingMessage, tunnel: Socket, early: Buffer) => {
      if (statusCode < 200 || statusCode > 299) {
        tunnel.destroy();
        reject(refused(base, proxy, statusCode));
        return;
      }
      if (early.length > 0) tunnel.unshift(early);
      resolve(tunnel);
    });
    asked.end();
  });
};

const secured = async (
  tunnel: Socket, base: BaseUrl, settings: ConnectionSettings, signal: AbortSignal,
): Promise<Socket> => {
  const { connect } = await import('node:tls');
  const { isIP } = await import('node:net');
  const host = new URL(base.origin).hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...identified(settings), socket: tunnel, host, servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'],
    }).setNoDelay(true);
    const stop = () => { socket.destroy(signal.reason as Error); };
    signal.addEventListener('abort', stop, { once: true });
    socket.on('error', reject).once('secureConnect', () => {
      signal.removeEventListener('abort', stop);
      socket.off('error', reject);
      resolve(socket);
    });
  });
};

/**
 * Sends requests to an http service through a proxy, which takes their whole address.
 * @param send leads to the proxy
 */
export const forwardedBy = (proxy: URL, base: BaseUrl, send: Send): Send => {
  const own = { host: new URL(base.origin).host, ...credentialsFor(proxy) };
  return ({ path, headers, ...asked }) => send({ ...asked, path: base.origin + path, headers: { ...own, ...headers } });
};

const addressOf = (proxy: URL) => {
  const { protocol, hostname, port } = urlToHttpOptions(proxy);
  return { protocol, hostname, port };
};

const credentialsFor = ({ username, password }: URL): Record<string, string> => {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
};

const refused = (base: BaseUrl, proxy: URL, status: number): ProxyError => {
  const words = `the proxy ${proxy.origin} refused a tunnel to ${base.origin}: ${status} ${STATUS_CODES[status] ?? ''}`;
  const code = status === 429 || status >= 500 ? 'PROXY_UNAVAILABLE' : 'PROXY_REFUSED';
  return new ProxyError(words.trimEnd(), code, status);
};

const tooSlow = (base: BaseUrl, proxy: URL): ProxyError =>
  new ProxyError(`the proxy ${proxy.origin} opened no tunnel to ${base.origin} in time`, 'PROXY_TIMEOUT', null);
