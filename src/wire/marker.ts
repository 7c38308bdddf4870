/**
 * The values of a marker by name: `key`, `id`, `fp`, `newer`, `project`, `run`, `source`. Names are lower-case
 * letters, values any well-formed text.
 */
export type Marker = Readonly<Record<string, string>>;

/** The body of a note in its two parts. */
export interface MarkedText {
  readonly text: string;
  /** Null if the body has no marker. */
  readonly marker: Marker | null;
}

const prefix = '<!-- colloquy:';
const form = '<!-- colloquy:[a-z]+=[^ ]*(?: [a-z]+=[^ ]*)* -->';
const onFirstLine = new RegExp(`^(${form})(?:\\r?\\n\\r?\\n|\\s*$)`);
const onLastLine = new RegExp(`(?:\\r\\n\\r\\n|\\n\\n)(${form})\\s*$`);

/**
 * Adds an invisible marker to the text of a note: an HTML comment on the last line, after an empty line. If the text
 * leaves a code fence or an HTML comment open, which would show the marker, it is the first line, before an empty line.
 *
 * The text must not contain markers; see `withoutMarkers`. The marker counts in the length limit of the service.
 */
export const withMarker = (text: string, marker: Marker): string => {
  const comment = printMarker(marker);
  if (text === '') return comment;
  return leavesBlockOpen(text) ? `${comment}\n\n${text}` : `${text}\n\n${comment}`;
};

/** Reads the marker of a note. Only the two places of `withMarker` count; elsewhere a marker is text. */
export const readMarker = (body: string): MarkedText => {
  if (!body.includes(prefix)) return { text: body, marker: null };
  const last = onLastLine.exec(body);
  if (last && !leavesBlockOpen(body.slice(0, last.index))) {
    return { text: body.slice(0, last.index), marker: parseMarker(last[1]!) };
  }
  const first = onFirstLine.exec(body);
  return first ? { text: body.slice(first[0].length), marker: parseMarker(first[1]!) } : { text: body, marker: null };
};

/**
 * Defuses everything in a text that could count as a marker: a word joiner (U+2060), which is invisible, follows
 * `colloquy`. The displayed text stays the same, also in code.
 */
export const withoutMarkers = (text: string): string => text.replaceAll(prefix, '<!-- colloquy\u2060:');

/** How many characters a marker adds to a text. */
export const markerLength = (marker: Marker): number => printMarker(marker).length + 2;

const printMarker = (marker: Marker): string =>
  `${prefix}${Object.entries(marker).map(([name, value]) => `${name}=${encodeValue(value)}`).join(' ')} -->`;

/** `--` would end the comment, and the other characters are references to users, labels or merge requests. */
const encodeValue = (value: string): string =>
  encodeURIComponent(value.toWellFormed()).replace(/[!'()*~]|-(?=-)|-$/g, hexadecimal);

const hexadecimal = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

const parseMarker = (comment: string): Marker | null => {
  const pairs = comment.slice(prefix.length, -' -->'.length).split(' ').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), decodeValue(pair.slice(at + 1))] as const;
  });
  return pairs.every(([, value]) => value !== null) ? Object.fromEntries(pairs) as Marker : null;
};

const decodeValue = (value: string): string | null => {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
};

/** A block whose end is a line of its own (CommonMark 0.31, 4.5 and 4.6). */
interface OpenBlock { readonly ends: (line: string) => boolean }

/** Whether a text ends inside a fenced code block or an HTML block that empty lines do not end. */
const leavesBlockOpen = (text: string): boolean => {
  let block: OpenBlock | null = null;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (block === null) block = blockOpenedBy(line);
    else if (block.ends(line)) block = null;
  }
  return block !== null;
};

const htmlBlocks = [
  { start: /^ {0,3}<!--/, end: /-->/ },
  { start: /^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, end: /<\/(?:script|pre|style|textarea)>/i },
];

const blockOpenedBy = (line: string): OpenBlock | null => {
  const html = htmlBlocks.find(({ start }) => start.test(line));
  if (html) return html.end.test(line) ? null : { ends: (other) => html.end.test(other) };
  const [, fence] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  if (fence === undefined) return null;
  const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`);
  return { ends: (other) => closing.test(other) };
};
