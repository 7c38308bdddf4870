import { literalPattern } from '../../text/quoting.js';

export const redactedMark = '[redacted]';

export interface Mask {
  (text: string): string;
  readonly longest: number;
}

interface MaskOptions {
  readonly shortest: number;
  readonly mark: string;
  /** Also finds letters and digits that are escaped one by one; each text is searched once more for each value. */
  readonly finds?: 'escaped letters';
}

/** Output is searched line by line, so each line of a value counts by itself, as in private keys. */
export const secretLines = (value: string, shortest: number): string[] =>
  value.split(/[\r\n]+/).map((line) => line.trim()).filter((line) => line.length >= shortest);

/** Masks values also URL-encoded, in hex, in base64 within a longer text, and as shells, JSON and HTML quote them. */
export const createMask = (values: readonly string[], options: MaskOptions): Mask => {
  const { mask, add } = growingMask(options);
  values.forEach(add);
  const bytes = Math.max(0, ...values.filter((value) => secretLines(value, options.shortest).length > 0)
    .map((value) => Buffer.byteLength(value)));
  return Object.assign(mask, { longest: bytes * mostPerByte });
};

interface Form {
  pattern?: string | RegExp;
  readonly source: () => string;
  readonly length: number;
}

/** Looks at each character of a text once, or twice if it has line breaks, however many values it knows. */
const growingMask = ({ shortest, mark, finds }: MaskOptions) => {
  const known = new Set<string>();
  const byFour = new Map<number, Set<Form>>();
  const others: Form[] = [];
  const isKnown = new Uint8Array(65_536);
  /** Of seven characters in a row, four begin at a multiple of four. */
  let step = 4;

  const addForm = (form: Form, text: string): void => {
    const sample = sampleOf(text);
    if (sample === null) others.push(form);
    else if (sample.length < 7) step = 1;
    for (let at = 0; sample !== null && at + 4 <= sample.length; at++) {
      const four = fourAt(sample, at);
      const forms = byFour.get(four) ?? new Set<Form>();
      byFour.set(four, forms.add(form));
      isKnown[digestOf(four)] = 1;
    }
  };
  const addFound = (text: string, found: Set<Form>): void => {
    for (let at = 0; at < text.length - 3; at += step) {
      const four = fourAt(text, at);
      if (isKnown[digestOf(four)] === 1) for (const form of byFour.get(four) ?? []) found.add(form);
    }
  };
  const formsIn = (text: string): Form[] => {
    const found = new Set(others);
    for (const searched of new Set([text, text.replace(lineBreaks, '')])) addFound(searched, found);
    return [...found].sort((a, b) => b.length - a.length);
  };
  return {
    add: (value: string): void => {
      if (known.has(value)) return;
      known.add(value);
      const lines = secretLines(value, shortest);
      if (lines.length === 0) return;
      for (const line of lines) {
        const parts = pieces(line);
        // The end of one piece can be the start of another, so a value in plain text goes first, as a whole.
        if (parts.length > 1) addForm({ pattern: line, source: () => '', length: line.length }, line);
        for (const text of parts) addForm({ source: () => writtenForm(text), length: text.length }, text);
        if (finds === undefined) continue;
        for (const text of parts) others.push({ source: () => writtenForm(text, null), length: text.length });
      }
      for (const text of new Set([...lines, value].flatMap(pieces))) {
        for (const { source, sample } of encodedForms(text)) addForm({ source, length: text.length }, sample);
      }
    },
    mask: (text: string): string => known.size === 0 ? text : formsIn(text).reduce((rest, form) =>
      rest.replaceAll(form.pattern ??= new RegExp(form.source(), 'g'), (hidden) => hidden.replace(/[^\r\n]+/g, mark)),
    text),
  };
};

const fourAt = (text: string, at: number): number =>
  (text.charCodeAt(at) << 24) | ((text.charCodeAt(at + 1) & 0xff) << 16)
  | ((text.charCodeAt(at + 2) & 0xff) << 8) | (text.charCodeAt(at + 3) & 0xff);

