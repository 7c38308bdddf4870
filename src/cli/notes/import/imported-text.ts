import { bodyLimit } from '../../../contract/conventions.js';
import { codeSpan } from '../../../markdown/code.js';
import { neutralText } from '../../../markdown/safe-text.js';
import { changeOutsideCode } from '../../../markdown/prose.js';
import { countCharacters, firstCharacters, linksToUploads, withUploadsBelow } from '../../../wire/note-text.js';
import { readInstant } from '../../../wire/time-text.js';
import { markerLength, withoutMarkers, type Marker } from '../../../wire/marker.js';
import type { ExportedNote } from './read-threads.js';

interface ImportedTextOptions {
  /** Quick actions, mentions and references stay. */
  readonly isRaw: boolean;
  /** On the diff; null if the note has a position, or none was exported. */
  readonly place: string | null;
  readonly marker: Marker;
}

interface ImportedText {
  readonly text: string;
  /** The end is missing, because of the limit of the service. */
  readonly isCut: boolean;
}

/** After a line with the author and the time. */
export const importedText = (note: ExportedNote, { isRaw, place, marker }: ImportedTextOptions): ImportedText => {
  const about = place === null ? '' : ` about ${codeSpan(place)}`;
  const verb = note.isSystem ? ': system note' : ' wrote';
  const line = `${codeSpan(note.author)}${verb}${about} on ${timeOf(note)}:`;
  const linked = withCompleteLinks(note);
  const neutral = withoutMarkers(isRaw ? linked : neutralText(linked));
  const text = note.isSystem ? neutral.replace(/^/gm, '> ') : neutral;
  const whole = text === '' ? line : `${line}\n\n${text}`;
  const limit = bodyLimit - markerLength(marker) - callIdLength;
  const isCut = countCharacters(whole) > limit;
  return { text: isCut ? firstCharacters(whole, limit - cutEnd.length).toWellFormed() + cutEnd : whole, isCut };
};

const withCompleteLinks = ({ text, uploads }: ExportedNote): string => uploads === null || !linksToUploads(text) ? text
  : changeOutsideCode(text, (part) => withUploadsBelow(uploads, part));

/** The client adds the id of its call to the marker, which is shorter. */
const callIdLength = 100;

const cutEnd = '\n\n… (cut)';

const timeOf = ({ created_at }: ExportedNote): string =>
  `${readInstant(created_at)!.iso.slice(0, 16).replace('T', ' ')} UTC`;
