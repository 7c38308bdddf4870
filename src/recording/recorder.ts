import { mediaType, type HttpRequest, type HttpResponse } from '../wire/http.js';
import { jsonOrNull } from '../wire/json-object.js';
import { redactHeader, redactRequest, redactResponse, redactTarget } from '../wire/redact.js';
import { replaceAddress } from './addresses.js';
import { createDisguise } from './disguise.js';
import {
  bytesOf, exchangeLine, recordedBody, recordedOrigin, type RecordedBody, type RecordedExchange,
} from './exchange.js';
import { changeFields } from './form-fields.js';
import { isOfConnection, isPersonal } from './headers.js';
import { createKnownTexts } from './known-texts.js';
import { createKnownTokens } from './known-tokens.js';
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
  const tokens = createKnownTokens();
  const texts = createKnownTexts(() => vocabulary.size + tokens.size);

  /** Of a redacted body. What it teaches about users is true of itself. */
  const bodyOf = (type: string, body: string): string => {
    if (body === '') return body;
    const text = tokens.hide(withoutAddress(body));
    if (isForm(type)) {
      vocabulary.learnPairs(text);
      return disguise.pairs(text);
    }
    if (!isJson(type)) return disguise.text(text);
    vocabulary.learn(jsonOrNull(text));
    return disguise.json(text);
  };
  const learn = (type: string, body: RecordedBody): void => {
    if (typeof body !== 'string' || body === '') return;
    if (isForm(type)) vocabulary.learnPairs(body);
    else if (isJson(type)) vocabulary.learn(jsonOrNull(body));
  };
  const responseBody = (type: string, { headers, body }: HttpResponse): RecordedBody => {
    const recorded = recordedBody(body);
    if (typeof recorded !== 'string') return recorded;
    return bodyOf(type, redactResponse(headers, recorded).body ?? recorded);
  };
  /** Learns whom it names. */
  const targetWithoutSecrets = (target: string): string => texts.of('sent target', target, () => {
    const redacted = redactTarget(target);
    vocabulary.learnPairs(redacted.slice(redacted.indexOf('?') + 1));
    return redacted;
  });
  const targetOf = (target: string): string =>
    texts.of('public target', target, () => JSON.stringify(disguise.target(tokens.hide(withoutAddress(target)))));
  /** As a pair of JSON; nothing for one that is left out. Most headers of a message are those of the one before. */
  const headerOf = (message: string, name: string, value: string): string => texts.of(message, name, () => {
    if (isOfConnection(name) || isPersonal(name)) return '';
    const plain = tokens.hide(redactHeader(name, value));
    const made = changesText(name, plain) ? disguise.text(withoutAddress(plain)) : plain;
    return `${JSON.stringify(name)}:${JSON.stringify(made)}`;
  }, value);
  const headersOf = (message: string, headers: HttpRequest['headers']): string => {
    let made = '';
    for (const name of Object.keys(headers)) {
      const pair = headerOf(message, name, headers[name]!);
      if (pair !== '') made += made === '' ? pair : `,${pair}`;
    }
    return `{${made}}`;
  };

  return ({ request, response, time, duration, user }) => {
    const types = { request: mediaType(request.headers), response: mediaType(response.headers) };
    tokens.learn(request);
    vocabulary.learn(user);
    vocabulary.learn(jsonPairs(request.headers));
    const [target, sent] = [targetWithoutSecrets(request.target), bodyWithoutSecrets(request)];
    learn(types.request, sent);
    // Whom the response names may be in the request, too.
    const body = texts.of(`body ${types.response}`, `${request.method} ${request.target}`,
      () => JSON.stringify(responseBody(types.response, response)), response.body);
    const requested = typeof sent === 'string' ? bodyOf(types.request, sent)
      : changeFields(types.request, sent, (text) => disguise.text(tokens.hide(withoutAddress(text))));
    const asked = { target: targetOf(target), headers: headersOf('request header', request.headers) };
    const headers = headersOf('response header', response.headers);
    const owner = userOf(user, (name) => pseudonyms.of('user', name));
    const replaced = pseudonyms.takeNew();
    return exchangeLine({
      time, duration, user: owner, ...Object.keys(replaced).length > 0 && { replaced },
      request: { method: request.method, ...asked, body: JSON.stringify(requested) },
      response: { status: response.status, headers, body },
    });
  };
};

const isForm = (type: string): boolean => type === 'application/x-www-form-urlencoded';
const isJson = (type: string): boolean => /[/+]json$/.test(type);

/** Any header that has an address, a mail address or the name of a user. */
const changesText = (name: string, value: string): boolean => name === 'sudo'
  || /:\/\/|@|\//.test(value) && name !== 'content-type';

const jsonPairs = ({ sudo }: HttpRequest['headers']): object => sudo === undefined ? {} : { sudo };

const userOf = (user: unknown, pseudonym: (name: string) => string): RecordedExchange['user'] => {
  const { id, username } = (user ?? {}) as { readonly id?: unknown; readonly username?: unknown };
  if (!Number.isInteger(id) || typeof username !== 'string') return null;
  return { id: id as number, username: pseudonym(username) };
};

/** Files stay as they are: a form with one is read byte by byte, as Latin-1. */
const bodyWithoutSecrets = ({ method, headers, body: given = '' }: HttpRequest): RecordedBody => {
  if (given.length === 0) return '';
  const body = recordedBody(given);
  const request = { method, target: '', headers: { 'content-type': headers['content-type'] ?? '' } };
  if (typeof body === 'string') return redactRequest({ ...request, body }).body;
  const redacted = redactRequest({ ...request, body: Buffer.from(bytesOf(body)).toString('latin1') });
  return { base64: Buffer.from(redacted.body, 'latin1').toString('base64') };
};