const digestOf = (four: number): number => Math.imul(four, 0x9e3779b1) >>> 16;

/** The last letters and digits of a form, because the first ones are a prefix of many tokens. */
const sampleOf = (text: string): string | null => {
  const runs = text.match(/[A-Za-z\d]{4,}/g) ?? [];
  const longest = runs.reduce((one, other) => other.length > one.length ? other : one, '');
  return longest === '' ? null : longest.slice(-7);
};

/** Regular expressions have a limit. */
const longestPiece = 1_000;

const pieces = (text: string): string[] => text.length < 2 * longestPiece ? [text]
  : [text.slice(0, longestPiece), ...pieces(text.slice(longestPiece))];

/** The escape of a quote in JSON within JSON, in UTF-16. */
const mostPerByte = 7;

/** JSON within JSON has more backslashes. @param plain the characters that are never escaped */
const writtenForm = (text: string, plain: RegExp | null = /[a-z\d]/i): string => Array.from(text, (character, at) => {
  if (plain?.test(character)) return character;
  const forms = [...spellings[character] ?? [], character].map(literalPattern);
  const escaped = `\\\\*(?:${[...forms, percentEncoded(character), ...escapes(character)].join('|')})`;
  // Without this, a search in a long run of backslashes would begin at each of them.
  return at === 0 ? `(?<!\\\\)${escaped}` : escaped;
}).join('');

const spellings: Readonly<Record<string, readonly string[]>> = {
  ' ': ['+'], '\t': ['\\t'], '"': ['&quot;'], "'": [`'"'"'`, "'\\''", '&apos;'], '&': ['&amp;'], '<': ['&lt;'],
  '>': ['&gt;'],
};

const escapes = (character: string): string[] => {
  if (character.length > 1) return [];
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return [`u${anyCase(hex.padStart(4, '0'))}`, `&#0*${code};`, `&#[xX]0*${anyCase(hex)};`];
};

const percentEncoded = (text: string): string => Array.from(Buffer.from(text), (byte) =>
  `%(?:25)?${anyCase(byte.toString(16).padStart(2, '0'))}`).join('');

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const lineBreak = '(?:[\\r\\n]|(?<!\\\\)\\\\+[rn]|%(?:25)?0[aAdD])[ \\t]*';
const lineBreaks = new RegExp(lineBreak, 'g');

const inLines = (encoded: string): string =>
  Array.from(encoded, (sign) => inBase64[sign] ?? sign).join(`(?:${lineBreak})*`);

const encodedForms = (text: string): EncodedForm[] => {
  const bytes = Buffer.from(text);
  const hex = bytes.toString('hex');
  return [
    ...base64Forms(text), ...base64Forms(bytes.toString('base64')),
    ...[hex, hex.toUpperCase()].map((one) => ({ source: () => inLines(one), sample: one })),
  ];
};

interface EncodedForm extends Pick<Form, 'source'> { readonly sample: string }

/** The three positions that a text can have in a longer one, without the characters that depend on neighbors. */
const base64Forms = (text: string): EncodedForm[] => [0, 1, 2].map((before) => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
  const full = bytes.length % 3 === 0 ? undefined : -1;
  const known = bytes.toString('base64').replace(/(?<!=)=+$/, '').slice(before === 0 ? 0 : before + 1, full);
  const last = full === undefined ? '' : '[\\w+/-]?';
  return { source: () => `${inLines(known)}${last}(?:=|%(?:25)?3[dD]){0,2}`, sample: known };
});

const inBase64: Readonly<Record<string, string>> = {
  '+': '(?:[+-]|%(?:25)?2[bB])', '/': '(?:\\\\*[/_]|%(?:25)?2[fF])',
};

/** Shorter values are words that occur in many texts. */
const minKnownLength = 6;

export const createKnownMask = () => growingMask({ shortest: minKnownLength, mark: redactedMark });

export const redactKnown = (text: string, known: Iterable<string>): string => {
  const values = [...known];
  return values.length === 0 ? text : createMask(values, { shortest: minKnownLength, mark: redactedMark })(text);
};
