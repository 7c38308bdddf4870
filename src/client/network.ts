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
