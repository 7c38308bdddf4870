import { describe, expect, it } from 'vitest';
import type { Got, Objects } from '../../src/conformance/check.js';
import { checkText, deleteLeftNotes } from '../../src/conformance/threads.js';

const objects: Objects = {
  project: '/projects/1', group: null, issue: null, merge_request: '/projects/1/merge_requests/2', snippet: null, epic: null, parent: null,
  commit: null,
};

const note = (id: number, author: number, body = checkText) => ({ id, body, author: { id: author } });
const thread = (id: string, ...notes: readonly unknown[]) => ({ id, individual_note: false, notes });

/** The user 7, with pages of threads; deletions get this status. */
const service = (pages: readonly (readonly unknown[])[], deletion = 204, next = (page: number) => page < pages.length ? String(page + 1) : '') => {
  const sent: string[] = [];
  const call = async (method: string, path: string, { query = '' }: { readonly query?: string } = {}): Promise<Got> => {
    sent.push(`${method} ${path}`);
    const page = Number(/\bpage=(\d+)$/.exec(query)?.[1]);
    const json = path === '/user' ? { id: 7 } : pages[page - 1] ?? [];
    const status = method === 'DELETE' ? deletion : 200;
    return { request: `${method} ${path}`, status, headers: { 'x-next-page': next(page) }, text: JSON.stringify(json), json };
  };
  return { call, sent };
};

describe('the notes that checks left', () => {
  it('are those of the caller that begin as notes of checks do, on all pages', async () => {
    const { call, sent } = service([
      [thread('a', note(1, 7), note(2, 8), note(3, 7, `${checkText} Edited.`)), thread('b', note(4, 7, `> ${checkText}`))],
      [thread('c', note(5, 7), { ...note(6, 7), author: null })],
    ]);
    expect(await deleteLeftNotes({ call }, objects)).toEqual({ deleted: 3, paths: [] });
    expect(sent.filter((line) => line.startsWith('DELETE')).map((line) => line.split('/discussions/')[1])).toEqual(['a/notes/1', 'a/notes/3', 'c/notes/5']);
  });

  it('are named where they cannot be deleted', async () => {
    const { call } = service([[thread('a', note(1, 7))]], 403);
    expect(await deleteLeftNotes({ call }, objects)).toEqual({ deleted: 0, paths: ['/projects/1/merge_requests/2/discussions/a/notes/1'] });
  });

  it('are also draft notes, where the service has them', async () => {
    const drafts = '/projects/1/merge_requests/2/draft_notes';
    const { call, sent } = service([]);
    const withDrafts: typeof call = async (method, path, sent) => path === drafts
      ? { ...await call(method, path, sent), json: [{ id: 1, note: checkText }, { id: 2, note: 'mine' }] } : call(method, path, sent);
    expect(await deleteLeftNotes({ call: withDrafts }, objects)).toEqual({ deleted: 1, paths: [] });
    expect(sent.filter((line) => line.startsWith('DELETE'))).toEqual([`DELETE ${drafts}/1`]);
  });

  it('are not looked for without end', async () => {
    const { call, sent } = service([], 204, (page) => String(page + 1));
    expect(await deleteLeftNotes({ call }, objects)).toEqual({ deleted: 0, paths: [] });
    expect(sent.length).toBeLessThan(2_100);
  });
});
