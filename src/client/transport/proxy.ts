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

/**
 * Whether a network in the form `10.0.0.0/8` or `fd00::/8` holds an address. A name is in no network: names are not
 * looked up.
 */
export const isInNetwork = (host: string, network: string): boolean => {
  const [, start, size] = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/.exec(network) ?? [];
  const [address, first] = [bitsOf(host), bitsOf(start ?? '')];
  if (address === null || first?.length !== address.length || Number(size) > address.length) return false;
  return address.startsWith(first.slice(0, Number(size)));
};

/** An address as its zeros and ones; null for what is none. URL knows all ways to write one and shortens them alike. */
const bitsOf = (text: string): string | null => {
  const address = `http://${text.includes(':') ? `[${text}]` : text}`;
  if (!URL.canParse(address)) return null;
  const { hostname } = new URL(address);
  if (hostname.startsWith('[')) return bitsOfGroups(hostname.slice(1, -1));
  const isAddress = /^[\d.]+$/.test(text) && hostname === text;
  return isAddress ? hostname.split('.').map((part) => bits(Number(part), 8)).join('') : null;
};

/** `::` stands for as many zeros as are missing. */
const bitsOfGroups = (text: string): string => {
  const [before, after] = text.split('::').map((half) => half === '' ? [] : half.split(':'));
  const zeros = after ? Array.from({ length: 8 - before!.length - after.length }, () => '0') : [];
  return [...before!, ...zeros, ...after ?? []].map((group) => bits(parseInt(group, 16), 16)).join('');
};

const bits = (value: number, length: number): string => value.toString(2).padStart(length, '0');
