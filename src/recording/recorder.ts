import { mediaType, type HttpRequest, type HttpResponse } from '../wire/http.js';
import { jsonOrNull } from '../wire/json-object.js';
import { redactRequest, redactResponse } from '../wire/redact.js';
import { replaceAddress } from './addresses.js';
import { createDisguise } from './disguise.js';
import {
  bytesOf, exchangeLine, recordedBody, recordedOrigin, type RecordedBody, type RecordedExchange,
} from './exchange.js';
import { changeFields } from './form-fields.js';
import { isOfConnection, isPersonal } from './headers.js';
import { readJson } from './json-texts.js';
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
    const json = readJson(text);
    vocabulary.learn(json.value);
    return disguise.json(json);
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
  const targetOf = (target: string): string =>
    texts.of('target', target, () => disguise.target(tokens.hide(withoutAddress(target))));
  const headerOf = (name: string, value: string): string => texts.of(`header ${name}`, value, () => {
    const plain = tokens.hide(redactResponse({ [name]: value }, '').headers[name]!);
    return changesText(name, plain) ? disguise.text(withoutAddress(plain)) : plain;
  });
  const headersOf = (headers: HttpRequest['headers']): Record<string, string> => {
    const recorded: Record<string, string> = {};
    for (const name of Object.keys(headers)) {
      if (!isOfConnection(name) && !isPersonal(name)) recorded[name] = headerOf(name, headers[name]!);
    }
    return recorded;
  };

  return ({ request, response, time, duration, user }) => {
    const types = { request: mediaType(request.headers), response: mediaType(response.headers) };
    const sent = withoutSecrets(request);
    tokens.learn(request);
    vocabulary.learn(user);
    vocabulary.learn(jsonPairs(request.headers));
    vocabulary.learnPairs(sent.target.slice(sent.target.indexOf('?') + 1));
    learn(types.request, sent.body);
    // Whom the response names may be in the request, too.
    const body = texts.of(types.response, `${request.method} ${request.target}`,
      () => JSON.stringify(responseBody(types.response, response)), response.body);
    const requested = typeof sent.body === 'string' ? bodyOf(types.request, sent.body)
      : changeFields(types.request, sent.body, (text) => disguise.text(tokens.hide(withoutAddress(text))));
    const exchange = {
      time, duration, user: userOf(user, (name) => pseudonyms.of('user', name)),
      request: {
        method: request.method, target: targetOf(sent.target), headers: headersOf(request.headers), body: requested,
      },
      response: { status: response.status, headers: headersOf(response.headers) },
    };
    const replaced = pseudonyms.takeNew();
    return exchangeLine(Object.keys(replaced).length === 0 ? exchange : { ...exchange, replaced }, body);
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
const withoutSecrets = (
  { method, target, headers, body: given = '' }: HttpRequest,
): { readonly target: string; readonly body: RecordedBody } => {
  const body = recordedBody(given);
  const request = { method, target, headers: { 'content-type': headers['content-type'] ?? '' } };
  if (typeof body === 'string') return redactRequest({ ...request, body });
  const redacted = redactRequest({ ...request, body: Buffer.from(bytesOf(body)).toString('latin1') });
  return { target: redacted.target, body: { base64: Buffer.from(redacted.body, 'latin1').toString('base64') } };
};
