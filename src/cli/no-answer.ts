import type { ConnectionError } from '../client/errors.js';

/** What to do next, one line for each way in which the way to the service fails. */

/** Whether a request, as its method and path, may change something there. */
export const isWrite = (request: string): boolean => !/^(GET|HEAD) /.test(request);

/** What to do where nobody can tell whether a write was done. */
export const mayBeStored = 'it may have arrived and been stored: look before sending it again';

/** What may help when no answer came. */
export const afterNoAnswer = ({ code, sent, request, message, proxyStatus }: ConnectionError): string => {
  if (proxyStatus !== null) return proxyStatus === 407 ? proxyPassword : checkProxy;
  if (code === 'PROXY_TIMEOUT') return `${checkProxy}; --timeout gives it more time`;
  const about = tls.find(([pattern]) => pattern.test(code))?.[1];
  if (about !== undefined) return about;
  if (sent && isWrite(request)) return mayBeStored;
  if (/TIMEOUT/.test(code)) return 'the service took too long; --timeout gives it more time';
  if (closed.has(code) && message.includes('https://')) return `${wrongWay}; ${maybeCertificate}`;
  return message.includes('through the proxy') ? checkProxy : wrongWay;
};

const checkProxy = 'check the proxy (HTTPS_PROXY, HTTP_PROXY, NO_PROXY) and --url';

/** What to do where a proxy asks for a password. */
export const proxyPassword =
  'put user and password into the address of the proxy: HTTPS_PROXY=http://user:password@proxy:3128';

const closed = new Set(['ECONNRESET', 'UND_ERR_SOCKET']);
const wrongWay = 'check --url and the network';
const maybeCertificate = 'a service that wants a client certificate (--client-cert, --client-key) closes so too';

/** What to do where a service asks for a client certificate. */
export const certificate =
  'the service wants to see a certificate: name it with --client-cert and its key with --client-key';

/** The first that fits the code counts. */
const tls: readonly (readonly [code: RegExp, hint: string])[] = [
  [/^CERT_HAS_EXPIRED$/, 'the certificate has run out: it has to be renewed there, or the clock here is wrong'],
  [/^CERT_NOT_YET_VALID$/, 'the certificate is not valid yet: the clock here or there is wrong'],
  [/ALTNAME/, 'the certificate is for another host: check --url'],
  [/CERT_REVOKED/, 'the certificate was taken back: do not trust the service before it has a new one'],
  [/ALERT_(CERTIFICATE|BAD_CERTIFICATE|UNKNOWN_CA|HANDSHAKE)|_CERTIFICATE_REQUIRED/, certificate],
  [/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST/,
    'there is no TLS there: should --url begin with http://?'],
  [/^ERR_SSL|^EPROTO$/, 'the two ends found no common TLS: check --url, and whether a proxy stands in between'],
  [/CERT|SELF_SIGNED|ISSUER|UNABLE_TO_|INVALID_(CA|PURPOSE)/,
    'name the authority that signed it with --ca-cert FILE, or keep that with `colloquy config set ca-cert FILE`'],
];
