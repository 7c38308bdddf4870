import type { NoteableKind } from '../../contract/noteables.js';

/** What a user writes to name something that carries notes. */
export interface Ref {
  readonly kind: NoteableKind;
  /** The internal id, the snippet's id, or the commit's SHA. */
  readonly id: string;
  /** An epic named by its global id. */
  readonly isGlobal?: true;
  /** Project or group, where the reference says it. */
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

