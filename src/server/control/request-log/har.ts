import { STATUS_CODES } from 'node:http';
import { splitTarget } from '../../../wire/http.js';
import type { LoggedExchange } from '../../http/request-log.js';
import type { UrlOf } from './url.js';

/** HAR 1.2, as the developer tools of browsers read it. */
interface Har { readonly log: HarLog }

interface HarLog {
  readonly version: '1.2';
  readonly creator: { readonly name: string; readonly version: string };
  readonly entries: readonly object[];
}

/** Secrets stay redacted. @param version of Colloquy */
export const harOf = (requests: readonly LoggedExchange[], urlOf: UrlOf, version: string): Har => ({
  log: {
    version: '1.2', creator: { name: 'colloquy', version },
    entries: requests.map((each) => entry(each, urlOf(each))),
  },
});

/** The log has the time of the response; an archive has that of the request. */
const entry = (exchange: LoggedExchange, url: string): object => ({
  startedDateTime: new Date(Date.parse(exchange.time) - exchange.duration).toISOString(),
  time: exchange.duration,
  request: requestEntry(exchange, url),
  response: responseEntry(exchange),
  cache: {},
  timings: { send: 0, wait: exchange.duration, receive: 0 },
  ...commentOf(exchange),
});

const requestEntry = ({ method, target, headers, body, isTruncated }: LoggedExchange, url: string): object => ({
  method, url, httpVersion: 'HTTP/1.1', cookies: [], headers: pairs(headers),
  queryString: [...new URLSearchParams(splitTarget(target)[1])].map(([name, value]) => ({ name, value })),
  ...(body !== '' && { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
  headersSize: -1, bodySize: isTruncated ? -1 : Buffer.byteLength(body),
});

const responseEntry = ({ status, response: { headers, body, isTruncated } }: LoggedExchange): object => {
  const size = Buffer.byteLength(body ?? '');
  return {
    status, statusText: STATUS_CODES[status] ?? '', httpVersion: 'HTTP/1.1', cookies: [], headers: pairs(headers),
    content: { size, mimeType: headers['content-type'] ?? '', ...(body !== null && { text: body }) },
    redirectURL: headers['location'] ?? '', headersSize: -1, bodySize: isTruncated || body === null ? -1 : size,
  };
};

const pairs = (headers: Readonly<Record<string, string>>): object[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value }));

const commentOf = ({ isTruncated, response }: LoggedExchange): object => {
  const parts = [isTruncated && 'request', response.isTruncated && 'response'].filter(Boolean);
  return parts.length === 0 ? {} : { comment: `truncated: body of the ${parts.join(' and of the ')}` };
};
