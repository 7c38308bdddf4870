import { readPageInfo } from '../client/page.js';
import { completeList } from '../client/pages.js';
import { noteableKinds } from '../contract/noteables.js';
import type { Objects, Probe } from './check.js';
import { listIn, objectIn } from './expect.js';
import { checkText, type NoteSeen } from './threads.js';

type Asking = Pick<Probe, 'call'>;

export interface LeftNotes {
  readonly deleted: number;
  /** Of notes that could not be deleted. */
  readonly paths: readonly string[];
}

/**
 * Deletes the caller's notes and draft notes of checks on objects, even after an interrupt: a killed run leaves them,
 * and a note that was created without a response.
 */
export const deleteLeftNotes = async (probe: Asking, objects: Objects): Promise<LeftNotes> => {
  const author = await callerOf(probe);
  let deleted = 0;
  const paths: string[] = [];
  for (const object of noteableKinds.flatMap((kind) => objects[kind] ?? [])) {
    for (const path of author === null ? [] : await leftOn(probe, object, author)) {
      const { status } = await probe.call('DELETE', path, { isCleanUp: true });
      if (status === 204) deleted++;
      else if (status !== 404) paths.push(path);
    }
  }
  return { deleted, paths };
};

/** The id; null if the service does not report it. */
const callerOf = async ({ call }: Asking): Promise<unknown> => {
  const got = await call('GET', '/user', { isCleanUp: true });
  return got.status === 200 ? objectIn(got)['id'] ?? null : null;
};

const leftOn = async (probe: Asking, object: string, author: unknown): Promise<readonly string[]> =>
  [...await notesLeftOn(probe, object, author), ...await draftsLeftOn(probe, object)];

/** Their paths; draft notes are only listed to their author. */
const draftsLeftOn = async ({ call }: Asking, object: string): Promise<readonly string[]> => {
  const list = `${object}/draft_notes`;
  const got = /\/merge_requests\/\d+$/.test(object) ? await call('GET', list, { isCleanUp: true }) : null;
  if (got?.status !== 200) return [];
  const drafts = listIn(got) as unknown as readonly { readonly id: number; readonly note: string }[];
  return drafts.filter(({ note }) => note.startsWith(checkText)).map(({ id }) => `${list}/${id}`);
};

/** Their paths, all known before the first is deleted, which moves the others to other pages. */
const notesLeftOn = async ({ call }: Asking, object: string, author: unknown): Promise<readonly string[]> => {
  const list = `${object}/discussions`;
  const threads = await completeList(() => threadsAt(call, list));
  return threads.flatMap(({ id, notes }) => notes
    .filter((note) => note.body.startsWith(checkText) && note.author?.id === author)
    .map((note) => `${list}/${id}/notes/${note.id}`));
};

async function* threadsAt(call: Asking['call'], list: string) {
  for (let page = 1; page <= mostPages; page++) {
    const got = await call('GET', list, { query: `per_page=100&page=${page}`, isCleanUp: true });
    if (got.status !== 200) return;
    const items = listIn(got) as unknown as readonly ThreadRead[];
    const { total, next } = readPageInfo(got.headers, page);
    yield { page: { items, total }, source: got };
    if (!next) return;
  }
}

interface ThreadRead {
  readonly id: string;
  readonly notes: readonly (NoteSeen & { readonly author?: { readonly id: unknown } | null })[];
}

/** A service that always names a next page must not keep a run going. */
const mostPages = 1_000;
