import { diffArrays } from 'diff';

export interface Mistake {
  readonly line: number;
  readonly message: string;
  readonly hint: string;
}

type MistakeText = Omit<Mistake, 'line'>;

const quotesRemoved = (lines: readonly string[]): MistakeText => {
  const first = `> ${[...lines[0] ?? ''].slice(0, 60).join('')}`.trimEnd();
  return {
    message: lines.length === 1 ? `the quoted line "${first}" is missing`
      : `${lines.length} quoted lines from "${first}" on are missing`,
    hint: lines.length === 1 ? 'put it back' : 'put them back',
  };
};

const quoteChanged = (line: string): MistakeText => ({
  message: 'this quoted line was changed', hint: `restore it: ${`> ${line}`.trimEnd()}`,
});

const quoteAdded: MistakeText = {
  message: 'this quoted line was not there before', hint: 'remove it, or quote in a comment with ">" and no space',
};

const allChanged: MistakeText = {
  message: 'too many quoted lines were changed',
  hint: 'restore them, or close the editor without changes to start again',
};

export const aboveAll: MistakeText = {
  message: 'there is text above all quoted lines', hint: 'write it below the line that it is about',
};

export const notBelowThread: MistakeText = {
  message: '[resolve] is not below a thread', hint: 'write it below the lines of the thread that it resolves',
};

export const notCommentable: MistakeText = {
  message: 'the quoted line above this text takes no comments',
  hint: 'write below a line of the diff, a thread, a "diff --git" line or the name of the merge request',
};

export const rangeWithoutText: MistakeText = {
  message: 'lines are marked without a comment', hint: 'write the comment below the last one, or remove the marks',
};

export const rangeElsewhere: MistakeText = {
  message: 'lines are marked further up, but the line above this text is not the last of them',
  hint: 'write the comment directly below the last marked line',
};

export const rangeBroken: MistakeText = {
  message: 'the marked lines are not successive lines of one hunk', hint: 'mark each line of the range, and no others',
};

interface Quote {
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
