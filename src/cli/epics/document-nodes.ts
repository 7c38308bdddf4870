import { asText, plainLine } from '../../text/plain.js';
import { throwAll } from '../changes/report.js';
import type { Code } from '../command-line/failure.js';
import { isUrl, parseRef } from '../command-line/ref.js';

export interface DocumentPlace {
  readonly line: number;
  readonly column: number;
}

export interface DocumentNode extends DocumentPlace {
  /** As written: `&2`, `group&2`, `id:501` or a URL. */
  readonly ref: string | null;
  /** Beside a reference it is only compared with the title on the service. */
  readonly title: string | null;
  /** The reference in a row with an id, which must name the same epic. */
  readonly otherRef?: string;
  /** Null if the document says nothing about its children. */
  readonly children: readonly DocumentNode[] | null;
}

export const documentLimits = { characters: 5_000_000, epics: 20_000, levels: 50, title: 255 } as const;

/** What is wrong with a document, so that all of it is printed at once. */
export interface DocumentProblems {
  /** Only the first problem of a place is kept: others follow from it. */
  readonly add: (place: DocumentPlace, reason: string, hint: string | null, code?: Code) => void;
  /** @throws Problem that names all, in the order of the document */
  readonly check: () => void;
  /** For a problem that leaves the rest without meaning. @throws Problem that names all */
  readonly stop: (place: DocumentPlace, reason: string, hint: string) => never;
}

/** More are not printed: the file is of another format. */
const mostProblems = 1_000;

export const problemsIn = (file: string): DocumentProblems => {
  interface Found extends DocumentPlace { readonly message: string; readonly hint: string; readonly code: Code }
  const found = new Map<string, Found>();
  const check = () => {
    const all = [...found.values()].toSorted((a, b) => a.line - b.line || a.column - b.column);
    throwAll(all, all[0]?.code ?? 'usage', `problems in ${plainLine(file)}`);
  };
  const add: DocumentProblems['add'] = ({ line, column }, reason, hint, code = 'usage') => {
    const place = `${file}:${line}:${column}`;
    if (found.has(place)) return;
    found.set(place, { line, column, message: `${place}: ${reason}`, hint: hint ?? '', code });
    if (found.size >= mostProblems) check();
  };
  return {
    add, check,
    stop: (place, reason, hint) => {
      add(place, reason, hint);
      check();
      throw new Error('a problem is not reported');
    },
  };
};

export const isEpicRef = (word: string): boolean =>
  /^id:[1-9]\d{0,15}$/.test(word) || parseRef(word)?.kind === 'epic'
  || (isUrl(word) && /\/(epics|work_items)\/\d+/.test(word));

export const splitText = (text: string): Pick<DocumentNode, 'ref' | 'title'> => {
  const [, word, rest] = /^(\S+)\s*(.*)$/s.exec(text.trim()) ?? [];
  if (word === undefined || !isEpicRef(word)) return { ref: null, title: text.trim() };
  return { ref: word, title: rest === '' ? null : rest! };
};

export const checkedTitle = (title: string, report: (reason: string, hint: string) => void): string => {
  const trimmed = title.trim();
  if (trimmed === '') report('the title is empty', 'write a title, or name an epic with ref');
  if ([...trimmed].length > documentLimits.title) {
    report(`the title has more than ${documentLimits.title} characters`, 'shorten it');
  }
  return trimmed;
};

type Title = string | null | undefined;

export const normalizedTitle = (title: Title): string => asText(title).normalize('NFC').trim();

export const isSameTitle = (one: Title, other: Title): boolean => normalizedTitle(one) === normalizedTitle(other);

export const isSameButCase = (one: Title, other: Title): boolean =>
  !isSameTitle(one, other) && normalizedTitle(one).toLowerCase() === normalizedTitle(other).toLowerCase();

/** Signs of a title that comes from a file in another format, with what messages say about them. */
const oddities: readonly (readonly [isOdd: (title: string) => boolean, reason: string])[] = [
  [(title) => isLikeRef(title), 'the title looks like a reference'],
  [(title) => /^\[[ xX]?\](\s|$)/.test(title), 'the title starts with a checkbox'],
  [(title) => /\[[^[\]]*\]\(/.test(title) || /^<[a-z]+:/i.test(title), 'the title contains a link'],
  [(title) => /^(\||`--|[├└│])/.test(title), 'the title starts with a line of a drawn tree'],
  [(title) => title.startsWith('<!--'), 'the title starts with a comment of HTML'],
  [(title) => /^(```|~~~)/.test(title), 'the title starts with a fence of code'],
  [(title) => title.includes('\t'), 'the title contains a tab'],
  [(title) => /^\d+$/.test(title), 'the title is a number'],
];

export const oddnessOf = (title: string): string | null =>
  oddities.find(([isOdd]) => isOdd(title) || isOdd(title.replace(listMarker, '')))?.[1] ?? null;

/** Of Markdown; outlines have no numbers, since a title may begin with one. */
const listMarker = /^([-*+]|\d{1,9}[.)])\s+/;

const isLikeRef = (title: string): boolean => {
  const [first = ''] = title.split(/\s/, 1);
  const word = first.replace(/^['"(<[]+|(?<!['")>\],.:;])['")>\],.:;]+$/g, '');
  return parseRef(title) !== null || isUrl(word) || isEpicRef(word);
};
