export const documentFormats = ['yaml', 'outline'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

const firstLine = (text: string): string => /^[ \t]*[^#\s].*$/m.exec(text)?.[0] ?? '';

/** A list in brackets, which is neither a checkbox nor a link, an object, a mark of YAML, or a text in quotes. */
const yamlStart = /^[ \t]*(\{|\[(?![^\]\n]*\][ \t]*[^\s,\]}])|---([ \t]|$)|%YAML|-[ \t]+(["']).*\3[ \t]*$)/;

const yamlKey = /^[ \t]*(?:-[ \t]+)*(["']?)(?:ref|title|children)\1:(?:[ \t]|\r?$)/m;

/** By brackets, quotes and keys. */
export const formatOfText = (text: string): DocumentFormat =>
  yamlStart.test(firstLine(text)) || yamlKey.test(text) ? 'yaml' : 'outline';
