import { describe, expect, it } from 'vitest';
import { discussions } from '../../../src/contract/discussions.js';
import type { Endpoint } from '../../../src/contract/endpoint.js';
import { lookups, mergeRequestFilters } from '../../../src/contract/lookups/lookups.js';
import { discussionNotes, notes } from '../../../src/contract/lookups/notes.js';
import { noteableKinds } from '../../../src/contract/conventions.js';
import { decode } from '../../../src/wire/decode.js';

const lookup: Readonly<Record<string, Endpoint>> = lookups;

describe('the lookups', () => {
  it('only read, and are companions of the document', () => {
    for (const [name, { method, status, companion }] of Object.entries(lookup)) expect([name, method, status, companion]).toEqual([name, 'GET', 200, true]);
  });

  it('return pages where their result is a list', () => {
    const lists = Object.entries(lookup).filter(([, { returns }]) => returns!['type'] === 'array').map(([name]) => name);
    expect(lists).toEqual(Object.entries(lookup).filter(([, { paged }]) => paged).map(([name]) => name));
    expect(lists).toHaveLength(19);
    for (const name of lists) expect(Object.keys(lookup[name]!.params)).toEqual(expect.arrayContaining(['page', 'per_page']));
  });

  it('have a single object below the path of its list', () => {
    for (const [list, one] of [['issues', 'issue'], ['snippets', 'snippet'], ['mergeRequests', 'mergeRequest'], ['epics', 'epic'], ['commits', 'commit'],
      ['versions', 'diffVersion']]) {
      expect(lookup[one!]!.paths[0].startsWith(`${lookup[list!]!.paths[0]}/:`)).toBe(true);
    }
  });
});

describe('the operations on notes without their threads', () => {
  it('are there for every kind but commits, next to its discussions', () => {
    expect(Object.keys(notes)).toEqual(noteableKinds.filter((kind) => kind !== 'commit'));
    for (const kind of ['issue', 'snippet', 'epic', 'merge_request'] as const) {
      expect(notes[kind].list.paths).toEqual(discussions[kind].list.paths.map((path) => path.replace('/discussions', '/notes')));
    }
  });

  it('reject a blank text of a note that is changed, which one that is created leaves to the handler', () => {
    const path = { id: '1', noteable_id: '1', note_id: '1' };
    for (const body of ['', ' \n', null]) {
      expect(decode(notes.issue.modify, { ...path, body }).problems).toEqual(['body is empty']);
      expect(decode(notes.issue.create, { ...path, body }).problems).toEqual([]);
    }
  });
});

describe('the operations on the notes of one thread', () => {
  it('are there for every kind, and are not paged', () => {
    expect(Object.keys(discussionNotes)).toEqual([...noteableKinds]);
    for (const kind of noteableKinds) {
      const { list, get }: { list: Endpoint; get: Endpoint } = discussionNotes[kind];
      expect([list.paged, list.params['page']]).toEqual([undefined, undefined]);
      expect(get.paths).toEqual(list.paths.map((path) => `${path}/:note_id`));
    }
  });
});

it('a list of merge requests says whose they are by default', () => {
  expect(mergeRequestFilters('all').scope.text).toContain('default all');
  expect(mergeRequestFilters('created_by_me').scope.text).toContain('default created_by_me');
});
