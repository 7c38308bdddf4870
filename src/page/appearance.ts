import type { Appearance, ImageField } from '../contract/appearance.js';
import { asText } from '../text/plain.js';

export interface PreviewImage {
  readonly filename: string;
  readonly bytes: Uint8Array | null;
  readonly type: string | null;
}

export interface PreviewState {
  readonly fields: Readonly<Partial<Omit<Appearance, ImageField>>>;
  readonly images: Readonly<Partial<Record<ImageField, PreviewImage | null>>>;
}

/** Newer services also know names and an alpha channel. */
const valid = /^(?:#[0-9a-f]{3,4}|#[0-9a-f]{6}|#[0-9a-f]{8}|[a-z]{3,24})$/i;

const colorFrom = (value: unknown): string | null => {
  const color = asText(value).trim();
  return valid.test(color) ? color : null;
};

const colorFields = ['message_background_color', 'message_font_color'] as const;

export const swatchClass = (side: string, { fields }: PreviewState, field: string): string | null => {
  const name = colorFields.find((one) => one === field);
  return name === undefined || colorFrom(fields[name]) === null ? null : `swatch ${side} ${name}`;
};

/** The policy of the page allows no style attributes. */
export const colorSheet = (sides: ReadonlyMap<string, PreviewState>): string => [
  ...[...sides].map(([side, { fields }]) => `.${side} .bar {${[
    declaration('background-color', fields.message_background_color), declaration('color', fields.message_font_color),
  ].join('')} }\n`),
  ...[...sides].flatMap(([side, state]) => colorFields.map((field) => swatchRule(side, state, field))),
].join('');

const swatchRule = (side: string, state: PreviewState, field: typeof colorFields[number]): string => {
  const classes = swatchClass(side, state, field);
  if (classes === null) return '';
  return `.${classes.replaceAll(' ', '.')} {${declaration('background-color', state.fields[field])} }\n`;
};

const declaration = (property: string, value: unknown): string => {
  const color = colorFrom(value);
  return color === null ? '' : ` ${property}: ${color};`;
};

export const shownTypes = /^image\/(?:png|apng|jpeg|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/;
