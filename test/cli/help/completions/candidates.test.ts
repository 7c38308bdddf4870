import { describe, expect, it } from 'vitest';
import {
  maxItems, newCompletionRecords, recordCompletions, storeRecords,
} from '../../../../src/cli/completion-cache.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { threads } from '../../../support/worlds.js';

/** The candidates after some calls: values and their descriptions. */
const offeredAfter = async (calls: readonly (readonly string[])[], options: WorldOptions, ...line: string[]) => {
  const world = await testApp(options);
  for (const call of calls) await world.run(...call);
  const { code, out, err, sent } = await world.run('__complete', '--', ...line);
  expect({ code, err, sent }).toEqual({ code: 0, err: '', sent: [] });
  return out.split('\n').filter((text) => text !== '').map((text) => text.split('\t') as [string, string]);
};

const list = ['discussions', 'list', 'mr/1'];
const values = (found: readonly [string, string][]) => found.map(([value]) => value);

describe('completion from the cache', () => {
  it('offers thread ids with their first words, newest first', async () => {
    expect(await offeredAfter([list], {}, 'discussions', 'get', 'mr/1', '')).toEqual([
      [threads.diff.slice(0, 8), 'why?'], [threads.resolved.slice(0, 8), 'done?'], [threads.thread.slice(0, 8), 'please explain']]);
    expect(values(await offeredAfter([list], {}, 'discussions', 'get', 'mr/1', '555'))).toEqual([threads.diff.slice(0, 8)]);
    expect(values(await offeredAfter([list], {}, 'discussions', 'get', 'mr/1', threads.diff.slice(0, 12)))).toEqual([threads.diff]);
  });

  it('accepts the last word at the front too, for shells that drop an empty one', async () => {
    const world = await testApp();
    await world.run(...list);
    const asked = async (...words: string[]) => (await world.run('__complete', ...words)).out;
    const line = ['discussions', 'get', 'mr/1'];
    expect(await asked('--last=', '--', ...line)).toBe(await asked('--', ...line, ''));
    expect(await asked('--last=3', '--', ...line)).toBe(await asked('--', ...line, '3'));
    expect(await asked('--last=--json=no', '--', ...line)).toBe('--json=notes\t\n'.replace('--json=', ''));
  });

  it('recognizes the noteable in every form of reference', async () => {
    for (const line of [['discussions', 'reply', '!1', ''], ['discussions', 'reply', '--mr', '1', ''], ['discussions', 'reply', '--mr=1', ''],
      ['discussions', 'resolve', '!1', '5555', '4444', ''],
      ['notes', 'add', 'acme/app!1', '--thread', ''], ['notes', 'edit', '-p', 'acme/app', 'mr/1', '--thread=3'],
      ['discussions', 'get', 'http://service.test/acme/app/-/merge_requests/1', '']]) {
      expect(values(await offeredAfter([list], {}, ...line)), line.join(' ')).toContain(threads.thread.slice(0, 8));
    }
    expect(await offeredAfter([list], {}, 'discussions', 'get', 'mr/2', '')).toEqual([]);
    expect(await offeredAfter([list], {}, 'discussions', 'get', 'open/site!1', '')).toEqual([]);
    expect(await offeredAfter([list], {}, '--url', 'http://other.test', 'discussions', 'get', 'mr/1', '')).toEqual([]);
  });

  it('offers the threads of an epic by its number', async () => {
    const calls = [['discussions', 'create', '&1', '-m', 'An epic thought'], ['discussions', 'list', '&1']];
    const env = { COLLOQUY_TOKEN: 'reporter-token' };
    expect((await offeredAfter(calls, { env }, 'discussions', 'get', 'epic/1', ''))[0]?.[1]).toBe('An epic thought');
  });

  it('offers noteables, epics and children', async () => {
    const calls = [list, ['discussions', 'list', 'issue/1'], ['epics', 'create', '&1', '--title', 'A child'], ['epics', 'list', '&1'],
      ['discussions', 'list', '&1']];
    const env = { COLLOQUY_TOKEN: 'reporter-token' };
    expect(values(await offeredAfter(calls, { env }, 'discussions', 'list', ''))).toEqual(expect.arrayContaining(['mr/1', 'issue/1']));
    expect(values(await offeredAfter(calls, { env }, 'notes', 'list', 'iss'))).toEqual(['issue/1']);
    expect(values(await offeredAfter(calls, { env }, 'epics', 'list', ''))).toEqual(['epic/1']);
    expect((await offeredAfter(calls, { env }, 'epics', 'unassign', '&1', 'id:'))[0]?.[1]).toBe('A child');
    expect(values(await offeredAfter(calls, { env }, 'epics', 'reorder', '&1', 'x', '--before', 'id'))).toHaveLength(1);
  });

  it('shows the titles of merge requests, even of those whose threads were not shown', async () => {
    const offered = await offeredAfter([list, ['discussions', 'inbox']], {}, 'discussions', 'list', '');
    expect(offered).toEqual([['mr/1', 'Change'], ['mr/2', 'Without a diff']]);
  });

  it('offers the notes of a noteable with their first words, newest first', async () => {
    const notes = [['123', 'why?'], ['122', 'done?'], ['121', 'see below'], ['120', 'please explain']];
    expect(await offeredAfter([list], {}, 'notes', 'edit', 'mr/1', '')).toEqual(notes);
    expect(await offeredAfter([list], {}, 'notes', 'edit', '--mr', '1', '')).toEqual(notes);
    expect(values(await offeredAfter([list], {}, 'notes', 'delete', 'mr/1', '121'))).toEqual(['121']);
  });

  it('offers the participants as authors', async () => {
    expect(values(await offeredAfter([list], {}, 'discussions', 'list', 'mr/1', '--author', ''))).toEqual(['reporter', 'developer', 'guest']);
    expect(values(await offeredAfter([list], {}, 'notes', 'list', '--mr', '1', '--author=d'))).toEqual(['developer']);
  });

  it('offers the files of comments, and the changed files once the diff was read', async () => {
    expect(await offeredAfter([list], {}, 'notes', 'add', 'mr/1', '--file', '')).toEqual([['app.js', '']]);
    const comment = ['notes', 'add', 'mr/1', '--file', 'app.js', '--line', '2', '-m', 'x'];
    expect(values(await offeredAfter([comment], {}, 'notes', 'add', 'mr/1', '--file', '')).toSorted())
      .toEqual(['app.js', 'new.txt', 'pixel.png']);
    expect(values(await offeredAfter([comment], {}, 'discussions', 'create', '--mr=1', '--file=new'))).toEqual(['new.txt']);
  });

  it('offers profiles and fields', async () => {
    const profiles = { current: 'a', profiles: { work: { url: 'https://w.example', token: 'secret' }, home: {} } };
    expect(await offeredAfter([], { profiles }, 'discussions', 'list', '--profile', '')).toEqual([['work', 'https://w.example'], ['home', '']]);
    expect(values(await offeredAfter([], { profiles }, 'auth', 'switch', 'h'))).toEqual(['home']);
    expect(values(await offeredAfter([], {}, 'discussions', 'list', '--json='))).toEqual([
      'id', 'individual_note', 'resolvable', 'resolved', 'notes', 'outdated', 'current_line', 'current_path', 'new', 'proof', 'thread', 'state',
      'author', 'created', 'place', 'text', 'first_line', 'url']);
    expect(values(await offeredAfter([], {}, 'discussions', 'list', '--json', 'notes,i'))).toEqual(['notes,id', 'notes,individual_note']);
    expect(values(await offeredAfter([], {}, 'discussions', 'list', 'mr/1', '--json', 'in'))).toEqual(['individual_note']);
    expect(values(await offeredAfter([], {}, 'discussions', 'list', '--json=notes,i'))).toEqual(['notes,id', 'notes,individual_note']);
    expect(values(await offeredAfter([], {}, 'appearance', 'get', '--json=title,t'))).toEqual([]);
  });

  it.each([[['']], [['none']], [['discussions', 'list', '--']], [['discussions', 'list', 'mr/9', '--author', '']],
    [['discussions', 'get', 'mr/1', '--json', '']],
    [['auth', 'status', '--profile', 'none', '']], [[]]])('offers nothing for %j', async (line) => {
    expect(await offeredAfter([], {}, ...line)).toEqual([]);
  });

  it('offers no value that is special to a shell or would be changed by it', async () => {
    const body = JSON.stringify(['$(reboot)', 'a;b', 'a b', "it's", '*', '~', '\x1b[2J', '--yes', 'ab-1.2_3'].map((id) =>
      ({ id, individual_note: false, notes: [] })));
    const answer = () => ({ status: 200, headers: { 'content-type': 'application/json', 'x-next-page': '' }, body });
    expect(values(await offeredAfter([list], { answer }, 'discussions', 'get', 'mr/1', ''))).toEqual(['ab-1.2_3']);
    const profiles = { current: 'a', profiles: { 'my own': {}, '': {}, 'a\nb': {}, 'a\x1b': {}, 'a  b': {} } };
    expect(values(await offeredAfter([], { profiles }, 'auth', 'switch', ''))).toEqual(['my own']);
  });

  it('prints no errors', async () => {
    expect(await offeredAfter([], { env: { COLLOQUY_URL: 'ftp://x' } }, 'discussions', 'get', 'mr/1', '')).toEqual([]);
  });
});

