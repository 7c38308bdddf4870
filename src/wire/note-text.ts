import { asText } from '../text/plain.js';
import { decodeComponent } from './http.js';

/**
 * By name: `key`, `id`, `fp`, `finding`, `level`, `by` (the jobs that found it), `job`, `report`, `folder`, `newer`,
 * `project`, `run`, `size`, `source`, of a section `section`, and of a fix `fix`, `patch`, `file`, `lines`, `changed`,
 * `unverified`. Names are lower-case letters, values any well-formed text.
 * The name `hash` is taken: see `withMarker`.
 */
export type Marker = Readonly<Record<string, string>>;

interface MarkedText {
  readonly text: string;
  readonly marker: Marker | null;
  /** Null in the first versions of the program. */
  readonly hash: string | null;
  readonly isVisible: boolean;
}

interface MarkerForm {
  /** Some services remove HTML comments, but no line of Markdown. */
  readonly isVisible?: boolean;
  readonly hash?: string;
}

const hidden = { start: '<!-- colloquy:', end: ' -->', form: '<!-- colloquy:[a-z]+=[^ ]*(?: [a-z]+=[^ ]*)* -->' };
const visible = { start: '`colloquy:', end: '`', form: '`colloquy:[a-z]+=[^ `]*(?: [a-z]+=[^ `]*)*`' };
const ofSection = /^(?:<!-- |`)colloquy-(start|end):((?:[a-z]+=[^ `]*)(?: [a-z]+=[^ `]*)*)(?: -->|`)$/;
const linesOfSections = /^(?:<!-- |`)colloquy-(?:start|end):[^\n]*(?:\n+|$)/gm;
const form = `${hidden.form}|${visible.form}`;
const afterEmptyLine = new RegExp(`(?:^|\\r\\n\\r\\n|\\n\\n)(${form})`, 'g');

/**
 * Adds an HTML comment with a digest of the text as its last line, or as its first if an open block would show it
 * there. The marker counts in the length limit of the service. @param text without markers; see `withoutMarkers`
 */
export const withMarker = (
  text: string, marker: Marker, { isVisible = false, hash = digestOfText(text) }: MarkerForm = {},
): string => {
  const line = printMarker({ ...marker, hash }, isVisible);
  if (text === '') return line;
  return leavesBlockOpen(text) ? `${line}\n\n${text}` : `${text}\n\n${line}`;
};

/** Others below the marker of a text that is as written were pasted there. */
export const readMarker = (body: string): MarkedText => {
  if (!body.includes(hidden.start) && !body.includes(visible.start)) return unmarked(body);
  const found = markersIn(body);
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last) return unmarked(body);
  const { above, below, ...one } = first !== last && first.hash === digestOfText(first.above) ? first : last;
  return { text: [above, below].filter((part) => part !== '').join('\n\n'), ...one };
};

const unmarked = (text: string): MarkedText => ({ text, marker: null, hash: null, isVisible: false });

interface FoundMarker extends Omit<MarkedText, 'text'> {
  readonly above: string;
  readonly below: string;
}

/** Without a digest, only the two places of `withMarker` count: elsewhere such a marker is text. */
const markersIn = (body: string): FoundMarker[] => {
  const found: FoundMarker[] = [];
  let [block, from] = [null as OpenBlock | null, 0];
  for (const { 0: { length }, 1: line = '', index } of body.matchAll(afterEmptyLine)) {
    block = blockLeftOpen(body.slice(from, index), block);
    from = index;
    const values = block === null ? parseMarker(line) : null;
    if (values === null) continue;
    const { hash = null, ...marker } = values;
    const rest = body.slice(index + length);
    const hasRest = /\S/.test(rest);
    if (hash === null && hasRest && (index > 0 || !/^\r?\n\r?\n/.test(rest))) continue;
    const below = hasRest ? rest.replace(/^[ \t]*(?:\r?\n){0,2}/, '') : '';
    found.push({ above: body.slice(0, index), below, marker, hash, isVisible: line.startsWith(visible.start) });
  }
  return found;
};

const parseMarker = (line: string): Marker | null => {
  const { start, end } = line.startsWith(visible.start) ? visible : hidden;
  return parseValues(line.slice(start.length, -end.length));
};

/** Null if the marker has no digest. */
export const isAsWritten = (body: string): boolean | null => {
  const { text, hash } = readMarker(body);
  return hash === null ? null : hash === digestOfText(text);
};

/** The digest stays that of the earlier text, so that the new one counts as changed by hand. */
export const withEditedText = (body: string, text: string): string => {
  const { text: before, marker, hash, isVisible } = readMarker(body);
  if (marker === null) return text;
  return withMarker(text, marker, { isVisible, hash: hash ?? digestOfText(before) });
};

export const withSectionsFrom = (body: string, text: string): string =>
  (body.match(linesOfSections) ?? []).map((line) => line.trimEnd())
    .reduce((all, line) => all.replaceAll(withoutMarkers(line), () => line), text);

export const visibleText = (body: unknown): string => {
  const { text } = readMarker(asText(body));
  return text.includes('colloquy-') ? text.replace(linesOfSections, '').trimEnd() : text;
};

/** The service deletes carriage returns (behavior: notes.quick-actions), which would join what they separate. */
const withReturns = (text: string): string => [...text].join('\r*');

const edges = `(?:\r*${withReturns('-start')}|\r*${withReturns('-end')})?\r*:`;
const startOfMarker = new RegExp(
  `${withReturns('<!-- colloquy')}(?=${edges})|${withReturns('`colloquy')}(?=${edges}[a-z\r]+=)`, 'g');

/** An invisible word joiner (U+2060) follows `colloquy`: no marker is left, and the displayed text stays the same. */
export const withoutMarkers = (text: string): string => text.replace(startOfMarker, (start) => `${start}\u2060`);

export const markerLength = (marker: Marker): number =>
  printMarker({ ...marker, hash: anyDigest }, false).length + 2;

const printMarker = (marker: Marker, isVisible: boolean): string => {
  const { start, end } = isVisible ? visible : hidden;
  return start + printValues(marker) + end;
};

const printValues = (marker: Marker): string =>
  Object.entries(marker).map(([name, value]) => `${name}=${encodeValue(value)}`).join(' ');

interface SectionLine {
  readonly edge: 'start' | 'end';
  readonly marker: Marker;
}

export const sectionLine = (edge: SectionLine['edge'], marker: Marker, isVisible: boolean): string => {
  const [before, after] = isVisible ? ['`', '`'] : ['<!-- ', ' -->'];
  return `${before}colloquy-${edge}:${printValues(marker)}${after}`;
};

export const readSectionLine = (line: string): SectionLine | null => {
  const [, edge, values = ''] = ofSection.exec(line.trimEnd()) ?? [];
  const marker = edge === undefined ? null : parseValues(values);
  return marker && { edge: edge as SectionLine['edge'], marker };
};

/** `--` would end the comment, and the other characters are references to users, labels or merge requests. */
const encodeValue = (value: string): string => isPlainValue.test(value) ? value
  : encodeURIComponent(value.toWellFormed()).replace(/[!'()*~]|-(?=-)|-$/g, hexadecimal);

/** Most values are ids and digests. */
const isPlainValue = /^[\w.]*$/;

const hexadecimal = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

const parseValues = (values: string): Marker | null => {
  const pairs = values.split(' ').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), decodeComponent(pair.slice(at + 1))] as const;
  });
  return pairs.every(([, value]) => value !== null) ? Object.fromEntries(pairs) as Marker : null;
};

interface OpenBlock {
  readonly ends: (line: string) => boolean;
  readonly end: string;
}

export const withClosedBlock = (text: string): string => {
  const block = blockLeftOpen(text);
  return block === null ? text : `${text}\n${block.end}`;
};

const leavesBlockOpen = (text: string): boolean => blockLeftOpen(text) !== null;

/** A fenced code block or an HTML block that empty lines do not end (CommonMark 0.31, 4.5 and 4.6). */
const blockLeftOpen = (text: string, before: OpenBlock | null = null): OpenBlock | null => {
  if (before === null && !mayOpenBlock.test(text)) return null;
  let block = before;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (block === null) block = blockOpenedBy(line);
    else if (block.ends(line)) block = null;
  }
  return block;
};

const mayOpenBlock = /^ {0,3}(?:[`~]{3}|<)/m;

