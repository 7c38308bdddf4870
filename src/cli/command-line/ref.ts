import { type NoteableKind, noteables } from '../../contract/conventions.js';
import { decodePercent } from '../../wire/http.js';

const number = { id: /^[1-9]\d{0,15}$/, placeholder: '<iid>', form: 'a number' };

/** The word is also the name of the flag: `mr/12`, `--mr 12`. The segment is a part of web addresses. */
export const refKinds = {
  merge_request: {
    ...number, word: 'mr', sigil: '!', example: '12', help: 'merge request', segment: 'merge_requests',
  },
  issue: { ...number, word: 'issue', sigil: '#', example: '7', help: 'issue', segment: 'issues' },
  snippet: {
    ...number, word: 'snippet', sigil: '$', example: '5', placeholder: '<id>', help: 'snippet', segment: 'snippets',
  },
  epic: {
    ...number, word: 'epic', sigil: '&', example: '3', form: 'a number or id:501, a global id',
    help: 'epic; id:501 for a global id', segment: 'epics',
  },
  commit: {
    word: 'commit', sigil: '@', id: /^[0-9a-f]{4,64}$/i, placeholder: '<sha>',
    form: 'a SHA, at least 4 characters of it, or a name that git knows',
    example: '1f0a', help: 'commit', segment: 'commit',
  },
} as const satisfies Readonly<Record<NoteableKind, object>>;

type RefWord = typeof refKinds[NoteableKind]['word'];

const kinds = Object.keys(refKinds) as NoteableKind[];

export const resolvableKinds: readonly NoteableKind[] = kinds.filter((kind) => noteables[kind].resolvable);

export const kindsWithDiff: readonly NoteableKind[] = kinds.filter((kind) => noteables[kind].hasDiff);

const kindsBy = (property: 'word' | 'sigil' | 'segment'): ReadonlyMap<string, NoteableKind> =>
  new Map(kinds.map((kind) => [refKinds[kind][property], kind]));

export const kindOfWord = kindsBy('word') as ReadonlyMap<RefWord, NoteableKind>;
const kindOfSigil = kindsBy('sigil');
const kindOfSegment = kindsBy('segment');

const idForms = Object.values(refKinds).map(({ word, sigil, placeholder, example }) =>
  ({ word, sigil, id: placeholder === '<sha>' ? placeholder : example }));

export const wordForms = idForms.map(({ word, id }) => `${word}/${id}`).join(', ');

export const refForms =
  `${idForms.map(({ sigil, id }) => sigil + id).join(', ')}, ${wordForms}, epic/id:501 or a web URL`;

export interface Ref {
  readonly kind: NoteableKind;
  /** The iid, the id of a snippet, or the SHA of a commit. */
  readonly id: string;
  /** Whether `id` is the global id of an epic. */
  readonly isGlobal?: true;
  /** Whether `id` is a name of a commit that git knows: `HEAD~1`. */
  readonly isRevision?: true;
  readonly container?: string;
  /** The base URL of the service in a pasted URL, without trailing slash. */
  readonly base?: string;
  readonly note?: number;
}

/**
 * What a service did not find that names nothing itself: `merge request !12 in acme/app`, `note 345 of …`. A missing
 * thread is named by services. Null for other paths, and for those below an epic, which have its global id.
 */
export const noteableInPath = (path: string): string | null => {
  const [, container, segment = '', id, rest, note] = pathOfNoteable.exec(path) ?? [];
  const kind = kindOfSegment.get(segment);
  if (kind === undefined || (kind === 'epic' && rest !== '')) return null;
  const place = /^\d+$/.test(container!) ? `${noteables[kind].container} ${container}` : decodePercent(container!);
  const part = note === undefined ? '' : `note ${note} of `;
  return `${part}${noteables[kind].noun} ${refKinds[kind].sigil}${id} in ${place}`;
};

/** Itself, or a list, thread or note below it. */
const pathOfNoteable = new RegExp('/(?:projects|groups)/([^/]+)/([a-z_]+)/(\\d+)'
  + '((?:/[a-z_]+|/notes/(\\d+)|/discussions/[^/]+)?)$');

const sigils = [...kindOfSigil.keys()].join('');
const sigilForm = new RegExp(`^([^${sigils}\\s]*)([${sigils}])([0-9A-Za-z]+)$`);

/** `!12`, `group/project!12`, `mr/12`, `epic/id:501`; null for other text. */
export const parseRef = (text: string): Ref | null => {
  const [, container, sigil, id] = sigilForm.exec(text) ?? [];
  if (sigil !== undefined) return refIfValid(kindOfSigil.get(sigil), id!, container);
  const [, revision] = /^commit\/(.*)$/s.exec(text) ?? [];
  if (revision !== undefined) return refOfKind('commit', revision);
  const [, word, idPrefix, wordId] = /^(\w+)\/(id:)?([0-9A-Za-z]+)$/.exec(text) ?? [];
  if (word === undefined) return null;
  const ref = refIfValid(kindOfWord.get(word as RefWord), wordId!);
  if (idPrefix === undefined || ref === null) return ref;
  return ref.kind === 'epic' ? { ...ref, isGlobal: true } : null;
};

/** No shell requires quotes: `mr/12`, without project or group. */
export const printRef = ({ kind, id, isGlobal }: Ref): string =>
  `${refKinds[kind].word}/${isGlobal ? 'id:' : ''}${id}`;

