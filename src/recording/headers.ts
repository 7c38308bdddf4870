/** It belongs to one connection, or describes how a body was transferred. */
export const isOfConnection = (name: string): boolean =>
  ofConnection.has(name) || name.startsWith('proxy-');

const ofConnection: ReadonlySet<string> = new Set([
  'host', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'expect', 'content-length',
  'content-encoding', 'accept-encoding',
]);

/** It says where a request came from, or carries a session. */
export const isPersonal = (name: string): boolean =>
  /^(?:cookie|set-cookie|forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|cf-.*)$/.test(name);
