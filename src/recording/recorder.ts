import { mediaType, type HttpRequest, type HttpResponse } from '../wire/http.js';
import { jsonOrNull } from '../wire/json-object.js';
import { isSecretHeader, redactKnown, redactRequest, redactResponse, redactTokens } from '../wire/redact.js';
import { replaceAddress } from './addresses.js';
import { createDisguise } from './disguise.js';
import {
  bytesOf, printExchange, recordedBody, recordedOrigin, type RecordedBody, type RecordedExchange,
} from './exchange.js';
import { isOfConnection, isPersonal } from './headers.js';
import { createKnownTexts } from './known-texts.js';
import { createPseudonyms } from './pseudonyms.js';
import { createVocabulary } from './vocabulary.js';

/** A request with its response, as they were between this program and the service. */
export interface Exchanged {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  /** ISO 8601. */
  readonly time: string;
  /** In milliseconds. */
  readonly duration: number;
  /** What the service says about the owner of the token: an object with `id` and `username`. */
  readonly user: unknown;
}

/** Makes lines of a recording. The same values have the same pseudonyms in all of them. */
type RecordedLine = (exchanged: Exchanged) => string;

/** @param base the address of the service @param hex random hexadecimal text of a length */
export const createRecorder = (base: string, hex: (length: number) => string): RecordedLine => {
  const pseudonyms = createPseudonyms(hex);
  const vocabulary = createVocabulary(pseudonyms);
  const disguise = createDisguise(pseudonyms, vocabulary);
  const withoutAddress = replaceAddress(base, recordedOrigin);
  const tokens = new Set<string>();
  const texts = createKnownTexts(() => vocabulary.size + tokens.size);

  const learn = (type: string, body: RecordedBody): void => {
    if (typeof body !== 'string') return;
    if (isForm(type)) vocabulary.learnPairs(body);
    else if (isJson(type)) vocabulary.learn(jsonOrNull(body));
  };
  /** Tokens that a request had, and what looks like one. */
  const withoutTokens = (text: string): string => redactTokens(redactKnown(text, tokens));
  const bodyOf = (type: string, body: RecordedBody): RecordedBody => {
    if (typeof body !== 'string') return body;
    const text = withoutTokens(withoutAddress(body));
    if (isForm(type)) return disguise.pairs(text);
    return isJson(type) ? disguise.json(text) : disguise.text(text);
  };
  const responseBody = (type: string, { headers, body }: HttpResponse): RecordedBody => {
    const recorded = recordedBody(body);
    if (typeof recorded !== 'string') return recorded;
    return texts.of(`${type}\n${recorded}`, () => {
      const redacted = redactResponse(headers, recorded).body ?? recorded;
      learn(type, redacted);
      return bodyOf(type, redacted) as string;
    });
  };
  const targetOf = (target: string): string =>
    texts.of(`target\n${target}`, () => disguise.target(withoutAddress(target)));
  const headersOf = (headers: HttpRequest['headers']): Record<string, string> =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !isOfConnection(name) && !isPersonal(name))
      .map(([name, value]) => [name, changesText(name, value)
        ? texts.of(`header\n${value}`, () => disguise.text(withoutAddress(value))) : value]));

  return ({ request, response, time, duration, user }) => {
    const types = { request: mediaType(request.headers), response: mediaType(response.headers) };
    const sent = withoutSecrets(request);
    const received = redactResponse(response.headers, '');
    for (const token of tokensIn(request.headers)) tokens.add(token);
    vocabulary.learn(user);
    vocabulary.learn(jsonPairs(request.headers));
    vocabulary.learnPairs(sent.target.slice(sent.target.indexOf('?') + 1));
    learn(types.request, sent.body);
    const body = responseBody(types.response, response);
    const exchange: RecordedExchange = {
      time, duration, user: userOf(user, (name) => pseudonyms.of('user', name)),
      request: {
        method: request.method, target: targetOf(sent.target), headers: headersOf(sent.headers),
        body: bodyOf(types.request, sent.body),
      },
      response: {
        status: response.status, headers: headersOf(received.headers), body,
      },
    };
    const replaced = pseudonyms.takeNew();
    return printExchange(Object.keys(replaced).length === 0 ? exchange : { ...exchange, replaced });
  };
};

const isForm = (type: string): boolean => type === 'application/x-www-form-urlencoded';
const isJson = (type: string): boolean => /[/+]json$/.test(type);

/** Any header that has an address, a mail address or the name of a user. */
const changesText = (name: string, value: string): boolean => name === 'sudo'
  || /:\/\/|@|\//.test(value) && name !== 'content-type';

const tokensIn = (headers: HttpRequest['headers']): string[] => Object.entries(headers)
  .filter(([name]) => isSecretHeader(name)).map(([, value]) => value.replace(/^(?:bearer|basic) /i, ''));

const jsonPairs = ({ sudo }: HttpRequest['headers']): object => sudo === undefined ? {} : { sudo };

const userOf = (user: unknown, pseudonym: (name: string) => string): RecordedExchange['user'] => {
  const { id, username } = (user ?? {}) as { readonly id?: unknown; readonly username?: unknown };
  if (!Number.isInteger(id) || typeof username !== 'string') return null;
  return { id: id as number, username: pseudonym(username) };
};

/** Files stay as they are: a form with one is read byte by byte, as Latin-1. */
const withoutSecrets = (
  request: HttpRequest,
): Omit<ReturnType<typeof redactRequest>, 'body'> & { readonly body: RecordedBody } => {
  const body = recordedBody(request.body ?? '');
  if (typeof body === 'string') return redactRequest({ ...request, body });
  const latin1 = Buffer.from(bytesOf(body)).toString('latin1');
  const redacted = redactRequest({ ...request, body: latin1 });
  return { ...redacted, body: { base64: Buffer.from(redacted.body, 'latin1').toString('base64') } };
};
