import type { HttpResponse } from '../../wire/http.js';
import { isObject } from '../../wire/json.js';
import { parseJsonObject } from '../../yaml/limits.js';

/** Serialization is the largest cost of a page, so values are serialized once. */
export type Json<T> = string & { readonly jsonOf?: T };

export const jsonType = 'application/json';

/**
 * Stands for the public address until the response is sent. It cannot occur otherwise, since `<` is escaped in every
 * string (behavior: requests.escaped-json).
 */
const addressMark = '<';

const escapes: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

export const json = <T>(value: T): Json<T> => value === null || typeof value === 'boolean' ? String(value)
  : JSON.stringify(value).replace(/[<>&]/g, (c) => escapes[c]!);

export const jsonObject = <T>(fields: { readonly [K in keyof T]: Json<T[K]> | undefined }): Json<T> => {
  let text = '';
  for (const key in fields) {
    if (fields[key] !== undefined) text += `${text ? ',' : ''}"${key}":${fields[key]}`;
  }
  return `{${text}}`;
};

export const jsonArray = <T>(items: readonly Json<T>[]): Json<T[]> => `[${items.join(',')}]`;

export const ownUrl = (path: string): Json<string> => `"${addressMark}${json(path).slice(1)}`;

export const withAddress = (text: string, address: string): string =>
  text.includes(addressMark) ? text.replaceAll(addressMark, json(address).slice(1, -1)) : text;

/** These names and values cannot split a response (RFC 9110, 5.1 and 5.5). */
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The server sets these itself, or they are about the connection (RFC 9110, 7.6.1), so that HTTP libraries reject them.
 */
const ownHeaders = new Set([
  'content-length', 'transfer-encoding', 'connection', 'date', 'trailer', 'te', 'upgrade', 'keep-alive',
  'proxy-connection',
]);

/** Whether a response can have a header with this name that is not the server's own. */
export const isResponseHeader = (name: string): boolean =>
  headerName.test(name.toLowerCase()) && !ownHeaders.has(name.toLowerCase());

/** JSON with `status` (default 200), `headers` and `body`; a body that is not text is sent as JSON. Null if invalid. */
export const responseFrom = (text: string): HttpResponse | null => {
  const given = parseJsonObject(text);
  if (!isObject(given)) return null;
  const { status = 200, headers = {}, body = '', ...others } = given;
  const named = headersFrom(headers);
  const isStatus = Number.isInteger(status) && Number(status) >= 200 && Number(status) <= 599;
  if (!isStatus || named === null || Object.keys(others).length > 0) return null;
  const isText = typeof body === 'string';
  return {
    status: Number(status),
    headers: isText ? named : { 'content-type': 'application/json', ...named },
    body: isText ? body : JSON.stringify(body),
  };
};

/** Puts names into lower case. Null if a header is invalid, or the server's own. */
export const headersFrom = (given: unknown): Record<string, string> | null => {
  if (!isObject(given)) return null;
  const headers = Object.entries(given).map(([name, value]): [string, unknown] => [name.toLowerCase(), value]);
  const isValid = headers.every(([name, value]) =>
    isResponseHeader(name) && isPlain(value) && headerValue.test(String(value)));
  return isValid ? Object.fromEntries(headers.map(([name, value]) => [name, String(value)])) : null;
};

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);
