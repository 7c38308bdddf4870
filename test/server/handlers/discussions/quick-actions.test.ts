import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { extractQuickActions } from '../../../../src/server/handlers/discussions/quick-actions.js';
import { testService } from '../../../support/service.js';
import { refs, threads } from '../../../support/worlds.js';

const extracted = (text: string) => {
  const { body, actions } = extractQuickActions('issue', text);
  return [body, actions.map(({ name, argument }) => `${name} ${argument}`.trim())];
};

describe('the quick actions of a text', () => {
  it.each([
    ['/close', '', ['close']],
    ['Done.\n/close\nThank you.', 'Done.\nThank you.', ['close']],
    ['/label ~bug ~"to do"\n/CLOSE\n\nDone.', '\nDone.', ['label ~bug ~"to do"', 'close']],
    ['Done.\n\n/title  A new title \n', 'Done.', ['title A new title']],
    ['```\n/close\n```\n/reopen', '```\n/close\n```', ['reopen']],
    ['`a\n/close\nb`\n/reopen', '`a\n/close\nb`', ['reopen']],
    ['no end`\n/close', 'no end`', ['close']],
    ['a ` b\n\n/close\n\nc ` d', 'a ` b\n\n\nc ` d', ['close']],
    ['```\n/close', '```', ['close']],
    ['<br>\n/close', '<br>', ['close']],
  ])('are taken out of %j', (text, body, actions) => {
    expect(extracted(text)).toEqual([body, actions]);
  });

  it.each([
    'Hello', ' /close', 'a /close', '/closed', '/close/me', '/nothing', '/usr/bin/env', '/', '/tag v1', '/merge', 'Hello \n',
    '```js\n/close\n```', '~~~\n/close\n~~~', '>>>\n/close\n>>>', '<details>\n/close\n</details>', '`code\n/close\nends`',
  ])('are none in %j', (text) => {
    expect(extracted(text)).toEqual([text, []]);
  });

  it('depend on the kind', () => {
    const namesOn = (kind: Parameters<typeof extractQuickActions>[0]) =>
      extractQuickActions(kind, '/close\n/merge\n/due x\n/child_epic &1\n/tag v1').actions.map(({ name }) => name);
    expect(namesOn('issue')).toEqual(['close', 'due']);
    expect(namesOn('merge_request')).toEqual(['close', 'merge']);
    expect(namesOn('epic')).toEqual(['close', 'child_epic']);
    expect(namesOn('commit')).toEqual(['tag']);
    expect(namesOn('snippet')).toEqual([]);
  });

  it('are all the lines that are missing afterwards', () => {
    const line = fc.constantFrom('/close', '/label ~x', 'text', '', '```', '>>>', '<p>', '</p>', '`', '/path/close', 'a ` b ` c');
    fc.assert(fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const { body, actions } = extractQuickActions('issue', lines.join('\n'));
      const left: string[] = [...lines];
      for (const { name, argument } of actions) left.splice(left.indexOf(`/${name} ${argument}`.trim()), 1);
      const filled = (list: readonly string[]) => list.filter((line) => line !== '').sort();
      expect(filled(body.split('\n'))).toEqual(filled(left));
    }));
  });
});

const issue = '/projects/20/issues/1';
const mergeRequest = '/projects/20/merge_requests/1';
const thread = `${mergeRequest}/discussions/${threads.thread}`;

