/** The JSON text of a value of type T. Text, not objects: serialising is what a page costs most. */
export type Json<T> = string & { readonly jsonOf?: T };

/**
 * Stands for the service's own address in JSON text until the answer leaves. It can't occur otherwise, because the
 * text of every string has `<` escaped (wire-facts 1.9.6).
 */
const addressMark = '<';

const escapes: Record<string, string> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** A value as JSON text with `<`, `>` and `&` escaped, as the service does. */
export const json = <T>(value: T): Json<T> => JSON.stringify(value).replace(/[<>&]/g, (c) => escapes[c]!);

/** An object from the JSON texts of its fields, in their order; undefined fields are left out. */
export const jsonObject = <T>(fields: { readonly [K in keyof T]: Json<T[K]> | undefined }): Json<T> => {
  let text = '';
  for (const key in fields) {
    if (fields[key] !== undefined) text += `${text ? ',' : ''}"${key}":${fields[key]}`;
  }
  return `{${text}}`;
};

/** An array from the JSON texts of its items. */
export const jsonArray = <T>(items: readonly Json<T>[]): Json<T[]> => `[${items.join(',')}]`;

/** An absolute URL below the service's own address, whatever that is when the answer leaves. */
export const ownUrl = (path: string): Json<string> => `"${addressMark}${json(path).slice(1)}`;

/** Puts the service's address where `ownUrl` left its mark. */
export const withAddress = (text: string, address: string): string =>
  text.replaceAll(addressMark, json(address).slice(1, -1));