const htmlBlocks = [
  { start: /^ {0,3}<!--/, end: /-->/, last: () => '-->' },
  {
    start: /^ {0,3}<(script|pre|style|textarea)(?:[\s>]|$)/i, end: /<\/(?:script|pre|style|textarea)>/i,
    last: (name = '') => `</${name}>`,
  },
];

const blockOpenedBy = (line: string): OpenBlock | null => {
  const html = htmlBlocks.find(({ start }) => start.test(line));
  if (html) {
    if (html.end.test(line)) return null;
    return { ends: (other) => html.end.test(other), end: html.last(html.start.exec(line)?.[1]) };
  }
  const [, fence] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  if (fence === undefined) return null;
  const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`);
  return { ends: (other) => closing.test(other), end: fence };
};

/**
 * The service removes white space and quick actions, which differ by its version (behavior: notes.quick-actions,
 * notes.trimmed).
 */
export const isStoredAs = (text: string, body: string): boolean => {
  const [sent, stored] = [normalized(text), normalized(body)];
  return sent === stored || (mayHaveQuickActions(sent) && withoutSomeActions(sent, stored));
};

/** Covers what the service stores unchanged. A reader ticks tasks with a click, which does not change it. */
export const digestOfText = (text: string): string => {
  const lines = text.replaceAll('\r', '').split('\n').map((line) => line.trimEnd());
  return digest(withoutTicks(lines.filter((line) => line !== '' && !looksLikeAction(line)).join('\n')));
};

export const withoutTicks = (text: string): string => text.replace(ticks, '$1[ ]');

const ticks = /^([ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]+)\[[xX]\]/gm;

const normalized = (text: string): string => text.replaceAll('\r', '').trimEnd();

/** Every line that looks like a quick action counts (behavior: notes.quick-actions-alone). */
export const isQuickActionsOnly = (text: string): boolean => {
  const lines = normalized(text).split('\n').filter(isNotBlank);
  return lines.length > 0 && lines.every(looksLikeAction);
};

const looksLikeAction = (line: string): boolean => /^\/[a-z_]+(?:\s|$)/i.test(line);

export const mayHaveQuickActions = (text: string): boolean => /^\/[a-z_]/im.test(text);

const isNotBlank = (line: string): boolean => line.trim() !== '';

/** The empty lines around a removed line may be removed too. */
const withoutSomeActions = (sent: string, stored: string): boolean => {
  const expected = stored.split('\n').filter(isNotBlank);
  let at = 0;
  for (const line of sent.split('\n').filter(isNotBlank)) {
    if (line.trimEnd() === expected[at]?.trimEnd()) at++;
    else if (!looksLikeAction(line)) return false;
  }
  return at === expected.length;
};

/** As the limits of the service count them: an emoji is one, and has two units of a JavaScript string. */
export const countCharacters = (text: string): number => {
  let count = 0;
  for (let at = 0; at < text.length; count++) at += unitsOfCharacter(text, at);
  return count;
};

const unitsOfCharacter = (text: string, at: number): number => text.codePointAt(at)! > 0xffff ? 2 : 1;

export const firstCharacters = (text: string, count: number): string => text.slice(0, indexOfCharacter(text, count));

export const lastCharacters = (text: string, count: number): string =>
  text.slice(indexOfCharacter(text, Math.max(0, countCharacters(text) - count)));

const indexOfCharacter = (text: string, count: number): number => {
  let [at, left] = [0, count];
  for (; left > 0 && at < text.length; left--) at += unitsOfCharacter(text, at);
  return at;
};

const anyDigest = '0'.repeat(16);

/** 16 hexadecimal digits: FNV-1a twice, because loading node:crypto takes longer. */
export const digest = (text: string): string => {
  const bytes = Buffer.from(text);
  return fnv(bytes, 0x811c9dc5) + fnv(bytes, 0x9dc5811c);
};

const fnv = (bytes: Uint8Array, start: number): string => {
  let hash = start;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
};

const uploadLink = /(?<=\]\(\s{0,9}<?|\]:\s{0,9}<?|(?:src|href)\s{0,9}=\s{0,9}["']?)(?=\/uploads\/(?!-\/))/gi;

/** Such links work on the pages of their project or group only. */
export const linksToUploads = (text: string): boolean => {
  uploadLink.lastIndex = 0;
  return text.includes('/uploads/') && uploadLink.test(text);
};

export const withUploadsBelow = (page: string, text: string): string => text.replace(uploadLink, () => page);
