import { stringify } from 'yaml';
import { plainText } from '../plain.js';

/** A value as YAML. Long lines are kept; characters that could act on a terminal are shown. */
export const yamlText = (value: unknown): string => plainText(stringify(value, { lineWidth: 0 }));
