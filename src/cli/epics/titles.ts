import { isUrl, parseRef } from '../command-line/ref.js';
import { isEpicRef } from './document-nodes.js';

type Title = string | null | undefined;

/** As it is compared: services trim titles. */
export const normalizedTitle = (title: Title): string => (title ?? '').normalize('NFC').trim();

export const isSameTitle = (one: Title, other: Title): boolean => normalizedTitle(one) === normalizedTitle(other);

export const isSameButCase = (one: Title, other: Title): boolean =>
  !isSameTitle(one, other) && normalizedTitle(one).toLowerCase() === normalizedTitle(other).toLowerCase();

/** Signs of a title that comes from a file in another format, with what messages say about them. */
const oddities: readonly (readonly [isOdd: (title: string) => boolean, reason: string])[] = [
  [(title) => isLikeRef(title), 'the title looks like a reference'],
  [(title) => /^\[[ xX]?\](\s|$)/.test(title), 'the title starts with a checkbox'],
  [(title) => /\[[^[\]]*\]\(/.test(title) || /^<[a-z]+:/i.test(title), 'the title contains a link'],
  [(title) => /^(\||`--|[├└│])/.test(title), 'the title starts with a line of a drawn tree'],
  [(title) => title.includes('\t'), 'the title contains a tab'],
  [(title) => /^\d+$/.test(title), 'the title is a number'],
];

/** Null for a usual title. */
export const oddnessOf = (title: string): string | null =>
  oddities.find(([isOdd]) => isOdd(title))?.[1] ?? null;

const isLikeRef = (title: string): boolean => {
  const [first = ''] = title.split(/\s/, 1);
  const word = first.replace(/^['"(<[]+|(?<!['")>\],.:;])['")>\],.:;]+$/g, '');
  return parseRef(title) !== null || isUrl(word) || isEpicRef(word);
};
