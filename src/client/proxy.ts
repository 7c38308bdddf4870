import { isInNetwork } from './network.js';

/** Which proxies to go through, as values; reading them from an environment is the caller's. */
export interface ProxySettings {
  /** One proxy URL for all addresses, or one each for http and https addresses. */
  readonly proxy?: string | { readonly http?: string | undefined; readonly https?: string | undefined } | undefined;
  /** Hosts that are reached directly, in the form of NO_PROXY. */
  readonly noProxy?: string | undefined;
}

/**
 * The proxy for an address, or null where it is reached directly. One written without a scheme is taken as http.
 * @throws TypeError when the proxy is no http or https URL; it is not repeated, because it may hold a password
 */
export const proxyFor = (address: string, { proxy, noProxy = '' }: ProxySettings): URL | null => {
  const url = new URL(address);
  const chosen = typeof proxy === 'string' ? proxy : url.protocol === 'https:' ? proxy?.https : proxy?.http;
  if (!chosen || isDirect(url, noProxy)) return null;
  const whole = chosen.includes('://') ? chosen : `http://${chosen}`;
  if (!URL.canParse(whole) || !/^https?:/i.test(whole)) throw new TypeError('the proxy is no http or https URL');
  return new URL(whole);
};

/**
 * Whether a list names an address: entries parted by comma or space, each a host that stands for its subdomains too,
 * with or without a leading `.` or `*.`, with or without a port; `*` names all. `10.0.0.0/8` and `fd00::/8` name all
 * addresses of a network, where the address is written as one: names are not looked up.
 */
export const isDirect = (url: URL, noProxy: string): boolean => {
  const host = bare(url.hostname);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy.toLowerCase().split(/[\s,]+/).filter((entry) => entry !== '').some((entry) => {
    if (entry.includes('/')) return isInNetwork(host, entry);
    const { name, at } = entryOf(entry);
    return (at === undefined || at === port) && (name === '*' || host === name || host.endsWith(`.${name}`));
  });
};

/** An IPv6 address has colons of its own; one with a port stands in brackets. */
const entryOf = (entry: string): { name: string; at: string | undefined } => {
  const [, name, at] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [undefined, entry, undefined];
  return { name: bare(name ?? entry).replace(/^\*?\./, ''), at };
};

const bare = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
