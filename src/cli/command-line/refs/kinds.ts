import { noteables, type NoteableKind } from '../../../contract/noteables.js';

interface RefKind {
  /** Also the name of the flag: `mr/12`, `--mr 12`. */
  readonly word: string;
  /** `!12`. */
  readonly sigil: string;
  readonly id: RegExp;
  /** In help: `<iid>`. */
  readonly placeholder: string;
  /** In messages: "a number". */
  readonly form: string;
  readonly example: string;
  readonly help: string;
  /** In a web URL, before the id. */
  readonly segment: string;
}

const number = { id: /^[1-9]\d{0,15}$/, placeholder: '<iid>', form: 'a number' };

/** In the order in which messages list them. */
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
} as const satisfies Readonly<Record<NoteableKind, RefKind>>;

/** `mr`. */
export type RefWord = typeof refKinds[NoteableKind]['word'];

const kinds = Object.keys(refKinds) as NoteableKind[];

export const resolvableKinds: readonly NoteableKind[] = kinds.filter((kind) => noteables[kind].resolvable);

export const kindsWithDiff: readonly NoteableKind[] = kinds.filter((kind) => noteables[kind].hasDiff);

const kindsBy = (property: 'word' | 'sigil' | 'segment'): ReadonlyMap<string, NoteableKind> =>
  new Map(kinds.map((kind) => [refKinds[kind][property], kind]));

export const kindOfWord = kindsBy('word') as ReadonlyMap<RefWord, NoteableKind>;
export const kindOfSigil = kindsBy('sigil');
export const kindOfSegment = kindsBy('segment');

const idForms = Object.values(refKinds).map(({ word, sigil, placeholder, example }) =>
  ({ word, sigil, id: placeholder === '<sha>' ? placeholder : example }));

/** `mr/12, issue/7, …`. */
export const wordForms = idForms.map(({ word, id }) => `${word}/${id}`).join(', ');

export const refForms =
  `${idForms.map(({ sigil, id }) => sigil + id).join(', ')}, ${wordForms}, epic/id:501 or a web URL`;
