import type { Key } from '../../app.js';

/** A text that is being typed, and where the cursor is in it. */
export interface LineInput {
  readonly text: string;
  readonly at: number;
}

export const inputOf = (text: string): LineInput => ({ text, at: text.length });

/** Unchanged for keys that edit no text. */
export const typedInto = ({ text, at }: LineInput, key: Key): LineInput => {
  const [before, after] = [text.slice(0, at), text.slice(at)];
  switch (key.name) {
    case 'text': case 'paste': return { text: before + key.text + after, at: at + key.text.length };
    case 'backspace': return { text: before.slice(0, at - lastLength(before)) + after, at: at - lastLength(before) };
    case 'delete': return { text: before + after.slice(firstLength(after)), at };
    case 'left': return { text, at: at - lastLength(before) };
    case 'right': return { text, at: at + firstLength(after) };
    case 'home': return { text, at: 0 };
    case 'end': return { text, at: text.length };
    case 'ctrl-u': return { text: after, at: 0 };
    case 'ctrl-w': {
      const kept = before.replace(/\S*\s*$/, '');
      return { text: kept + after, at: kept.length };
    }
    default: return { text, at };
  }
};

const segmenter = new Intl.Segmenter();

/** Of a character as a person sees it; 0 for none. */
const firstLength = (text: string): number =>
  segmenter.segment(text)[Symbol.iterator]().next().value?.segment.length ?? 0;

const lastLength = (text: string): number => [...segmenter.segment(text.slice(-64))].at(-1)?.segment.length ?? 0;
