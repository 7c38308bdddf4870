import { markupValue } from '../text/markup.js';

export interface Html { readonly markup: string }

type Part = Html | string | null | readonly Part[];

/** Builds markup: strings in `${}` are escaped, so that they are text or the value of a quoted attribute. */
export const html = (texts: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  ({ markup: texts.map((text, at) => text + markupOf(parts[at] ?? null)).join('') });

const markupOf = (part: Part): string => {
  if (part === null) return '';
  if (typeof part === 'string') return markupValue(part);
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
};
