import { literalPattern } from '../text/literal-pattern.js';

/** Replaces every known secret in a text. */
export interface Mask {
  (text: string): string;
  /** The most characters that one secret takes in a text. */
  readonly longest: number;
}

interface MaskOptions {
  /** Shorter values are not masked: they occur in many texts. In characters. */
  readonly shortest: number;
  /** What stands in place of a secret. */
  readonly mark: string;
}

/** Output is searched line by line, so each line of a value counts by itself, as in private keys. */
export const linesOf = (value: string, shortest: number): string[] =>
  value.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line.length >= shortest);

/**
 * Masks values as they are, URL-encoded, in base64, even inside a longer text in base64, and as shells and JSON quote
 * them.
 */
export const maskOf = (values: readonly string[], { shortest, mark }: MaskOptions): Mask => {
  const linesIn = (value: string) => linesOf(value, shortest);
  const lines = longestFirst([...new Set(values.flatMap(linesIn))]);
  const whole = [...new Set([...lines, ...values.filter((value) => linesIn(value).length > 0)])];
  const forms = [...lines.flatMap(pieces).map(writtenForm), ...whole.flatMap(pieces).flatMap(base64Forms)];
  const patterns = [...lines, ...longestFirst(forms).map((form) => new RegExp(form, 'g'))];
  const mask = (text: string) =>
    patterns.reduce<string>((rest, pattern) => rest.replaceAll(pattern, mark), text);
  const bytes = Math.max(0, ...whole.map((value) => Buffer.byteLength(value)));
  return Object.assign(mask, { longest: bytes * mostPerByte });
};

/** A value may contain another. */
const longestFirst = (texts: readonly string[]): string[] => texts.toSorted((a, b) => b.length - a.length);

/** The longest text of one pattern: regular expressions have a limit. */
const longestPiece = 1_000;

const pieces = (text: string): string[] => text.length < 2 * longestPiece ? [text]
  : [text.slice(0, longestPiece), ...pieces(text.slice(longestPiece))];

/** A quote in a word for a shell: `'"'"'`. */
const mostPerByte = 5;

/** A pattern for a text as it is, and as URLs, JSON and the traces of shells write it. */
const writtenForm = (text: string): string => Array.from(text, (character) => {
  if (/[a-z\d]/i.test(character)) return character;
  const forms = [...spellings[character] ?? [], character].map(literalPattern);
  return `(?:${[...forms, percentEncoded(character)].join('|')})`;
}).join('');

/** How else a character is written, the longest first. */
const spellings: Readonly<Record<string, readonly string[]>> = {
  ' ': ['+'], '"': ['\\"'], "'": [`'"'"'`, "'\\''", "\\'"], '/': ['\\/'], '\\': ['\\\\'],
};

/** A pattern for percent-encoded bytes, with upper-case or lower-case digits. */
const percentEncoded = (text: string): string => Array.from(Buffer.from(text), (byte) =>
  `%${byte.toString(16).padStart(2, '0').replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`).join('');

/**
 * Patterns for the base64 of a text at the three positions that it can have in a longer one, without the characters
 * that depend on the neighbors.
 */
const base64Forms = (text: string): string[] => [0, 1, 2].map((before) => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  const full = bytes.length % 3 === 0 ? undefined : -1;
  const known = bytes.toString('base64').replace(/(?<!=)=+$/, '').slice(before === 0 ? 0 : before + 1, full);
  return `${known.replace(/[+/]/g, (sign) => inBase64[sign]!)}[\\w+/-]?(?:=|%3[dD]){0,2}`;
});

/** With the alphabet for URLs, and URL-encoded. */
const inBase64: Readonly<Record<string, string>> = { '+': '(?:[+-]|%2[bB])', '/': '(?:[/_]|%2[fF])' };
