import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { unescape } from 'node:querystring';
import { urlToHttpOptions } from 'node:url';
import type { BaseUrl } from '../base-url.js';
import { clearTimeout, longestTimer, setTimeout } from '../../wire/time.js';
import {
  caOptions, defaultTimeout, tlsOptions, type Connect, type ConnectionSettings, type Send,
} from './connection.js';
import { NeverSent, ProxyError } from './network-errors.js';

/**
 * The timeout covers the connection to the proxy, its response to CONNECT and the handshake. (undici's ProxyAgent has
 * no timeout for the response to CONNECT, and repeats it without end if the proxy closes the connection.)
 * @throws NeverSent with a ProxyError or a system error as its cause
 */
export const tunnelConnect = (base: BaseUrl, proxy: URL, settings: ConnectionSettings): Connect => async () => {
  const limit = new AbortController();
  const { timeout = defaultTimeout } = settings;
  const timer = setTimeout(() => { limit.abort(); }, Math.min(timeout, longestTimer));
  try {
    const tunnel = await openTunnel(base, proxy, settings, limit.signal);
    return await startTls(tunnel, base, settings, limit.signal);
  } catch (cause) {
    throw new NeverSent(limit.signal.aborted ? tunnelTimeout(base, proxy) : cause);
  } finally {
    clearTimeout(timer);
  }
};

const openTunnel = async (
  base: BaseUrl, proxy: URL, settings: ConnectionSettings, signal: AbortSignal,
): Promise<Socket> => {
  const { request } = await (proxy.protocol === 'https:' ? import('node:https') : import('node:http'));
  const service = new URL(base.origin);
  const authority = `${service.hostname}:${service.port || '443'}`;
  const { protocol, hostname, port } = urlToHttpOptions(new URL(proxy.origin));
  return new Promise((resolve, reject) => {
    const connectRequest = request({
      protocol, hostname, port, ...caOptions(settings), agent: false, signal, method: 'CONNECT', path: authority,
      headers: { host: authority, ...credentialsFor(proxy) },
    });
    connectRequest.on('error', reject);
    connectRequest.on('connect', ({ statusCode = 0 }: IncomingMessage, tunnel: Socket, head: Buffer) => {
      if (statusCode < 200 || statusCode > 299) {
        tunnel.destroy();
        reject(tunnelRefused(base, proxy, statusCode));
        return;
      }
      if (head.length > 0) tunnel.unshift(head);
      resolve(tunnel);
    });
    connectRequest.end();
  });
};

const startTls = async (
  tunnel: Socket, base: BaseUrl, settings: ConnectionSettings, signal: AbortSignal,
): Promise<Socket> => {
  const { connect } = await import('node:tls');
  const { isIP } = await import('node:net');
  const host = new URL(base.origin).hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...tlsOptions(settings), socket: tunnel, host, servername: isIP(host) ? '' : host, ALPNProtocols: ['http/1.1'],
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

/** For an http service, with absolute URLs. @param send sends to the proxy */
export const forwardingSend = (proxy: URL, base: BaseUrl, send: Send): Send => {
  const ownHeaders = { host: new URL(base.origin).host, ...credentialsFor(proxy) };
  return ({ path, headers, ...options }) =>
    send({ ...options, path: base.origin + path, headers: { ...ownHeaders, ...headers } });
};

const credentialsFor = ({ username, password }: URL): Record<string, string> => {
  if (username === '' && password === '') return {};
  const pair = `${unescape(username)}:${unescape(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
};

const tunnelRefused = (base: BaseUrl, proxy: URL, status: number): ProxyError => {
  const meaning = `${status} ${STATUS_CODES[status] ?? ''}`;
  const message = `the proxy ${proxy.origin} refused a tunnel to ${base.origin}: ${meaning}`;
  const code = status === 429 || status >= 500 ? 'PROXY_UNAVAILABLE' : 'PROXY_REFUSED';
  return new ProxyError(message.trimEnd(), code, status);
};

const tunnelTimeout = (base: BaseUrl, proxy: URL): ProxyError =>
  new ProxyError(`the proxy ${proxy.origin} did not open a tunnel to ${base.origin} in time`, 'PROXY_TIMEOUT', null);
