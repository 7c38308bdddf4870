import type { HttpResponse } from '../../wire/http.js';
import { isObject } from '../../wire/json-object.js';

/** Names and values that cannot split a response (RFC 9110, 5.1 and 5.5). */
const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Set by the server itself. */
const ownHeaders = new Set(['content-length', 'transfer-encoding', 'connection', 'date']);

/**
 * The response of a fault `respond`: JSON with `status` (default 200), `headers` and `body`. A body that is not text is
 * sent as JSON. Null if it is invalid.
 */
export const responseFrom = (text: string): HttpResponse | null => {
  const given = objectIn(text);
  if (given === null) return null;
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

const objectIn = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

const headersFrom = (given: unknown): Record<string, string> | null => {
  if (!isObject(given)) return null;
  const headers = Object.entries(given).map(([name, value]): [string, string] => [name.toLowerCase(), String(value)]);
  const isValid = headers.every(([name, value]) =>
    headerName.test(name) && headerValue.test(value) && !ownHeaders.has(name));
  return isValid ? Object.fromEntries(headers) : null;
};
