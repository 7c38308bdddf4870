import { isUtf8 } from 'node:buffer';
import { HintedError } from '../text/messages.js';

/** A recording that cannot be read. The message names the file and the line. */
export class RecordingError extends HintedError { override readonly name = 'RecordingError'; }

/** What a recording does not have, although it is sound: the rest can be replayed. */
export class RecordingGap extends RecordingError {}

/** The address of the service in a recording: no host can have this name (RFC 2606, 2). */
export const recordedOrigin = 'http://recorded.invalid';

/** Text, or other bytes in Base64. */
export type RecordedBody = string | {
  /** The bytes in Base64. */
  base64: string;
};

/** What a pseudonym stands for. The digests are those of mail addresses, in the addresses of avatars. */
export type PseudonymKind = 'user' | 'name' | 'mail' | 'host' | 'digest';

/** A request with its response, as a line of a recording has it: without secrets, with pseudonyms. */
export interface RecordedExchange {
  /** ISO 8601, of the request. */
  time: string;
  /** In milliseconds. */
  duration: number;
  /** Whose token the request had; null without one, or if the service did not say. */
  user: {
    /** The id of the user on the recorded service. */
    id: number;
    /** The pseudonym of the user. */
    username: string;
  } | null;
  /** What the client sent, without its token. */
  request: {
    /** The HTTP method, in upper case. */
    method: string;
    /** Path and query. */
    target: string;
    /** The headers by names in lower case, without credentials. */
    headers: Record<string, string>;
    /** An empty string if there is none. */
    body: RecordedBody;
  };
  /** What the service sent back. */
  response: {
    /** The HTTP status. */
    status: number;
    /** The headers by names in lower case. */
    headers: Record<string, string>;
    /** An empty string if there is none. */
    body: RecordedBody;
  };
  /** Pseudonyms that no earlier exchange has. */
  replaced?: Partial<Record<PseudonymKind, string[]>>;
}

/** Its texts are JSON already: to print a large body, or the same headers, again and again takes long. */
interface PrintedExchange extends Pick<RecordedExchange, 'time' | 'duration' | 'user' | 'replaced'> {
  readonly request: PrintedMessage & { readonly method: string; readonly target: string };
  readonly response: PrintedMessage & { readonly status: number };
}

interface PrintedMessage { readonly headers: string; readonly body: string }

export const printExchange = (exchange: RecordedExchange): string => `${JSON.stringify(exchange)}\n`;

export const exchangeLine = ({ time, duration, user, request, response, replaced }: PrintedExchange): string =>
  `{"time":${JSON.stringify(time)},"duration":${duration},"user":${JSON.stringify(user)},`
  + `"request":{"method":${JSON.stringify(request.method)},"target":${request.target},"headers":${request.headers},`
  + `"body":${request.body}},"response":{"status":${response.status},"headers":${response.headers},`
  + `"body":${response.body}}${replaced ? `,"replaced":${JSON.stringify(replaced)}` : ''}}\n`;

/** Why a server cannot send it, with its place in an exchange; null if it can. */
export const responseProblem = ({ status, headers }: Omit<RecordedExchange['response'], 'body'>): string | null => {
  if (!Number.isInteger(status) || status < 200 || status > 999) {
    return `/response/status: expected a status from 200 to 999, not ${status}`;
  }
  const name = Object.keys(headers).find((one) => !isHeader(one, headers[one]!));
  return name === undefined ? null
    : `/response/headers: ${JSON.stringify(name)} has characters that a header cannot have`;
};

/** RFC 9110, 5.1 and 5.5. */
export const isHeader = (name: string, value: string): boolean =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);

/** Text if it is valid UTF-8. */
export const recordedBody = (body: string | Uint8Array): RecordedBody => {
  if (typeof body === 'string') return body;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return isUtf8(bytes) ? bytes.toString() : { base64: bytes.toString('base64') };
};

export const recordedBytes = (body: RecordedBody): string | Uint8Array =>
  typeof body === 'string' ? body : Buffer.from(body.base64, 'base64');
