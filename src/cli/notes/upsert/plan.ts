import { isAnswered, isChanged, sortCopies } from '../../../client/exactly-once/copies.js';
import type { MarkedNote } from '../../../client/exactly-once/known-notes.js';
import { bodyLimit } from '../../../contract/conventions.js';
import {
  countCharacters, firstCharacters, isStoredAs, lastCharacters, type Marker, markerLength, withoutMarkers,
  withoutTicks,
} from '../../../wire/note-text.js';
import { readInstant } from '../../../wire/time-text.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import { isInternal, isPlainComment } from '../views/note.js';
import { firstFound } from '../../service/settings/sources.js';

export const upsertModes = ['replace', 'append', 'recreate', 'once'] as const;
export type UpsertMode = (typeof upsertModes)[number];

export interface WantedComment {
  readonly key: string;
  /** A blank text deletes the comment. */
  readonly text: string;
  readonly mode: UpsertMode;
  readonly version: RunVersion | null;
  /** A run appends its text once. */
  readonly run: string;
  readonly overflow: Overflow;
  /** A visible marker becomes a line of the text, even in an earlier comment. */
  readonly isVisible: boolean;
  readonly resolvable?: boolean;
}

export interface Content {
  readonly text: string;
  readonly marker: Marker;
  readonly isVisible: boolean;
}

export interface KeyNotes {
  /** The first one is kept: a new one rather than the one that it replaced, then one that is surely unchanged. */
  readonly copies: readonly MarkedNote[];
  readonly surplus: readonly MarkedNote[];
  /** A person wrote or changed these: they are neither updated nor deleted. */
  readonly changed: readonly MarkedNote[];
}

/**
 * @param written ids of notes that this run wrote: the service may store another text
 * @param mayChange a changed note is updated all the same
 */
export const keyNotesOf = (
  notes: readonly MarkedNote[], written: ReadonlySet<number>, mayChange = (_: MarkedNote): boolean => false,
): KeyNotes => {
  const isOther = (one: MarkedNote) => isChanged(one) && !written.has(one.note.id) && !mayChange(one);
  const [copies, changed] = [notes.filter((one) => !isOther(one)), notes.filter(isOther)];
  const replaced = Math.max(...copies.map(({ marker }) => Number(marker['id'] ?? 0)));
  const rank = ({ note, isAsWritten }: MarkedNote) => Number(note.id <= replaced) * 2 + Number(isAsWritten === null);
  const { kept, surplus } = sortCopies(copies, { order: (one, other) => rank(one) - rank(other), isChanged: isOther });
  return { copies: kept ? [kept, ...copies.filter((one) => one !== kept)] : [], surplus, changed };
};

export type UpsertStep =
  | { readonly do: 'create'; readonly content: Content }
  | {
    readonly do: 'update'; readonly content: Content; readonly isSameText: boolean;
    /** Somebody answered the comment, so it is not created again. */
    readonly reason?: ReasonToStay;
  }
  | { readonly do: 'recreate'; readonly content: Content }
  | { readonly do: 'delete' }
  | { readonly do: 'nothing'; readonly reason: 'unchanged' | 'stale' };

/**
 * @param isStored whether this run has stored its text already: then a text of the same version is a later one, and
 * only a lower version is replaced
 * @throws Problem if the text is too long
 */
export const nextStep = (wanted: WantedComment, { copies, changed }: KeyNotes, isStored: boolean): UpsertStep => {
  const [kept] = copies;
  const isEmpty = wanted.text.trim() === '';
  if (wanted.mode === 'once' && !isEmpty && copies.length + changed.length > 0) return unchanged;
  if (kept === undefined) {
    return isEmpty ? unchanged : { do: 'create', content: contentFor(wanted, null, idBeside(changed)) };
  }
  const isNewer = ({ marker }: MarkedNote) => isHigher(versionIn(marker), wanted.version);
  if (copies.some(isNewer)) return { do: 'nothing', reason: 'stale' };
  return isEmpty ? { do: 'delete' } : plannedChange(wanted, kept, [...copies, ...changed], isStored);
};

const plannedChange = (
  wanted: WantedComment, kept: MarkedNote, notes: readonly MarkedNote[], isStored: boolean,
): UpsertStep => {
  // The same text stores a higher version too, so that an older run that ends later finds it.
  const isRaised = isHigher(wanted.version, versionIn(kept.marker));
  if (isStored && !isRaised) return unchanged;
  const content = contentFor(wanted, kept, kept.marker['id']);
  const isTicked = isTickedByReader(content.text, kept.text, kept.marker);
  const isSameText = isTicked || isStoredAs(content.text, kept.text);
  const isReplaced = wanted.resolvable === true && isPlainComment(kept.note) && !isTicked;
  if (isSameText && !isRaised && content.isVisible === kept.isVisible && !isReplaced) return unchanged;
  if (isTicked) return { do: 'update', content: { ...content, text: kept.text }, isSameText };
  if (!isReplaced && (wanted.mode !== 'recreate' || isSameText)) return { do: 'update', content, isSameText };
  const reason = reasonToStay(wanted, kept);
  return reason !== null ? { do: 'update', content, isSameText, reason }
    : { do: 'recreate', content: contentFor(wanted, kept, idBeside(notes)) };
};

type ReasonToStay = 'is internal' | 'is on the diff' | 'is in a thread' | 'starts a thread' | 'has answers';

