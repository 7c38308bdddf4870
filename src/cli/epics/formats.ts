import { isRows } from './rows.js';

export const documentFormats = ['yaml', 'outline', 'csv'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

const firstLine = (text: string): string => /^[ \t]*[^#\s].*$/m.exec(text)?.[0] ?? '';

/** A list in brackets, which is neither a checkbox nor a link, an object, a mark of YAML, or a text in quotes. */
const yamlStart = /^[ \t]*(\{|\[(?![^\]\n]*\][ \t]*[^\s,\]}])|---([ \t]|$)|%YAML|-[ \t]+(["']).*\3[ \t]*$)/;

const yamlKey = /^[ \t]*(?:-[ \t]+)*(["']?)(?:ref|title|children)\1:(?:[ \t]|\r?$)/m;

/** By the name of the file, else by a header or rows of `epics tree`, else by brackets, quotes and keys. */
export const formatOfDocument = (text: string, file: string): DocumentFormat => {
  if (/\.(ya?ml|json|ndjson)$/i.test(file)) return 'yaml';
  if (/\.(csv|tsv)$/i.test(file) || isRows(text)) return 'csv';
  return yamlStart.test(firstLine(text)) || yamlKey.test(text) ? 'yaml' : 'outline';
};
