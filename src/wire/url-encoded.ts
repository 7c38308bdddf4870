import { toPairs, type Hash } from './brackets.js';

/** Parameters as a query or form text: spaces as `%20`, a plus sign as `%2B` (wire-facts 2.1.7). */
export const urlEncoded = (params: Hash): string =>
  toPairs(params).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`).join('&');

/**
 * The pairs of a query or form text, read one by one so that a caller can stop: a body has room for millions. They are
 * decoded as by URLSearchParams, which takes fifty times the memory of a long value.
 */
export function* urlDecoded(text: string): Iterable<[string, string]> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('&', at);
    const next = end < 0 ? text.length : end;
    if (next > at) yield pairIn(text.slice(at, next));
    at = next + 1;
  }
}

const pairIn = (text: string): [string, string] => {
  const end = text.indexOf('=');
  return end < 0 ? [decodedPart(text), ''] : [decodedPart(text.slice(0, end)), decodedPart(text.slice(end + 1))];
};

/** A plus sign is a space (wire-facts 2.1.7), and a percent sign without two digits stands for itself. */
const decodedPart = (text: string): string => {
  if (!/[+%]/.test(text)) return text.toWellFormed();
  const bytes = Buffer.from(text);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    const escaped = byte === percent ? digits[bytes[i + 1]!]! * 16 + digits[bytes[i + 2]!]! : NaN;
    if (escaped >= 0) i += 2;
    bytes[length++] = escaped >= 0 ? escaped : byte === plus ? space : byte;
  }
  return bytes.toString('utf8', 0, length);
};

const [percent, plus, space] = [0x25, 0x2b, 0x20];

/** The value of each byte that is a hexadecimal digit, and NaN for the others. */
const digits = Array.from({ length: 256 }, (_, byte) => parseInt(String.fromCharCode(byte), 16));