/** Why a note is not created again: the new one would be at another place, public, or nothing to resolve. */
const reasonToStay = ({ resolvable }: WantedComment, kept: MarkedNote): ReasonToStay | null => {
  const { note, discussion } = kept;
  if (isInternal(note)) return 'is internal';
  if (note.position) return 'is on the diff';
  if (discussion.notes[0]?.id !== note.id) return 'is in a thread';
  if (note.resolvable === true && !resolvable) return 'starts a thread';
  return isAnswered(kept) ? 'has answers' : null;
};

export const tickValues = (text: string): Marker => withoutTicks(text) === text ? {} : { ticks: 'yes' };

/** If the program ticks boxes itself, those of its newest text count. @param values those of the stored text */
export const isTickedByReader = (text: string, stored: string, values: Marker): boolean =>
  values['ticks'] === undefined && withoutTicks(text) === text && withoutTicks(stored) !== stored
  && isStoredAs(text, withoutTicks(stored));

/** The client returns an existing note with the same identity, so a new one beside others gets their highest id. */
export const idBeside = (others: readonly MarkedNote[]): string | undefined =>
  others.length === 0 ? undefined : String(Math.max(...others.map(({ note }) => note.id)));

const unchanged: UpsertStep = { do: 'nothing', reason: 'unchanged' };

const contentFor = (
  { key, text, version, overflow, isVisible }: WantedComment, kept: MarkedNote | null, id: string | undefined,
): Content => {
  // A run without a version does not make the comment older.
  const marker = {
    key, ...versionValues(version ?? (kept && versionIn(kept.marker))), ...id !== undefined && { id },
    ...tickValues(text),
  };
  return { marker, text: fitted(text, marker, overflow), isVisible: isVisible || (kept?.isVisible ?? false) };
};

export const overflows = ['cut', 'error'] as const;
export type Overflow = (typeof overflows)[number];

const earlierTextCut = '_Earlier text was removed: the comment reached the maximum length._\n\n';

export const fitted = (given: string, marker: Marker, overflow: Overflow, part?: 'start' | 'end'): string =>
  fittedTo(withoutMarkers(given), bodyLimit - markerLength(marker), overflow, part);

/** A cut is reported at the start, because the end may be in a code block. @param part which one is kept */
export const fittedTo = (
  text: string, limit: number, overflow: Overflow, part: 'start' | 'end' = 'start',
): string => {
  const count = countCharacters(text);
  if (count <= limit) return text;
  const [length, most] = [count.toLocaleString('en'), limit.toLocaleString('en')];
  if (overflow === 'error') {
    throw new Problem('rejected', `the text has ${length} characters; the limit is ${most}`,
      'shorten it, or use --overflow cut');
  }
  if (part === 'end') return earlierTextCut + wholeLinesAtEnd(text, limit - earlierTextCut.length);
  const notice = `_The text was cut: it has ${length} characters, and the limit is ${most}._\n\n`;
  return notice + wholeLinesAtStart(text, limit - notice.length);
};

export const appended = (before: string, text: string): string =>
  before.trim() === '' ? text : `${before.trimEnd()}\n\n${text}`;

const wholeLinesAtStart = (text: string, count: number): string => {
  const start = firstCharacters(text, count);
  const end = text[start.length] === '\n' ? start.length : start.lastIndexOf('\n');
  return (end > start.length / 2 ? start.slice(0, end) : start).toWellFormed();
};

const wholeLinesAtEnd = (text: string, count: number): string => {
  const end = lastCharacters(text, count);
  const line = end.indexOf('\n') + 1;
  return (line > 0 && line < end.length / 2 ? end.slice(line) : end).toWellFormed();
};

export interface RunVersion {
  readonly value: string;
  readonly project: string;
}

export const runVersion = ({ env }: App, newerThan?: string): RunVersion | null => {
  const found = firstFound([newerThan, '--newer-than'], [env['CI_PIPELINE_IID'], 'CI_PIPELINE_IID']);
  if (found === null) return null;
  const { value, from } = found;
  if (isNumber(value) || readInstant(value)) return { value, project: env['CI_PROJECT_ID'] ?? '' };
  throw usage(`invalid value ${JSON.stringify(value)} for ${from}`,
    'use a whole number, such as a pipeline number, or a time: 2024-05-01T12:00:00Z');
};

export const versionIn = ({ newer, project = '' }: Marker): RunVersion | null =>
  newer === undefined ? null : { value: newer, project };

export const versionValues = (version: RunVersion | null): Marker => {
  if (version === null) return {};
  const { value, project } = version;
  return { newer: value, ...(project !== '' && { project }) };
};

/** Numbers of different projects, and texts that are neither numbers nor times, cannot be compared. */
export const isHigher = (one: RunVersion | null, other: RunVersion | null): boolean => {
  if (one === null || other === null) return false;
  if (isNumber(one.value) && isNumber(other.value)) {
    return one.project === other.project && BigInt(one.value) > BigInt(other.value);
  }
  const [time, otherTime] = [versionTime(one), versionTime(other)];
  return time !== undefined && otherTime !== undefined && time > otherTime;
};

export const highestOf = (first: RunVersion | null, others: readonly (RunVersion | null)[]): RunVersion | null =>
  others.reduce((highest, other) => highest === null || isHigher(other, highest) ? other ?? highest : highest, first);

const isNumber = (text: string): boolean => /^\d{1,30}$/.test(text);

const versionTime = ({ value }: RunVersion): string | undefined =>
  isNumber(value) ? undefined : readInstant(value)?.iso;
