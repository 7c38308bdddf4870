import { diffArrays } from 'diff';
import { allChanged, quoteAdded, quoteChanged, quotesRemoved, type Mistake } from './mistakes.js';

interface Quote {
  /** In the edited text, from 1. */
  readonly line: number;
  readonly text: string;
}

interface Aligned {
  /** For each quote, its line of the page; undefined if the page has no such line. */
  readonly places: readonly (number | undefined)[];
  readonly mistakes: readonly Mistake[];
}

/** Comparing takes long with more of them, which are reported as one mistake. */
const maxDifferences = 500;

/** Finds the lines of the page that were changed, removed or added. */
export const alignQuotes = (page: readonly string[], quotes: readonly Quote[]): Aligned => {
  const texts = quotes.map(({ text }) => text);
  if (texts.length === page.length && texts.every((text, i) => text === page[i])) {
    return { places: [...page.keys()], mistakes: [] };
  }
  const parts = diffArrays([...page], texts, { maxEditLength: maxDifferences });
  const places: (number | undefined)[] = [];
  if (!parts) return { places, mistakes: [{ line: quotes[0]?.line ?? 1, ...allChanged }] };
  const mistakes: Mistake[] = [];
  let at = 0;
  let missing: { readonly text: string; readonly place: number }[] = [];
  const line = () => (quotes[places.length] ?? quotes.at(-1))?.line ?? 1;
  const reportMissing = () => {
    if (missing.length > 0) mistakes.push({ line: line(), ...quotesRemoved(missing.map(({ text }) => text)) });
    missing = [];
  };
  for (const { value, added, removed } of parts) {
    const start = at;
    if (!added) at += value.length;
    if (removed) missing = value.map((text, i) => ({ text, place: start + i }));
    else if (added) {
      for (const _ of value) {
        const original = missing.shift();
        mistakes.push({ line: line(), ...original ? quoteChanged(original.text) : quoteAdded });
        places.push(original?.place);
      }
    } else {
      reportMissing();
      places.push(...value.map((_, i) => start + i));
    }
  }
  reportMissing();
  return { places, mistakes };
};