describe('the completion cache', () => {
  const request = (target: string) => ({ method: 'GET', target: `/api/v4${target}`, headers: {} });
  const place = '/projects/1/issues/2/discussions?per_page=100';
  const thread = (id: string, body: string) => ({ id, notes: [{ body: 'closed', system: true }, { body }] });

  it('stores only the first words, without control characters', async () => {
    const world = await testApp();
    const records = newCompletionRecords();
    recordCompletions(records, 'http://a', request(place), [thread('ab', `one\ntwo\t\x1b[2J ${'secret '.repeat(200)}`)]);
    await storeRecords(world.app.cache, records);
    const [file] = [...world.cache.values()].map((text) => JSON.parse(text) as { items: [string, string][] });
    const words = file!.items[0]![1];
    expect(words).toHaveLength(60);
    expect(words).toMatch(/^one two \\u001b\[2J secret/);
  });

  it('keeps only the newest items', async () => {
    const world = await testApp();
    const records = newCompletionRecords();
    for (let i = 0; i < maxItems + 50; i++) recordCompletions(records, 'http://a', request(place), thread(`id${i}`, 'x'));
    await storeRecords(world.app.cache, records);
    const [file] = [...world.cache.values()].map((text) => JSON.parse(text) as { items: [string, string][] });
    expect([file!.items.length, file!.items[0]![0]]).toEqual([maxItems, 'id50']);
    for (let i = 0; i < 40; i++) {
      const more = newCompletionRecords();
      recordCompletions(more, 'http://a', request(`/projects/1/issues/${i}/discussions`), thread('x', 'x'));
      await storeRecords(world.app.cache, more);
    }
    expect(world.cache.size).toBe(30);
  });

  it('adds to earlier entries of the same target', async () => {
    const world = await testApp();
    for (const id of ['a', 'b', 'a']) {
      const records = newCompletionRecords();
      recordCompletions(records, 'http://a', request(place), thread(id, `of ${id}`));
      await storeRecords(world.app.cache, records);
    }
    expect(JSON.parse([...world.cache.values()][0]!)).toEqual({ base: 'http://a', container: '1', name: 'issue/2', items: [['b', 'of b'], ['a', 'of a']] });
  });

  it('names epics of subgroups in the list of a group by their global ids', () => {
    const records = newCompletionRecords();
    const epic = (id: number, group: string) => ({ id, iid: 4, title: group, web_url: `http://s/groups/${group}/-/epics/4` });
    recordCompletions(records, 'b', request('/groups/acme/epics?per_page=100'), [epic(504, 'acme'), epic(604, 'acme/sub')]);
    expect([...[...records.values()][0]!.items.keys()]).toEqual(['epic/4', 'id:604']);
  });

  it('ignores other kinds of responses', () => {
    const records = newCompletionRecords();
    for (const target of ['/user', '/projects/1', '/projects/1/issues/2/notes', '/groups/1/epics/2/epics/3'])
      recordCompletions(records, 'b', request(target), [{ id: 1 }]);
    for (const answer of [null, 1, 'x', [], {}, [{ id: 1, notes: [] }]]) recordCompletions(records, 'b', request(place), answer ?? {});
    expect(records.size).toBe(0);
  });

  it('offers no file that would be an option', async () => {
    const world = await testApp();
    const records = newCompletionRecords();
    recordCompletions(records, 'http://service.test', request('/projects/acme%2Fapp/merge_requests/1/diffs'),
      ['--url=http:/evil.test', '-o', 'src/a.ts'].map((path) => ({ old_path: path, new_path: path })));
    await storeRecords(world.app.cache, records);
    expect((await world.run('__complete', '--', 'discussions', 'lines', 'mr/1', '')).out).toBe('src/a.ts\t\n');
  });

  it('offers a reference once, without a title if several projects have it', async () => {
    const world = await testApp({ env: { COLLOQUY_PROJECT: undefined } });
    const records = newCompletionRecords();
    for (const [i, project] of ['acme%2Fapp', 'acme%2Fother'].entries()) {
      recordCompletions(records, 'http://service.test', request(`/projects/${project}/issues/1/discussions`), [thread(`id${i}`, '$(reboot)')]);
    }
    await storeRecords(world.app.cache, records);
    expect((await world.run('__complete', '--', 'discussions', 'list', 'iss')).out).toBe('issue/1\t\n');
  });

  it('stores nothing from the sandbox', async () => {
    const world = await testApp();
    await world.run(...list.with(2, 'mr/12'), '--sandbox');
    expect(world.cache.size).toBe(0);
  });

  it('is skipped if it cannot be read', async () => {
    const world = await testApp();
    for (const [i, text] of ['{', '{}', '[]',
      '{"base":"http://service.test","container":"acme/app","name":"mr/1","items":3}'].entries()) world.cache.set(`seen-${i}`, text);
    expect((await world.run('__complete', '--', 'discussions', 'get', 'mr/1', '')).out).toBe('');
  });
});