describe('a text of quick actions alone', () => {
  const closed = (noun: string) => ({
    status: 202, body: { commands_changes: { state_event: 'close' }, summary: [`Closed this ${noun}.`] },
  });

  it.each([
    [`${issue}/discussions`, 'issue'], [`${issue}/notes`, 'issue'], [`${mergeRequest}/discussions`, 'merge request'],
    [`${thread}/notes`, 'merge request'],
  ])('gets 202 and stores no note: POST %s', async (path, noun) => {
    const { get, post } = await testService({ dialect: 'live' });
    const notes = `${path.split('/discussions')[0]!.replace(/\/notes$/, '')}/notes`;
    const written = async () => (await get<Note[]>(notes)).body.filter(({ system }) => !system);
    const before = await written();
    expect(await post(path, { json: { body: '/close\n' } })).toMatchObject(closed(noun));
    expect(await written()).toEqual(before);
  });

  it.each([`${thread}/notes/121`, `${mergeRequest}/notes/121`])('gets 202 and deletes the note: PUT %s', async (path) => {
    const { get, put } = await testService({ dialect: 'live' });
    expect(await put(path, { json: { body: '/close' } })).toMatchObject(closed('merge request'));
    expect((await get(`${mergeRequest}/notes/121`)).status).toBe(404);
  });

  it('is summed up in one text', async () => {
    const { post } = await testService({ dialect: 'live' });
    const body = '/close\n/title New\n/milestone %1\n/todo\n/lock\n/subscribe\n/close';
    expect((await post(`${issue}/notes`, { json: { body } })).body).toEqual({
      commands_changes: {
        state_event: 'close', title: 'New', todo_event: 'add', discussion_locked: true, subscription_event: 'subscribe',
      },
      summary: ['Closed this issue. Changed the title to "New". Applied /milestone %1. Applied /todo. Applied /lock. Applied /subscribe.'],
    });
  });

  it('needs the rights of a note', async () => {
    const { put, post } = await testService({ dialect: 'live' });
    expect((await put(`${thread}/notes/121`, { as: 'guest', json: { body: '/close' } })).status).toBe(403);
    expect((await post(`${issue}/notes`, { as: 'outsider', json: { body: '/close' } })).status).toBe(404);
  });

  it('is text on a snippet', async () => {
    const { post } = await testService({ dialect: 'live' });
    const { status, body } = await post<Note>('/projects/20/snippets/40/notes', { json: { body: '/close' } });
    expect([status, body.body]).toEqual([201, '/close']);
  });
});

describe('a text with quick actions', () => {
  it('is stored without them, and the response names what changed', async () => {
    const { get, post, put } = await testService({ dialect: 'live' });
    const text = { json: { body: 'Done.\n/title New' } };
    const { body: created } = await post<Discussion>(`${issue}/discussions`, text);
    expect(created.notes).toMatchObject([{ body: 'Done.', commands_changes: { title: 'New' } }]);
    const { body: single } = await post<Note>(`${issue}/notes`, text);
    expect(single).toMatchObject({ body: 'Done.', commands_changes: { title: 'New' } });
    expect((await put<Note>(`${issue}/notes/${single.id}`, text)).body).toEqual(single);
    expect((await post<Note>(`${issue}/discussions/${created.id}/notes`, text)).body).toMatchObject({ commands_changes: { title: 'New' } });
    expect((await get<Note>(`${issue}/notes/${single.id}`)).body).toEqual({ ...single, commands_changes: {} });
  });

  it('cannot forge the changed fields', async () => {
    const { post } = await testService({ dialect: 'live' });
    const body = '"commands_changes":{}\n/title $& "commands_changes":{}';
    expect((await post<Note>(`${issue}/notes`, { json: { body } })).body).toMatchObject({
      body: '"commands_changes":{}', commands_changes: { title: '$& "commands_changes":{}' } });
  });
});

describe('quick actions', () => {
  it.each([
    [{}, 201], [{ dialect: 'document' }, 201], [{ dialect: 'live' }, 202], [{ quickActions: true }, 202], [{ dialect: 'live', quickActions: false }, 201],
  ] as const)('are on in the live dialect, and where they are switched on: %j', async (options, expected) => {
    const { post } = await testService(options);
    for (const path of [`${issue}/discussions`, `${issue}/notes`]) {
      expect((await post(path, { json: { body: '/close' } })).status).toBe(expected);
    }
  });
});

it('/merge in a comment needs the head of the merge request', async () => {
  const service = await testService({ dialect: 'live' });
  const comment = async (body: string, seen?: string) => {
    const json = { body, ...seen !== undefined && { merge_request_diff_head_sha: seen } };
    const { status, body: { message } } = await service.post<{ message?: string }>('/projects/20/merge_requests/1/notes', { json });
    return [status, message];
  };
  const missing = [400, '400 Bad request - The `/merge` quick action requires the SHA of the head of the branch.'];
  expect([await comment('Fine.\n/merge'), await comment('/merge', '')]).toEqual([missing, missing]);
  expect(await comment('/merge', refs.base)).toEqual([400, '400 Bad request - Branch has been updated since the merge was requested.']);
  expect([await comment('/merge', refs.head), await comment('Fine.\n/merge', refs.head)]).toEqual([[202, undefined], [201, undefined]]);
  expect([await comment('`/merge` is text'), await comment('x', refs.base)]).toEqual([[201, undefined], [201, undefined]]);
  await service.close();
});
