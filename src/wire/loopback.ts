/** As URLs spell it: lower case, addresses in their shortest form, no dot at the end. */
export const canonicalHost = (host: string): string => {
  const url = host.split(':').length > 2 && !host.startsWith('[') ? `http://[${host}]` : `http://${host}`;
  return (URL.canParse(url) ? new URL(url).hostname : host).replace(/\.$/, '');
};

/** RFC 6761, 6.3 */
export const isLoopback = (host: string): boolean => {
  const name = canonicalHost(host);
  return name === 'localhost' || name.endsWith('.localhost') || name === '[::1]'
    || /^127(\.\d{1,3}){3}$/.test(name) || /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(name);
};
