import { describe, expect, it } from 'vitest';
import { addItem, maxItems, newCompletionRecords, recordCompletions, recordKey } from '../../../src/cli/completion-cache.js';
import type { Completion } from '../../../src/cli/app.js';

const base = 'http://service.test';

/** What a response to a request leaves: the values of each list by the name of the record. */
const recorded = (target: string, body: unknown, method = 'GET') => {
  const records = newCompletionRecords();
  recordCompletions(records, base, { method, target: `/api/v4${target}`, headers: {} }, body);
  return Object.fromEntries([...records.values()].map(({ container, name, items, notes, authors, files }) =>
    [`${container} ${name}`, { items: [...items.keys()], notes: [...notes.keys()], authors: [...authors.keys()], files: [...files.keys()] }]));
};

const note = (parts: object = {}) => ({ id: 1, body: 'text', system: false, author: { username: 'ada', name: 'Ada' }, ...parts });
const thread = (...notes: object[]) => ({ id: 'f'.repeat(40), notes });

describe('a response with threads', () => {
  it.each([
    ['/projects/acme%2Fapp/merge_requests/1/discussions?page=2', 'acme/app mr/1'], ['/projects/20/issues/3/discussions', '20 issue/3'],
    ['/projects/20/snippets/4/discussions', '20 snippet/4'], ['/groups/acme/epics/500/discussions', 'acme epic/id:500'],
    ['/groups/acme/-/epics/500/discussions', 'acme epic/id:500'],
    [`/projects/20/repository/commits/${'a'.repeat(40)}/discussions`, `20 commit/${'a'.repeat(40)}`],
    [`/projects/20/merge_requests/1/discussions/${'f'.repeat(40)}`, '20 mr/1'],
  ])('%s belongs to %s', (target, name) => {
    expect(recorded(target, thread(note()))).toEqual({ [name]: { items: ['f'.repeat(40)], notes: ['1'], authors: ['ada'], files: [] } });
  });

  it('has the files of positions, and neither notes nor authors of the system', () => {
    const body = [thread(note({ id: 2, system: true, author: { username: 'root' } }), note({ position: { new_path: 'a.js', old_path: 'b.js' } })),
      thread(note({ id: 3, position: { new_path: null, old_path: 'c.js' } }))];
    expect(recorded('/projects/20/issues/3/discussions', body))
      .toEqual({ '20 issue/3': { items: ['f'.repeat(40)], notes: ['1', '3'], authors: ['ada'], files: ['a.js', 'c.js'] } });
  });

  it('has the start of the first text of a person, without its marker', () => {
    const records = newCompletionRecords();
    const body = thread(note({ system: true, body: 'changed the title' }), note({ body: `${'x'.repeat(300)}\n\n<!-- colloquy:key=a -->` }));
    recordCompletions(records, base, { method: 'GET', target: '/api/v4/projects/20/issues/3/discussions', headers: {} }, body);
    expect([...records.values()][0]!.items.get('f'.repeat(40))).toEqual(['f'.repeat(40), 'x'.repeat(240)]);
  });

  it.each([null, 5, 'text', [null], [{ id: 5, notes: [note({ id: 'x', author: null })] }], [{ id: 'a' }], {}])(
    'of another shape leaves nothing, and is no error: %j', (body) => {
      expect(recorded('/projects/20/issues/3/discussions', body)).toEqual({});
    });
});

describe('a response with changed files', () => {
  it.each([
    ['/projects/20/merge_requests/1/diffs?page=1', [{ new_path: 'a.js' }, { old_path: 'b.js' }, {}]],
    ['/projects/20/merge_requests/1/changes', { changes: [{ new_path: 'a.js' }, { new_path: 'b.js' }] }],
    ['/projects/20/merge_requests/1/versions/7', { diffs: [{ new_path: 'a.js' }, { new_path: 'b.js' }] }],
  ])('%s has their paths', (target, body) => {
    expect(recorded(target, body)).toEqual({ '20 mr/1': { items: [], notes: [], authors: [], files: ['a.js', 'b.js'] } });
  });

  it('of another shape leaves nothing', () => {
    for (const body of [null, {}, { changes: 5 }, 'x']) expect(recorded('/projects/20/merge_requests/1/diffs', body)).toEqual({});
  });
});

