import type { NoteableKind } from '../../contract/noteables.js';

/** What a user writes to name something that carries notes. */
export interface Ref {
  readonly kind: NoteableKind;
  /** The internal id, the snippet's id, or the commit's SHA. */
  readonly id: string;
  /** An epic named by its global id. */
  readonly isGlobal?: true;
  /** The project or group, if the reference names one. */
  readonly container?: string;
  /** The base URL that a pasted URL stands under, without trailing slash. */
  readonly base?: string;
  /** The note that a pasted URL points at. */
  readonly note?: number;
}

const kinds: readonly { kind: NoteableKind; word: string; sigil: string; id: RegExp }[] = [
  { kind: 'merge_request', word: 'mr', sigil: '!', id: /^[1-9]\d{0,15}$/ },
  { kind: 'issue', word: 'issue', sigil: '#', id: /^[1-9]\d{0,15}$/ },
  { kind: 'snippet', word: 'snippet', sigil: '$', id: /^[1-9]\d{0,15}$/ },
  { kind: 'epic', word: 'epic', sigil: '&', id: /^[1-9]\d{0,15}$/ },
  { kind: 'commit', word: 'commit', sigil: '@', id: /^[0-9a-f]{4,64}$/i },
];

/** The forms a reference may take, for messages. */
export const refForms =
  '!12, #7, $5, &3, @<sha>, mr/12, issue/7, snippet/5, epic/3, commit/<sha>, epic/id:501 or a web URL';

/**
 * A reference in its short forms: `!12`, `group/project!12`, `mr/12`, `epic/id:501`. Null where the text is none.
 * URLs are read by `refFromUrl`.
 */
export const parseRef = (text: string): Ref | null => {
  const [, container, sigil, id] = /^([^!#$&@\s]*)([!#$&@])([0-9A-Za-z]+)$/.exec(text) ?? [];
  if (sigil !== undefined) return checked(kinds.find((row) => row.sigil === sigil), id!, container);
  const [, word, global, named] = /^(\w+)\/(id:)?([0-9A-Za-z]+)$/.exec(text) ?? [];
  if (word === undefined) return null;
  const ref = checked(kinds.find((row) => row.word === word), named!);
  if (global === undefined || ref === null) return ref;
  return ref.kind === 'epic' ? { ...ref, isGlobal: true } : null;
};

/** A reference in the form that needs no quoting in any shell, its project or group left out: `mr/12`. */
export const printRef = ({ kind, id, isGlobal }: Ref): string =>
  `${kinds.find((row) => row.kind === kind)!.word}/${isGlobal ? 'id:' : ''}${id}`;

/** A reference of a known kind, as the flags `--mr 12`, `--commit <sha>` give it; null where the id does not fit. */
export const refOfKind = (kind: NoteableKind, id: string): Ref | null => {
  const global = kind === 'epic' && id.startsWith('id:');
  const ref = checked(kinds.find((row) => row.kind === kind), global ? id.slice(3) : id);
  return ref && global ? { ...ref, isGlobal: true } : ref;
};

const checked = (row: typeof kinds[number] | undefined, id: string, container?: string): Ref | null =>
  row?.id.test(id) ? { kind: row.kind, id, ...(container && { container }) } : null;

const segments: Readonly<Record<string, NoteableKind>> = {
  merge_requests: 'merge_request', issues: 'issue', snippets: 'snippet', epics: 'epic', commit: 'commit',
};

/** The parting `/-/` is looked for first: what stands before it may be named like a page. */
const pagePaths = [
  /^\/(.+?)\/-\/(merge_requests|issues|snippets|epics|commit|work_items)\/(?:(?<=issues\/)incident\/)?([^/]+)/,
  /^\/(.+?)\/(merge_requests|issues|snippets|epics|commit)\/([^/]+)/,
];

/** Newer services show an issue of a project and an epic of a group as a work item, under the same number. */
const kindOf = (word: string, container: string): NoteableKind =>
  segments[word] ?? (/^groups\//.test(container) ? 'epic' : 'issue');

/** Whether a text is meant as a web address. */
export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/**
 * The reference in a web address, with or without the `/-/` of newer services, with whatever follows the id:
 * `https://host/group/project/-/merge_requests/12/diffs#note_345`. Null where the page carries no notes.
 * @param base the base URL that is configured: its path is cut off where the address stands below it
 */
export const refFromUrl = (text: string, base: string | null): Ref | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return null;
  const prefix = prefixOf(url, base);
  const path = decoded(url.pathname.slice(prefix.length));
  const [, container, word, id] = pagePaths[0]!.exec(path) ?? pagePaths[1]!.exec(path) ?? [];
  if (word === undefined) return null;
  const ref = refOfKind(kindOf(word, container!), id!);
  const owner = ref?.kind === 'epic' ? /^groups\/(.+)$/.exec(container!)?.[1] : container;
  if (!ref || !owner || owner === '-') return null;
  const note = /^#note_([1-9]\d{0,15})$/.exec(url.hash)?.[1];
  return { ...ref, container: owner, base: url.origin + prefix, ...(note && { note: Number(note) }) };
};

/** The page of a project, or of the group that epics are in. */
export const containerUrl = (base: string, container: string, kind: NoteableKind): string =>
  `${base.replace(/\/$/, '')}/${kind === 'epic' ? 'groups/' : ''}${encodeURI(container)}`;

/** The page of a noteable: the address that `refFromUrl` reads, in its newer form. */
export const noteableUrl = (base: string, container: string, { kind, id }: Pick<Ref, 'kind' | 'id'>): string => {
  const segment = Object.keys(segments).find((one) => segments[one] === kind)!;
  return `${containerUrl(base, container, kind)}/-/${segment}/${id}`;
};

/** The path that the service itself stands under, known from the configured base URL alone. */
const prefixOf = (url: URL, base: string | null): string => {
  if (base === null || new URL(base).origin !== url.origin) return '';
  const prefix = new URL(base).pathname.replace(/\/$/, '');
  return url.pathname.startsWith(`${prefix}/`) ? prefix : '';
};

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** The flags that name a noteable, as an alternative to a reference. */
export interface RefFlags {
  readonly mr?: string;
  readonly issue?: string;
  readonly snippet?: string;
  readonly epic?: string;
  readonly commit?: string;
}

/** The kind that each of these flags names. */
export const kindOfFlag: Readonly<Record<keyof RefFlags, NoteableKind>> = {
  mr: 'merge_request', issue: 'issue', snippet: 'snippet', epic: 'epic', commit: 'commit',
};

/** Whether a flag names the noteable. */
export const isFlagged = (flags: RefFlags): boolean => givenFlags(flags).length > 0;

/** Whether a word is meant as a reference and not as the name of a thread or note. */
export const isRef = (word: string): boolean => isUrl(word) || parseRef(word) !== null;

/** The flags that name a noteable, those that are given. */
export const givenFlags = (flags: RefFlags): (keyof RefFlags)[] =>
  (Object.keys(kindOfFlag) as (keyof RefFlags)[]).filter((name) => flags[name] !== undefined);

/** The reference on a command line, and the thread or note in it. */
export interface Named {
  readonly ref?: string;
  readonly below?: string;
}

/**
 * Tells `REF THREAD`, `REF` and `THREAD` apart. A single word is the thread when a flag names the noteable or the word
 * is no reference; then the reference comes from the surroundings.
 */
export const named = (flags: RefFlags, first: string | undefined, second: string | undefined): Named => {
  if (first === undefined) return {};
  if (second !== undefined) return { ref: first, below: second };
  return isFlagged(flags) || !isRef(first) ? { below: first } : { ref: first };
};
