import { asText } from '../../../text/plain.js';
import type { PreviewState } from './state.js';

/** The colors that services accept: newer ones know names and an alpha channel. */
const valid = /^(?:#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|[a-z]{3,24})$/i;

/** A stylesheet, because the policy of the page allows no style attributes. Values that are not colors are left out. */
export const colorSheet = (sides: ReadonlyMap<string, PreviewState>): string =>
  [...sides].map(([side, { fields }]) => `.${side} .bar {${[
    declaration('background-color', fields.message_background_color), declaration('color', fields.message_font_color),
  ].join('')} }\n`).join('');

const declaration = (property: string, value: unknown): string => {
  const color = asText(value).trim();
  return valid.test(color) ? ` ${property}: ${color};` : '';
};