describe('a response with epics', () => {
  const epic = (id: number, group: string) => ({ id, iid: id - 500, title: `Epic ${id}`, web_url: `https://host/groups/${group}/-/epics/${id - 500}` });

  it('has those of the group by number, those of subgroups and children by id', () => {
    expect(recorded('/groups/acme/epics', [epic(501, 'acme'), epic(502, 'acme/sub')])).toMatchObject({ 'acme epics': { items: ['epic/1', 'id:502'] } });
    expect(recorded('/groups/acme/epics/1/epics', [epic(501, 'acme')])).toMatchObject({ 'acme epics': { items: ['id:501'] } });
    expect(recorded('/groups/acme/epics/1', epic(501, 'acme'))).toMatchObject({ 'acme epics': { items: ['epic/1'] } });
    expect(recorded('/groups/10/epics', [epic(502, 'acme/sub')])).toMatchObject({ '10 epics': { items: ['epic/2'] } });
  });

  it('leaves out what has no numbers', () => {
    expect(recorded('/groups/acme/epics', [{ id: '501', iid: 1 }, { id: 501 }])).toEqual({});
  });
});

it('deletions and other requests leave nothing', () => {
  expect(recorded('/projects/20/issues/3/discussions', [thread(note())], 'DELETE')).toEqual({});
  for (const target of ['/projects/20/wikis/3/discussions', '/user', '/projects/20/issues/3/notes', '/projects/20']) {
    expect(recorded(target, [thread(note())])).toEqual({});
  }
});

it('the newest items stay in a full record, and an item that is seen again is the newest', () => {
  const items = new Map<string, Completion>();
  for (let i = 0; i < maxItems; i++) addItem(items, [String(i), '']);
  addItem(items, ['0', 'again']);
  addItem(items, ['new', '']);
  expect([items.size, items.has('1'), [...items.values()].slice(-2)]).toEqual([maxItems, false, [['0', 'again'], ['new', '']]]);
});

it('records of several requests to one noteable are one', () => {
  const records = newCompletionRecords();
  for (const target of ['/projects/acme%2Fapp/issues/3/discussions', '/projects/acme%2Fapp/issues/3/discussions?page=2']) {
    recordCompletions(records, base, { method: 'GET', target: `/api/v4${target}`, headers: {} }, { ...thread(note()), id: target });
  }
  expect([...records].map(([key, { items }]) => [key, items.size])).toEqual([[recordKey({ base, container: 'acme/app', name: 'issue/3' }), 2]]);
});

describe('a response with merge requests or issues', () => {
  const one = { iid: 12, title: 'Retry', references: { full: 'acme/app!12' } };
  it.each<[string, unknown, Record<string, string[]>]>([
    ['/projects/acme%2Fapp/merge_requests?state=opened', [one, { ...one, iid: 13 }], { 'acme/app titles': ['mr/12', 'mr/13'] }],
    ['/projects/20/merge_requests/12', one, { '20 titles': ['mr/12'] }],
    ['/merge_requests?scope=all', [one, { iid: 3, title: 'x', references: { full: 'acme/site!3' } }],
      { 'acme/app titles': ['mr/12'], 'acme/site titles': ['mr/3'] }],
    ['/issues', [{ iid: 7, title: 'Lost', references: { full: 'acme/app#7' } }], { 'acme/app titles': ['issue/7'] }],
    ['/merge_requests', [null, 3, { iid: 'x' }, { iid: 4 }], {}],
  ])('%s has their titles', (target, body, expected) => {
    expect(Object.fromEntries(Object.entries(recorded(target, body)).map(([name, { items }]) => [name, items]))).toEqual(expected);
  });
});
