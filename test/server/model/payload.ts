import fc from 'fast-check';
import { isUpload, toPairs } from '../../../src/wire/http.js';

/** How parameters travel; `wrong` is a type that is not read, `broken` a JSON that breaks off. */
export type Encoding = 'query' | 'json' | 'form' | 'multipart' | 'wrong' | 'broken';

export const encodings = fc.constantFrom<Encoding[]>('query', 'json', 'json', 'json', 'form', 'multipart', 'wrong', 'broken');

/** Query, headers and body that carry parameters. */
export interface Payload { readonly query: string; readonly headers: Record<string, string>; readonly body?: string | Uint8Array }

type Params = Readonly<Record<string, unknown>>;

/** A value as text. */
export const plain = (value: unknown): string => typeof value === 'string' ? value : JSON.stringify(value) ?? '';

const encoded = (value: unknown): string => encodeURIComponent(plain(value).toWellFormed());

const pairsText = (params: Params): string => toPairs(params).map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');

const clean = (text: string): string => text.replace(/["\r\n\\]/g, '_');

const part = ([name, value]: readonly [string, unknown]): Buffer => {
  const head = `--b\r\nContent-Disposition: form-data; name="${clean(name)}"`;
  return isUpload(value)
    ? Buffer.concat([Buffer.from(`${head}; filename="${clean(value.filename)}"\r\n\r\n`), value.bytes, Buffer.from('\r\n')])
    : Buffer.from(`${head}\r\n\r\n${plain(value)}\r\n`);
};

const types = {
  json: 'application/json', form: 'application/x-www-form-urlencoded', multipart: 'multipart/form-data; boundary=b', wrong: 'text/xml',
};

export const payload = (encoding: Encoding, params: Params): Payload => {
  if (encoding === 'query' || Object.keys(params).length === 0) return { query: pairsText(params), headers: {} };
  if (encoding === 'broken') return { query: '', headers: { 'content-type': types.json }, body: JSON.stringify(params).slice(0, -1) };
  const body = encoding === 'multipart' ? Buffer.concat([...toPairs(params).map(part), Buffer.from('--b--\r\n')])
    : encoding === 'form' ? pairsText(params) : JSON.stringify(params);
  return { query: '', headers: { 'content-type': types[encoding] }, body };
};
