import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { PositionInput } from '../../../contract/shapes/position.js';
import { readMarker } from '../../../wire/note-text.js';
import type { Key } from '../../app.js';
import type { PlacedThread } from '../places.js';
import type { ThreadCode } from '../views/code.js';

export type TextTarget =
  | { readonly kind: 'reply'; readonly thread: string; readonly resolves: boolean }
  | { readonly kind: 'edit'; readonly thread: string; readonly note: number }
  | { readonly kind: 'comment'; readonly thread: string; readonly position: PositionInput };

export type Undo =
  | { readonly kind: 'resolve'; readonly thread: string }
  /** A reply, or a comment that started a thread of its own. */
  | { readonly kind: 'note'; readonly thread: string; readonly note: number; readonly after: string }
  | {
    readonly kind: 'edit'; readonly thread: string; readonly note: number; readonly before: string;
    readonly after: string;
  };

export type Mode =
  | { readonly name: 'read' | 'help' | 'ended' }
  | { readonly name: 'number' | 'line'; readonly input: LineInput }
  | { readonly name: 'write'; readonly writing: TextTarget; readonly input: LineInput };

export interface UnsentText {
  readonly writing: TextTarget;
  readonly text: string;
}

export interface ThreadLook {
  readonly place: Omit<PlacedThread, keyof Discussion>;
  readonly code: ThreadCode;
}

/** The threads are those that were unresolved at the start, in their newest known form. */
export interface TriageState {
  readonly threads: readonly Discussion[];
  readonly at: number;
  readonly shown: ReadonlyMap<string, ThreadLook>;
  /** A service may not report the owner of the token. */
  readonly user: number | null;
  readonly mode: Mode;
  readonly message: { readonly text: string; readonly isError: boolean } | null;
  /** Texts that were typed and not sent, by `writingKey`. */
  readonly unsent: ReadonlyMap<string, UnsentText>;
  readonly undo: readonly Undo[];
}

export type Effect =
  | { readonly kind: 'send'; readonly writing: TextTarget; readonly text: string }
  | { readonly kind: 'compose'; readonly writing: TextTarget; readonly text: string }
  | { readonly kind: 'resolve'; readonly thread: string }
  | { readonly kind: 'undo'; readonly step: Undo }
  /** On the thread that is shown. */
  | { readonly kind: 'apply' | 'browse' | 'edit file' };

export type Result =
  | { readonly kind: 'failed'; readonly message: string }
  /** The thread has notes that were not shown; nothing was done. */
  | { readonly kind: 'arrived'; readonly thread: Discussion }
  /** The note to edit has another text than was shown; nothing was sent. */
  | { readonly kind: 'changed'; readonly thread: Discussion }
  /** Null for quick actions alone, of which the service stores no note. */
  | { readonly kind: 'sent'; readonly note: Note | null; readonly undo: Undo | null }
  | { readonly kind: 'composed'; readonly text: string }
  | { readonly kind: 'resolved'; readonly thread: Discussion }
  | { readonly kind: 'undone'; readonly thread: Discussion | null; readonly message: string }
  /** Such a change can never be undone. */
  | { readonly kind: 'kept'; readonly message: string }
  | { readonly kind: 'done'; readonly message: string };

export type Step = readonly [state: TriageState, effect: Effect | null];

export const firstState = (threads: readonly Discussion[], user: number | null): TriageState => ({
  threads, user, at: 0, shown: new Map(), mode: { name: 'read' }, message: null, unsent: new Map(), undo: [],
});

/** A text for `r` serves `R` too. */
export const writingKey = (writing: TextTarget): string => {
  switch (writing.kind) {
    case 'reply': return `reply ${writing.thread}`;
    case 'edit': return `edit ${writing.note}`;
    case 'comment': return `comment ${writing.thread}`;
  }
};

export const textKey = (writing: TextTarget, text: string): string => `${writingKey(writing)} ${text}`;

export const threadAt = ({ threads, at }: TriageState): Discussion => threads[at]!;

export const said = (state: TriageState, text: string, isError = false): TriageState =>
  ({ ...state, message: { text, isError } });

export const reading = (state: TriageState): TriageState => ({ ...state, mode: { name: 'read' } });

/** Forgets a text that is empty, or that the note to edit has already. */
export const withUnsent = (state: TriageState, writing: TextTarget, text: string): TriageState => {
  const unsent = new Map(state.unsent);
  if (text.trim() === '' || text === storedText(state, writing)) unsent.delete(writingKey(writing));
  else unsent.set(writingKey(writing), { writing, text });
  return { ...state, unsent };
};

/** As it was shown; undefined for another text than an edit. */
export const storedText = ({ threads }: TriageState, writing: TextTarget): string | undefined => {
  if (writing.kind !== 'edit') return undefined;
  const { notes = [] } = threads.find(({ id }) => id === writing.thread) ?? {};
  const note = notes.find(({ id }) => id === writing.note);
  return note && readMarker(note.body).text;
};

/** Includes the text that is being typed. */
export const unsentTexts = (state: TriageState): readonly UnsentText[] => {
  const { mode } = state;
  const { unsent } = mode.name === 'write' ? withUnsent(state, mode.writing, mode.input.text) : state;
  return [...unsent.values()];
};

export interface LineInput {
  readonly text: string;
  readonly at: number;
}

export const inputOf = (text: string): LineInput => ({ text, at: text.length });

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

/** Counts characters as a person sees them. */
const firstLength = (text: string): number =>
  segmenter.segment(text)[Symbol.iterator]().next().value?.segment.length ?? 0;

const lastLength = (text: string): number => [...segmenter.segment(text.slice(-64))].at(-1)?.segment.length ?? 0;
