import { bodyLimit } from '../../../contract/conventions.js';
import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { Position } from '../../../contract/shapes/position.js';
import { codeSpan } from '../../../markdown/code.js';
import { changeOutsideCode } from '../../../markdown/prose.js';
import { neutralText } from '../../../markdown/safe-text.js';
import { plainLine } from '../../../text/plain.js';
import { isParams } from '../../../wire/http.js';
import {
  countCharacters, firstCharacters, linksToUploads, type Marker, markerLength, visibleText, withoutMarkers,
  withUploadsBelow,
} from '../../../wire/note-text.js';
import { readInstant } from '../../../wire/time-text.js';
import { usage } from '../../command-line/failure.js';
import { isInternal, threadState } from '../views/note.js';
import { parsedJson } from '../../../wire/json.js';

export interface ExportedNote {
  /** The ids of the thread and of the note are unique among all services. */
  readonly source: string;
  readonly author: string;
  readonly created_at: string;
  readonly isSystem: boolean;
  readonly text: string;
  readonly position: Position | null;
  /** The page that its uploads are below; null if the file does not name it. */
  readonly uploads: string | null;
}

export interface ExportedDiscussion extends Discussion {
  /** The page of the project or group, with which the addresses of uploads begin. */
  readonly uploads_url?: string;
}

export interface ExportedThread {
  readonly id: string;
  readonly line: number;
  readonly isComment: boolean;
  readonly isResolved: boolean;
  readonly isInternal: boolean;
  readonly notes: readonly ExportedNote[];
}

/** Reads one JSON object on each line. @throws Problem that names the first invalid line */
export const readThreads = (text: string, name: string): readonly ExportedThread[] => {
  const lines = new Map<string, number>();
  return text.replace(/^\uFEFF/, '').split('\n').flatMap((content, at) => {
    if (content.trim() === '') return [];
    const line = at + 1;
    const invalid = (problem: string) =>
      usage(`${name}, line ${line}: ${plainLine(problem)}`, 'fix or remove the line; nothing was sent');
    const value = parsedJson(content);
    const problem = value === undefined ? 'invalid JSON' : threadProblem(value);
    if (problem !== null) throw invalid(problem);
    const thread = threadFrom(value as ExportedDiscussion, line);
    const earlier = lines.get(thread.id);
    if (earlier !== undefined) throw invalid(`thread ${thread.id} is on line ${earlier} too`);
    lines.set(thread.id, line);
    return [thread];
  });
};

const isId = (value: unknown): boolean => typeof value === 'string' && /^[\w-]{1,100}$/.test(value);

const isPage = (value: unknown): value is string => {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s<>()"'\\?#]+$/i.test(value) || !URL.canParse(value)) return false;
  const { username, password } = new URL(value);
  return username === '' && password === '';
};

const threadProblem = (value: unknown): string | null => {
  if (!isParams(value)) return 'not an object';
  const { id, notes, individual_note, uploads_url: uploads } = value;
  if (!isId(id)) return '`id` is not the id of a thread';
  if (typeof individual_note !== 'boolean') return '`individual_note` is not true or false';
  if (!Array.isArray(notes) || notes.length === 0) return '`notes` is not a list of notes';
  if (uploads !== undefined && !isPage(uploads)) return '`uploads_url` is not an http address without a password';
  const ids = notes.map((note: unknown) => isParams(note) ? note['id'] : undefined);
  const index = notes.findIndex((note, at) => noteProblem(note) !== null || ids.indexOf(ids[at]) !== at);
  return index < 0 ? null : `notes[${index}]: ${noteProblem(notes[index]) ?? 'an earlier note has the same `id`'}`;
};

const noteProblem = (note: unknown): string | null => {
  if (!isParams(note)) return 'not an object';
  const { id, body, author, created_at, system, position } = note;
  if (!Number.isSafeInteger(id)) return '`id` is not a whole number';
  if (typeof body !== 'string') return '`body` is not a text';
  if (!isParams(author) || typeof author['username'] !== 'string') return '`author.username` is not a text';
  if (typeof created_at !== 'string' || !readInstant(created_at)) return '`created_at` is not a time';
  if (typeof system !== 'boolean') return '`system` is not true or false';
  return (position ?? null) === null ? null : positionProblem(position);
};

const textParts = ['base_sha', 'start_sha', 'head_sha', 'position_type', 'old_path', 'new_path'];
const numberParts = ['old_line', 'new_line', 'x', 'y', 'width', 'height'];

const positionProblem = (position: unknown): string | null => {
  if (!isParams(position)) return '`position` is not an object';
  const isNo = (type: string) => (name: string) => !['undefined', type].includes(typeof (position[name] ?? undefined));
  const name = textParts.find(isNo('string')) ?? numberParts.find(isNo('number'));
  return name === undefined ? null : `\`position.${name}\` has the wrong type`;
};

const threadFrom = (thread: ExportedDiscussion, line: number): ExportedThread => ({
  id: thread.id, line,
  isComment: thread.individual_note && thread.notes.length === 1,
  isResolved: threadState(thread) === 'resolved',
  isInternal: thread.notes.some(isInternal),
  notes: thread.notes.map((note) => noteFrom(thread, note)),
});

const noteFrom = ({ id: thread, uploads_url }: ExportedDiscussion, note: Note): ExportedNote => ({
  source: `${thread}/${note.id}`, author: note.author.username, created_at: note.created_at, isSystem: note.system,
  text: visibleText(note.body), position: note.position ?? null, uploads: uploads_url ?? projectPage(note),
});

/** Other programs export no `uploads_url`. The page of an author is that of the service, and the username. */
const projectPage = ({ author, ...note }: Note): string | null => {
  const { username, web_url } = author;
  const id = (note as { readonly project_id?: unknown }).project_id;
  if (!Number.isSafeInteger(id) || !isPage(web_url) || !web_url.endsWith(`/${username}`)) return null;
  return `${web_url.slice(0, -username.length)}-/project/${String(id)}`;
};

interface ImportedTextOptions {
  /** Whether quick actions, mentions and references stay. */
  readonly isRaw: boolean;
  /** Null if the note has a position, or none was exported. */
  readonly place: string | null;
  readonly marker: Marker;
}

/** A text that is longer than the service allows loses its end; then `isCut` is true. */
export const importedText = (note: ExportedNote, { isRaw, place, marker }: ImportedTextOptions) => {
  const about = place === null ? '' : ` about ${codeSpan(place)}`;
  const verb = note.isSystem ? ': system note' : ' wrote';
  const time = readInstant(note.created_at)!.iso.slice(0, 16).replace('T', ' ');
  const line = `${codeSpan(note.author)}${verb}${about} on ${time} UTC:`;
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
