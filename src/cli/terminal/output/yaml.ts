import { Scalar, stringify, type ScalarTag, type Tags } from 'yaml';
import { isWithoutEscapes, plainJson } from '../../../text/plain.js';

/**
 * Readers of YAML 1.1 and 1.2 get the same value: a date or a "yes" stays a text. Long lines are kept; characters that
 * could act on a terminal become escapes.
 */
export const yamlText = (value: unknown): string => plainJson(stringify(value, options));

/**
 * Escapes count in double quotes only, version 1.1 has a type for a lone `=` and no tabs in plain text, and the library
 * writes some blocks that start with white space so that no reader gets the same text.
 */
const needsQuotes = (text: string): boolean =>
  text === '=' || !isWithoutEscapes(text) || /^(?=\s)[^]*\n|^[^\t\n]*\t[^\n]*$/.test(text);

const quoted: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) => typeof value === 'string' && needsQuotes(value),
  resolve: (text) => text,
  createNode: (_, value) => Object.assign(new Scalar(value), { type: Scalar.QUOTE_DOUBLE }),
};

const options = { lineWidth: 0, compat: 'yaml-1.1', customTags: (tags: Tags): Tags => [quoted, ...tags] } as const;
