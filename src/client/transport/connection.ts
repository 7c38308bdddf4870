import { BlockList, isIP, isIPv4, type Socket } from 'node:net';

/** The proxies to use. The caller reads them from environment variables, if it wants to. */
export interface ProxySettings {
  /** One proxy URL for all addresses, or one each for http and https addresses. */
  readonly proxy?: string | {
    /** The proxy for http addresses. */
    readonly http?: string | undefined;
    /** The proxy for https addresses, which tunnels the connection. */
    readonly https?: string | undefined;
  } | undefined;
  /** Hosts to connect to directly, in the format of NO_PROXY. */
  readonly noProxy?: string | undefined;
}

/**
 * Null for a direct connection. A proxy without a scheme is an http proxy.
 * @throws TypeError if the proxy is not an http or https URL; the message omits it, because it may contain a password
 */
export const proxyFor = (address: string, { proxy, noProxy = '' }: ProxySettings): URL | null => {
  const url = new URL(address);
  const chosen = typeof proxy === 'string' ? proxy : url.protocol === 'https:' ? proxy?.https : proxy?.http;
  if (!chosen || isDirect(url, noProxy)) return null;
  const withScheme = chosen.includes('://') ? chosen : `http://${chosen}`;
  if (!URL.canParse(withScheme) || !/^https?:/i.test(withScheme)) {
    throw new TypeError('the proxy is not an http or https URL');
  }
  return new URL(withScheme);
};

/**
 * Entries are separated by commas or spaces. A host also matches its subdomains, with or without a leading `.` or `*.`,
 * and can have a port; `*` matches every host. Networks match IP addresses; host names are not resolved.
 */
export const isDirect = (url: URL, noProxy: string): boolean => {
  const host = plainHost(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy.toLowerCase().split(/[\s,]+/).filter((entry) => entry !== '').some((entry) => {
    if (entry.includes('/')) return isInNetwork(host, entry);
    const { name, port: entryPort } = noProxyEntry(entry);
    const isPort = entryPort === undefined || entryPort === port;
    return isPort && (name === '*' || host === name || host.endsWith(`.${name}`));
  });
};

/** An IPv6 address contains colons; with a port it is in brackets. */
const noProxyEntry = (entry: string): { name: string; port: string | undefined } => {
  const [, name, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [undefined, entry, undefined];
  return { name: plainHost(name ?? entry).replace(/^\*?\./, ''), port };
};

const plainHost = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** `10.0.0.0/8` or `fd00::/8`. */
const isInNetwork = (host: string, network: string): boolean => {
  const [, start = '', size] = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/.exec(network) ?? [];
  const family = isIPv4(start) ? 'ipv4' : 'ipv6';
  if (isIP(host) === 0 || isIP(start) === 0 || Number(size) > (family === 'ipv4' ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(start, Number(size), family);
  return list.check(host, isIPv4(host) ? 'ipv4' : 'ipv6');
};

/** Settings of the connection to a service. */
export interface ConnectionSettings extends ProxySettings {
  /** Certificate authorities to trust instead of the built-in ones, PEM. */
  readonly ca?: string | Buffer | (string | Buffer)[] | undefined;
  /** The client certificate, PEM. */
  readonly cert?: string | Buffer | undefined;
  /** The private key of the client certificate, PEM. */
  readonly key?: string | Buffer | undefined;
  /** The idle timeout in milliseconds: until connected, until the response begins, and between its chunks. */
  readonly timeout?: number | undefined;
  /** The longest time for a whole response in milliseconds; default: ten timeouts, at least 30 seconds. */
  readonly responseTimeout?: number | undefined;
  /** An undici dispatcher to use; it then handles proxy, TLS and connect timeout. */
  readonly dispatcher?: Dispatcher | undefined;
  /**
   * What sends requests: `undici`, the default, is faster for many calls; `node`, which is `node:http`, is faster for
   * the first call; `fetch` is the one of the process, which tools such as MSW replace, without proxy and TLS settings.
   */
  readonly http?: 'undici' | 'node' | 'fetch' | undefined;
}

export const defaultTimeout = 60_000;

/** In milliseconds; a reachable host responds much faster. */
export const connectTimeout = ({ timeout = 10_000 }: ConnectionSettings): number => Math.min(timeout, 10_000);

export const caOptions = ({ ca }: ConnectionSettings) => ({ ...(ca !== undefined && { ca }) });

export const tlsOptions = ({ ca, cert, key }: ConnectionSettings) =>
  ({ ...caOptions({ ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) });

interface OutgoingRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** In milliseconds: until the response begins, and between its chunks. */
  readonly timeout: number;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

interface PendingRequest {
  /**
   * Resolves once the connection is free for the next request. Rejects with an error of the network layer or with the
   * reason of `abort`.
   */
  readonly response: Promise<RawResponse>;
  readonly abort: Abort;
}

/** At once; does nothing after the response. */
export type Abort = (reason: Error) => void;

/** Over pooled connections, one request at a time on each. */
export type Send = (request: OutgoingRequest) => PendingRequest;

/** @throws NeverSent */
export type Connect = () => Promise<Socket>;

export interface ConnectionOptions {
  readonly tls: object;
  /** For example through a proxy; null for direct sockets. */
  readonly connect: Connect | null;
}

/** Of a request that has begun. */
export type DispatchController = Parameters<Parameters<Dispatcher['dispatch']>[1]['onRequestStart']>[0];

/**
 * What the client uses of an undici dispatcher, such as an `Agent` or a `MockAgent`; those of undici 7 fit. The package
 * contains its own undici, and no types of it.
 */
export interface Dispatcher {
  /** Sends a request at once or later, and passes the parts of the response to the handler. */
  dispatch(
    request: {
      /** Scheme, host and port of the service. */
      readonly origin: string;
      /** Path and query. */
      readonly path: string;
      /** In upper case. */
      readonly method: string;
      /** By names in lower case. */
      readonly headers: Readonly<Record<string, string>>;
      /** Null for a request without a body. */
      readonly body: string | Uint8Array | null;
      /** Time until the response begins in milliseconds; 0 for no limit. */
      readonly headersTimeout: number;
      /** Time between the parts of the response in milliseconds; 0 for no limit. */
      readonly bodyTimeout: number;
    },
    handler: {
      /** The request has a connection; the controller can abort it. */
      onRequestStart(controller: {
        /** Ends the request; `onResponseError` receives the reason. */
        abort(reason: Error): void;
      }): void;
      /** Status and headers have arrived. */
      onResponseStart(
        controller: unknown, status: number, headers: Record<string, string | string[] | undefined>,
      ): void;
      /** A part of the body has arrived. */
      onResponseData(controller: unknown, chunk: Buffer): void;
      /** The response is complete. */
      onResponseEnd(): void;
      /** There is no response, or it is incomplete. */
      onResponseError(controller: unknown, error: Error): void;
    },
  ): boolean;
}
