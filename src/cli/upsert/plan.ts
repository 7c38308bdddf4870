import type { MarkedNote } from '../../client/once/own-notes.js';
import type { Marker } from '../../wire/marker.js';
import { isStoredAs } from '../../wire/note-text.js';
import { appended, fitted, type Overflow } from './text.js';
import { isHigher, versionIn, versionValues, type Version } from './version.js';

export const upsertModes = ['replace', 'append', 'recreate', 'once'] as const;
export type UpsertMode = (typeof upsertModes)[number];

/** The comment that a run wants on a noteable. */
export interface Wanted {
  readonly key: string;
  /** Blank to delete the comment. */
  readonly text: string;
  readonly mode: UpsertMode;
  readonly version: Version | null;
  /** Identifies the run, so that it is appended once. */
  readonly run: string;
  readonly overflow: Overflow;
}

/** The text of a note and its marker. */
export interface Content {
  readonly text: string;
  readonly marker: Marker;
}

/** What to do next with the notes that have the key. */
export type Step =
  | { readonly do: 'create'; readonly content: Content }
  | { readonly do: 'update' | 'recreate'; readonly content: Content; readonly isSameText: boolean }
  | { readonly do: 'delete' }
  | { readonly do: 'nothing'; readonly reason: 'unchanged' | 'stale' };

/**
 * Decides what to do.
 * @param copies the notes with the key, the lowest id first; more than one after runs at the same time
 * @param isStored whether this run has already stored its text in the first of them. Then a text of the same version is
 *   a later one, and only a lower version is replaced.
 * @throws Problem if the text is too long
 */
export const nextStep = (wanted: Wanted, copies: readonly MarkedNote[], isStored: boolean): Step => {
  const [kept] = copies;
  const isEmpty = wanted.text.trim() === '';
  if (kept === undefined) return isEmpty ? unchanged : { do: 'create', content: contentFor(wanted, null) };
  if (wanted.mode === 'once' && !isEmpty) return unchanged;
  const isNewer = ({ marker }: MarkedNote) => isHigher(versionIn(marker), wanted.version);
  if (copies.some(isNewer)) return { do: 'nothing', reason: 'stale' };
  return isEmpty ? { do: 'delete' } : changeOf(wanted, kept, isStored);
};

const changeOf = (wanted: Wanted, kept: MarkedNote, isStored: boolean): Step => {
  const isAppending = wanted.mode === 'append';
  if (isAppending && runsIn(kept).includes(wanted.run)) return unchanged;
  // The same text stores a higher version too, so that an older run that ends later finds it.
  const isRaised = isHigher(wanted.version, versionIn(kept.marker));
  if (isStored && !isAppending && !isRaised) return unchanged;
  const content = contentFor(wanted, kept);
  const isSameText = isStoredAs(content.text, kept.text);
  if (isSameText && !isRaised) return unchanged;
  return { do: wanted.mode === 'recreate' && !isSameText ? 'recreate' : 'update', content, isSameText };
};

const unchanged: Step = { do: 'nothing', reason: 'unchanged' };

const contentFor = ({ key, text, mode, version, run, overflow }: Wanted, kept: MarkedNote | null): Content => {
  // A run without a version does not make the comment older.
  const values = versionValues(version ?? (kept && versionIn(kept.marker)));
  if (mode !== 'append') return { marker: { key, ...values }, text: fitted(text, { key, ...values }, overflow) };
  const marker = { key, ...values, run: [...kept ? runsIn(kept) : [], run].slice(-mostRuns).join('.') };
  const whole = kept ? appended(kept.text, text) : text;
  return { marker, text: fitted(whole, marker, overflow, 'end') };
};

/** Older runs are forgotten, to keep the marker short. */
const mostRuns = 100;

const runsIn = ({ marker }: MarkedNote): readonly string[] =>
  (marker['run'] ?? '').split('.').filter((run) => run !== '');
