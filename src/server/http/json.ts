/** Serialization is the largest cost of a page, so values are serialized once. */
export type Json<T> = string & { readonly jsonOf?: T };

export const jsonType = 'application/json';

/**
 * Stands for the public address. It cannot occur otherwise: `<` is escaped in every string (behavior:
 * requests.escaped-json).
 */
const addressMark = '<';

const escapes: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** With `<`, `>` and `&` escaped, as the service does. */
export const json = <T>(value: T): Json<T> => value === null || typeof value === 'boolean' ? String(value)
  : JSON.stringify(value).replace(/[<>&]/g, (c) => escapes[c]!);

/** In order; undefined fields are left out. */
export const jsonObject = <T>(fields: { readonly [K in keyof T]: Json<T[K]> | undefined }): Json<T> => {
  let text = '';
  for (const key in fields) {
    if (fields[key] !== undefined) text += `${text ? ',' : ''}"${key}":${fields[key]}`;
  }
  return `{${text}}`;
};

export const jsonArray = <T>(items: readonly Json<T>[]): Json<T[]> => `[${items.join(',')}]`;

/** The address is filled in when the response is sent. */
export const ownUrl = (path: string): Json<string> => `"${addressMark}${json(path).slice(1)}`;

export const withAddress = (text: string, address: string): string =>
  text.includes(addressMark) ? text.replaceAll(addressMark, json(address).slice(1, -1)) : text;
