import type { NoteableKind } from '../../contract/noteables.js';
import { refOfKind, type Ref } from './ref.js';

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
