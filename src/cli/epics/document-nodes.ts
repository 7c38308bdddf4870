import type { Problem } from '../command-line/errors/failure.js';
import { isUrl, parseRef } from '../command-line/refs/ref.js';

export interface DocumentNode {
  /** As written: `&2`, `group&2`, `id:501` or a URL. */
  readonly ref: string | null;
  /** Beside a reference it is only compared with the title on the service. */
  readonly title: string | null;
  /** Null if the document says nothing about its children. */
  readonly children: readonly DocumentNode[] | null;
  readonly line: number;
  readonly column: number;
}

/** Limits that no hierarchy on a service reaches. */
export const documentLimits = { characters: 5_000_000, epics: 20_000, levels: 50, title: 255 } as const;

export type ErrorAt = (line: number, column: number, reason: string, hint: string) => Problem;

export const isEpicRef = (word: string): boolean =>
  /^id:[1-9]\d{0,15}$/.test(word) || parseRef(word)?.kind === 'epic'
  || (isUrl(word) && /\/(epics|work_items)\/\d+/.test(word));

/** A text without a reference is a title. */
export const splitText = (text: string): Pick<DocumentNode, 'ref' | 'title'> => {
  const [, word, rest] = /^(\S+)\s*(.*)$/s.exec(text.trim()) ?? [];
  if (word === undefined || !isEpicRef(word)) return { ref: null, title: text.trim() };
  return { ref: word, title: rest === '' ? null : rest! };
};

/** @throws Problem for a title that no service accepts */
export const checkedTitle = (title: string, fail: (reason: string, hint: string) => Problem): string => {
  const trimmed = title.trim();
  if (trimmed === '') throw fail('the title is empty', 'write a title, or name an epic with ref');
  if ([...trimmed].length > documentLimits.title) {
    throw fail(`the title has more than ${documentLimits.title} characters`, 'shorten it');
  }
  return trimmed;
};
