import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { draftNotes } from '../../../src/contract/lookups/draft-notes.js';
import { decode } from '../../../src/wire/decode.js';

const operations: Readonly<Record<string, Endpoint>> = draftNotes;
const path = { id: '1', merge_request_iid: '1', draft_note_id: '1' };

describe('the operations on draft notes', () => {
  it('are companions below one path, first for reading, later for all', () => {
    for (const [name, { paths, companion, since, method }] of Object.entries(operations)) {
      expect([name, companion, since]).toEqual([name, true, method === 'GET' ? '15.9' : '15.10']);
      expect(paths[0].startsWith(draftNotes.list.paths[0])).toBe(true);
    }
  });

  it('need a text for a new draft, and not a blank one for a change', () => {
    expect(decode(draftNotes.create, path).problems).toEqual(['note is missing']);
    expect(decode(draftNotes.modify, path).problems).toEqual([]);
    for (const note of ['', null]) expect(decode(draftNotes.modify, { ...path, note }).problems).toEqual(['note is empty']);
  });
});
