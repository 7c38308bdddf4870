import { lookup } from 'node:dns';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '../../wire/http.js';

export interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface HookRequest extends Pick<Sent, 'headers' | 'body'> {
  readonly url: URL;
  readonly verifiesCertificate: boolean;
}

const maxResponse = 16_384;

/**
 * Sends on a connection of its own, without redirects (behavior: hooks.redirects).
 * @param isTrusted its host may have any address; otherwise only a loopback one, whatever the name of the host
 * @throws Error, or the reason of the abort
 */
export const sendHook = async (given: HookRequest, isTrusted: boolean, signal: AbortSignal): Promise<Sent> => {
  const { url, headers, body, verifiesCertificate } = given;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isTrusted && isIP(host) !== 0 && !isLoopback(url.hostname)) throw notLoopback(host);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      method: 'POST', agent: false, signal, headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      ...(!isTrusted && { lookup: loopbackLookup }),
    };
    const request = url.protocol === 'https:'
      ? httpsRequest(url, { ...options, rejectUnauthorized: verifiesCertificate }) : httpRequest(url, options);
    request.on('response', resolve).on('error', reject).end(body);
  });
  const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return { status: response.statusCode!, headers: Object.fromEntries(received), body: await readResponse(response) };
};

const readResponse = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= maxResponse) break;
  }
  return Buffer.concat(chunks).subarray(0, maxResponse).toString();
};

/** The connection uses the addresses that are checked here: another lookup could give other ones. */
const loopbackLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    const outside = error ? undefined : addresses.find(({ address }) => !isLoopback(address));
    const [first] = error ? [] : addresses;
    if (error || outside || !first) return callback(error ?? notLoopback(outside?.address ?? host), []);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

const notLoopback = (address: string): Error =>
  new Error(`${address} is not a loopback address; allow its host with --allow-hooks-to`);
