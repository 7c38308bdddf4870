import { type HttpRequest, type HttpResponse, mediaType } from '../wire/http.js';
import { jsonOrNull } from '../wire/json.js';
import { redactHeader, redactTarget } from '../wire/secrets/redact.js';
import { exchangeLine, printExchange, type RecordedBody, type RecordedExchange, recordedOrigin } from './exchange.js';
import {
  bodyWithoutSecrets, changeFields, createCredentialMask, isOfConnection, isPersonal, plainBody,
  replaceAddress,
} from './messages.js';
import { createDictionary, createKnownTexts, createPseudonyms, createRedactor } from './redact.js';

/** A request with its response, as they were between this program and the service. */
export interface Exchanged {
  readonly request: HttpRequest;
  readonly response: HttpResponse;
  readonly time: string;
  readonly duration: number;
  /** What the service says about the owner of the token: an object with `id` and `username`. */
  readonly user: unknown;
}

/** Redacts credentials that were recognized after the line was written. */
export type ReviseLine = (line: string) => string;

/**
 * Makes lines of a recording. The same values have the same pseudonyms in all of them. `revision` is null if no
 * credential was recognized after the first line.
 * @param base the address of the service @param hex random hexadecimal text of a length
 */
export const createRecorder = (base: string, hex: (length: number) => string) => {
  const pseudonyms = createPseudonyms(hex);
  const dictionary = createDictionary(pseudonyms);
  const redactor = createRedactor(pseudonyms, dictionary);
  const withoutAddress = replaceAddress(base, recordedOrigin);
  const tokens = createCredentialMask();
  const texts = createKnownTexts(() => dictionary.size + tokens.size);

  const learn = (type: string, body: RecordedBody): void => {
    if (typeof body !== 'string' || body === '') return;
    if (isForm(type)) dictionary.learnPairs(body);
    else if (isJson(type)) dictionary.learn(jsonOrNull(body));
  };
  /** Of a redacted body. What it teaches about users is true of itself. */
  const recordedBody = (type: string, body: string): string => {
    const text = tokens.hide(withoutAddress(body));
    learn(type, text);
    if (isForm(type)) return redactor.pairs(text);
    return isJson(type) ? redactor.json(text) : redactor.text(text);
  };
  const responseBody = (type: string, response: HttpResponse): RecordedBody => {
    const redacted = bodyWithoutSecrets(plainBody(response), response, tokens.learn);
    return typeof redacted === 'string' ? recordedBody(type, redacted) : tokens.hideInBody(redacted);
  };
  const targetWithoutSecrets = (target: string): string => texts.of('sent target', target, () => {
    const redacted = redactTarget(target, tokens.learn);
    dictionary.learnPairs(redacted.slice(redacted.indexOf('?') + 1));
    return redacted;
  });
  const publicTarget = (target: string): string =>
    texts.of('public target', target, () => JSON.stringify(redactor.target(tokens.hide(withoutAddress(target)))));
  /** As a pair of JSON; nothing for one that is left out. Most headers of a message are those of the one before. */
  const headerOf = (message: string, name: string, value: string): string => texts.of(message, name, () => {
    if (isOfConnection(name) || isPersonal(name)) return '';
    const plain = tokens.hide(redactHeader(name, value, tokens.learn));
    const made = changesText(name, plain) ? redactor.text(withoutAddress(plain)) : plain;
    return `${JSON.stringify(name)}:${JSON.stringify(made)}`;
  }, value);
  /** All headers first: each may have a credential that others repeat. */
  const learnHeaders = (message: string, headers: HttpRequest['headers']): void => {
    for (const name of Object.keys(headers)) {
      texts.of(message, name, () => redactHeader(name, headers[name]!, tokens.learn), headers[name]);
    }
  };
  const recordedHeaders = (message: string, headers: HttpRequest['headers']): string => {
    let made = '';
    for (const name of Object.keys(headers)) {
      const pair = headerOf(message, name, headers[name]!);
      if (pair !== '') made += made === '' ? pair : `,${pair}`;
    }
    return `{${made}}`;
  };

  /** How many credentials were known after the first line. */
  let first: number | null = null;
  const revise: ReviseLine = (line) => {
    if (tokens.hide(line) === line) return line;
    const exchange = JSON.parse(line) as RecordedExchange;
    const hidden = <Message extends RecordedExchange['request'] | RecordedExchange['response']>(message: Message) => ({
      ...message, body: tokens.hideInBody(message.body),
      headers: Object.fromEntries(Object.entries(message.headers).map(([name, value]) => [name, tokens.hide(value)])),
    });
    const request = { ...hidden(exchange.request), target: tokens.hide(exchange.request.target) };
    return printExchange({ ...exchange, request, response: hidden(exchange.response) });
  };
  const record = ({ request, response, time, duration, user }: Exchanged): string => {
    const types = { request: mediaType(request.headers), response: mediaType(response.headers) };
    learnHeaders('sent header', request.headers);
    learnHeaders('received header', response.headers);
    dictionary.learn(user);
    dictionary.learn({ sudo: request.headers['sudo'] });
    const [target, sent] = [targetWithoutSecrets(request.target),
      bodyWithoutSecrets(plainBody(request), request, tokens.learn)];
    learn(types.request, sent);
    // Whom the response names may be in the request, too.
    const body = texts.of(`body ${types.response}`, `${request.method} ${request.target}`,
      () => JSON.stringify(responseBody(types.response, response)), response.body);
    const requested = typeof sent === 'string' ? recordedBody(types.request, sent)
      : changeFields(types.request, tokens.hideInBody(sent), (text) => redactor.text(withoutAddress(text)));
    const asked = { target: publicTarget(target), headers: recordedHeaders('request header', request.headers) };
    const headers = recordedHeaders('response header', response.headers);
    const owner = userOf(user, (name) => pseudonyms.of('user', name));
    const replaced = pseudonyms.takeNew();
    first ??= tokens.size;
    return exchangeLine({
      time, duration, user: owner, ...Object.keys(replaced).length > 0 && { replaced },
      request: { method: request.method, ...asked, body: JSON.stringify(requested) },
      response: { status: response.status, headers, body },
    });
  };
  return Object.assign(record, { revision: () => tokens.size === first ? null : revise });
};

const isForm = (type: string): boolean => type === 'application/x-www-form-urlencoded';
const isJson = (type: string): boolean => /[/+]json$/.test(type);

/** Any header that has an address, a mail address or the name of a user. */
const changesText = (name: string, value: string): boolean => name === 'sudo'
  || /:\/\/|@|\//.test(value) && name !== 'content-type';

const userOf = (user: unknown, pseudonym: (name: string) => string): RecordedExchange['user'] => {
  const { id, username } = (user ?? {}) as { readonly id?: unknown; readonly username?: unknown };
  if (!Number.isInteger(id) || typeof username !== 'string') return null;
  return { id: id as number, username: pseudonym(username) };
};