/** `group/project!12`, to tell those of several projects apart. */
export const printFullRef = (ref: Ref, container: string): string =>
  ref.isGlobal ? printRef(ref) : `${container}${refKinds[ref.kind].sigil}${ref.id}`;

export const refOfKind = (kind: NoteableKind, id: string): Ref | null => {
  const isGlobal = kind === 'epic' && id.startsWith('id:');
  const ref = refIfValid(kind, isGlobal ? id.slice(3) : id);
  if (!ref && kind === 'commit' && isRevision(id)) return { kind, id, isRevision: true };
  return ref && isGlobal ? { ...ref, isGlobal } : ref;
};

/** `HEAD~1`, `main`, `v1.0^`: no file and no range; a few hexadecimal digits are a cut SHA. */
const isRevision = (text: string): boolean =>
  /^(?![0-9a-f]{0,3}$)[\w@][\w./@{}~^-]*$/i.test(text) && !text.includes('..');

const refIfValid = (kind: NoteableKind | undefined, id: string, container?: string): Ref | null =>
  kind && refKinds[kind].id.test(id) ? { kind, id: id.toLowerCase(), ...(container && { container }) } : null;

const segments = [...kindOfSegment.keys()].join('|');

/** A design of an issue has comments of its own. */
const end = '(?=/|$)(?!/designs/)';

/** The pattern with `/-/` comes first, because a group or project can be called `issues`. */
const pagePaths = [
  new RegExp(`^/(.+?)/-/(${segments}|work_items)/(?:(?<=issues/)incident/)?([^/]+)${end}`),
  new RegExp(`^/(.+?)/(${segments})/([^/]+)${end}`),
];

/** Newer versions of the service show issues of projects and epics of groups as work items with the same number. */
const segmentKind = (word: string, container: string): NoteableKind =>
  kindOfSegment.get(word) ?? (/^groups\//.test(container) ? 'epic' : 'issue');

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/**
 * Ignores what follows the id: `https://host/group/project/-/merge_requests/12/diffs#note_345`; `/-/` is optional. Null
 * for pages without notes, and for the name of a commit, which may be another one in another project.
 * @param bases the longest path of them is removed from URLs below it
 */
export const refFromUrl = (text: string, bases: readonly string[]): Ref | null => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return null;
  const prefix = prefixOf(url, bases);
  const path = decodePercent(url.pathname.slice(prefix.length));
  const [, container, word, id] = pagePaths[0]!.exec(path) ?? pagePaths[1]!.exec(path) ?? [];
  if (word === undefined) return null;
  const ref = refOfKind(segmentKind(word, container!), id!);
  const owner = ref?.kind === 'epic' ? /^groups\/(.+)$/.exec(container!)?.[1] : container;
  if (!ref || ref.isRevision || !owner || owner === '-') return null;
  const note = /^#note_([1-9]\d{0,15})$/.exec(url.hash)?.[1];
  return { ...ref, container: owner, base: url.origin + prefix, ...(note && { note: Number(note) }) };
};

export const containerUrl = (base: string, container: string, kind: NoteableKind): string =>
  `${base.replace(/\/$/, '')}/${kind === 'epic' ? 'groups/' : ''}${encodeURI(container)}`;

/** In the newer form that `refFromUrl` reads. */
export const noteableUrl = (base: string, container: string, { kind, id }: Pick<Ref, 'kind' | 'id'>): string =>
  `${containerUrl(base, container, kind)}/-/${refKinds[kind].segment}/${id}`;

/** The path of the service itself, which only configured base URLs show. */
const prefixOf = ({ origin, pathname }: URL, bases: readonly string[]): string =>
  bases.map((base) => new URL(base)).filter((base) => base.origin === origin)
    .map((base) => base.pathname.replace(/\/$/, '')).filter((prefix) => pathname.startsWith(`${prefix}/`))
    .reduce((longest, prefix) => prefix.length > longest.length ? prefix : longest, '');

export interface RefFlags extends Readonly<Partial<Record<RefWord, string>>> {
  /** The first argument, if it is a reference. */
  readonly ref?: string | undefined;
}

export const hasRefFlag = (flags: RefFlags): boolean => givenFlags(flags).length > 0;

/** Else it is the id of a thread or note. */
export const isRef = (word: string): boolean => isUrl(word) || parseRef(word) !== null;

export const givenFlags = (flags: RefFlags): RefWord[] =>
  [...kindOfWord.keys()].filter((word) => flags[word] !== undefined);

export interface RefArguments {
  readonly ref?: string | undefined;
  readonly childId?: string;
}

/** A single argument is the thread after a flag or if it is no reference; the reference is then detected later. */
export const parseRefArguments = (
  flags: RefFlags, first: string | undefined, second: string | undefined,
): RefArguments => {
  if (first === undefined) return {};
  if (second !== undefined) return { ref: first, childId: second };
  return hasRefFlag(flags) || !isRef(first) ? { childId: first } : { ref: first };
};

/** For a word that names something else here; null unless it is a number. */
export const numberHint = (word: string): string | null =>
  /^[1-9]\d*$/.test(word) ? `name merge request ${word} as mr/${word}` : null;

/** The first word is the reference if it has the form of one, and no flag names it. */
export const refAndWords = (
  flags: RefFlags, words: readonly (string | undefined)[],
): { readonly ref: string | undefined; readonly words: readonly string[] } => {
  const given = words.filter((word) => word !== undefined);
  const [first = '', ...others] = given;
  return hasRefFlag(flags) || !isRef(first) ? { ref: undefined, words: given } : { ref: first, words: others };
};
