import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newestVersion } from '../../../src/contract/conventions.js';
import type { Discussion, Note } from '../../../src/contract/shapes/note.js';
import { nearestRouteIn } from '../../../src/wire/http.js';
import { epicWorld } from '../../support/epics.js';
import { start, testService } from '../../support/service.js';
import { acme, refs, threads } from '../../support/worlds.js';

const newest = { dialect: 'live' } as const;
const issue = '/projects/20/issues/1/discussions';
const mergeRequest = '/projects/20/merge_requests/1/discussions';

describe('threads of issues and epics', () => {
  it.each([
    [{ dialect: 'live', serviceVersion: '16.6' }, 404, 404], [{ dialect: 'live', serviceVersion: '16.7' }, 200, 404],
    [{ dialect: 'live', serviceVersion: '18.1' }, 200, 200], [newest, 200, 200],
    [{ dialect: 'document', serviceVersion: '16.6' }, 404, 404], [{}, 403, 403],
  ] as const)('are resolved by newer services: %j', async (options, ofIssue, ofEpic) => {
    const { get, post, put } = await testService(options);
    const epic = (await post<Discussion>('/groups/10/epics/500/discussions', { json: { body: 'x' } })).body;
    expect((await put(`${issue}/${threads.issue}`, { json: { resolved: true } })).status).toBe(ofIssue);
    expect((await put(`/groups/10/epics/500/discussions/${epic.id}`, { json: { resolved: true } })).status).toBe(ofEpic);
    const { notes } = (await get<Discussion>(`${issue}/${threads.issue}`)).body;
    expect(notes.map(({ resolvable, resolved }) => [resolvable, resolved ?? false])).toEqual(notes.map(() => [ofIssue === 200, ofIssue === 200]));
  });

  it('stay resolved with a reply, and their notes can be resolved one by one', async () => {
    const { post, put } = await testService(newest);
    await put(`${issue}/${threads.issue}`, { json: { resolved: true } });
    expect((await post<Note>(`${issue}/${threads.issue}/notes`, { json: { body: 'x' } })).body).toMatchObject({ resolved: true });
    expect((await put<Note>(`${issue}/${threads.issue}/notes/102`, { json: { resolved: false } })).body).toMatchObject({ resolved: false });
  });
});

it('has guidelines for profile images from version 13 on', async () => {
  for (const [serviceVersion, has] of [['12.10', false], ['13.0', true]] as const) for (const dialect of ['document', 'live'] as const) {
    const { put, get } = await testService({ dialect, serviceVersion });
    const json = { title: 'A', profile_image_guidelines: 'faces' };
    expect(((await put('/application/appearance', { as: 'root', json })).body as object)).toMatchObject({ title: 'A' });
    const { body } = await get<Record<string, unknown>>('/application/appearance', { as: 'root' });
    expect(body['profile_image_guidelines']).toBe(has ? 'faces' : undefined);
  }
});

it('is the newest one unless another is given, and says so', async () => {
  for (const [options, version] of [[newest, newestVersion], [{ ...newest, serviceVersion: '16.7' }, '16.7.0-ee']] as const) {
    const { get } = await testService(options);
    for (const path of ['/version', '/metadata']) expect((await get(path)).body).toMatchObject({ version });
  }
});

it('a store that another version wrote shows notes as its own version does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-versions-'));
  const shownBy = async (serviceVersion: string) => {
    const service = await testService({ data: join(folder, 'data.db'), dialect: 'live', serviceVersion });
    const note = (await service.get<Discussion[]>(issue)).body[2]!.notes[0]!;
    await service.close();
    return note.resolvable;
  };
  expect([await shownBy('16.6'), await shownBy('16.7'), await shownBy('16.6')]).toEqual([false, true, false]);
  rmSync(folder, { recursive: true });
});

describe('a thread on a commit of the merge request', () => {
  const [project, ...others] = acme.projects!;
  const [change, ...more] = project!.merge_requests!;
  const world = { ...acme, projects: [{ ...project, merge_requests: [
    { ...change, base_sha: refs.parent, start_sha: refs.parent, head_sha: refs.head }, ...more],
  commits: [...project!.commits!,
    { sha: refs.head, parent_sha: refs.commit, title: 'Head' },
    { sha: refs.base, parent_sha: refs.start, title: 'Foreign', diff: change!.diff! }] }, ...others] };
  const onCommit = (commit: string, parent: string) => ({ body: 'x', commit_id: commit, position: {
    base_sha: parent, start_sha: parent, head_sha: commit, position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2 } });

  it.each(['document', 'live'] as const)('is created and returns the commit: %s', async (dialect) => {
    const { post } = await testService({ world, dialect });
    const { status, body } = await post<Discussion>(mergeRequest, { json: onCommit(refs.commit, refs.parent) });
    expect({ status, commit: body.notes[0]!.commit_id, head: body.notes[0]!.position!.head_sha })
      .toEqual({ status: 201, commit: refs.commit, head: refs.commit });
  });

  it('is rejected if the commit does not belong to it, or the line is not in the diff of the commit', async () => {
    const { post } = await testService({ world, ...newest });
    expect((await post(mergeRequest, { json: onCommit(refs.base, refs.start) })).status).toBe(400);
    const { position, ...rest } = onCommit(refs.commit, refs.parent);
    expect((await post(mergeRequest, { json: { ...rest, position: { ...position, new_line: 9 } } })).status).toBe(400);
  });
});

it('a bare key of a form counts as not given', async () => {
  const { post } = await testService(newest);
  const form = (text: string) => ({ body: text, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  expect(await post(mergeRequest, form('body=x&position'))).toMatchObject({ status: 201, body: { notes: [{ type: 'DiscussionNote' }] } });
  const sides = `position[base_sha]=${refs.base}&position[start_sha]=${refs.start}&position[head_sha]=${refs.head}&position[position_type]=text`;
  const { status, body } = await post<Discussion>(mergeRequest, form(`body=x&${sides}&position[new_path]=app.js&position[new_line]=2&position[line_range]`));
  expect({ status, range: (body.notes[0]!.position as { line_range?: unknown }).line_range }).toEqual({ status: 201, range: null });
});

it('created_at may have the name of a zone', async () => {
  const { post } = await testService(newest);
  const { body } = await post<Discussion>(issue, { as: 'owner', json: { body: 'x', created_at: '2023-11-08 14:47:11 UTC' } });
  expect(body.notes[0]!.created_at).toBe('2023-11-08T14:47:11.000Z');
});

it('If-Unmodified-Since may be a time in ISO 8601', async () => {
  const { delete: remove } = await testService(newest);
  const given = (time: string) => ({ as: 'owner', headers: { 'if-unmodified-since': time } });
  expect((await remove(`${mergeRequest}/${threads.thread}/notes/120`, given('2001-01-01T00:00:00Z'))).status).toBe(412);
  expect((await remove(`${mergeRequest}/${threads.thread}/notes/120`, given(start))).status).toBe(204);
});

it('line_range is kept on commits too', async () => {
  const { post } = await testService(newest);
  const line_range = { start: { line_code: 'a_1_1', type: 'new', extra: 'x' }, end: { line_code: 'a_1_2', type: 'new' } };
  const { body } = await post<Discussion>(`/projects/20/repository/commits/${refs.commit}/discussions`, { json: { body: 'x', position: {
    base_sha: refs.parent, start_sha: refs.parent, head_sha: refs.commit, position_type: 'text', old_path: 'app.js', new_path: 'app.js',
    new_line: 2, line_range } } });
  expect(body.notes[0]!.position).toMatchObject({ line_range });
});

it('text in place of the number of an object is 404 in older versions, and 400 in newer ones', async () => {
  for (const [serviceVersion, status] of [['14.9', 404], ['18.1', 400]] as const) {
    const { get } = await testService({ ...newest, serviceVersion });
    expect((await get('/projects/20/issues/abc/discussions')).status).toBe(status);
  }
});

it('a blank edit names the failure in older versions only', async () => {
  for (const [serviceVersion, before] of [['14.9', 'Failed to save note'], ['18.1', 'Note']] as const) {
    const { put } = await testService({ ...newest, serviceVersion });
    expect((await put(`${issue}/${threads.issue}/notes/103`, { json: { body: ' ' } })).body).toEqual({
      message: `400 Bad request - ${before} {:note=>["can't be blank"]}` });
  }
});

it('threads of commits are below `/repository/commits`, except in the documentation', async () => {
  const paths = ['commits', 'repository/commits'].map((start) => `/projects/20/${start}/${refs.commit}/discussions`);
  for (const [options, statuses] of [[newest, [404, 200]], [{ ...newest, serviceVersion: '13.12' }, [404, 200]], [{}, [200, 200]]] as const) {
    const { get, call } = await testService(options);
    expect(await Promise.all(paths.map(async (path) => (await get(path)).status))).toEqual(statuses);
    expect((await call('OPTIONS', paths[0]!)).status).toBe(statuses[0] === 200 ? 204 : 404);
  }
  const { status, body, headers } = await (await testService(newest)).get(paths[0]!);
  expect({ status, body }).toEqual({ status: 404, body: { error: '404 Not Found' } });
  expect(nearestRouteIn(headers)).toBe('GET /api/v4/projects/:id/repository/commits/:noteable_id/discussions');
});

it('a single comment of quick actions is accepted in all versions, a thread in newer ones', async () => {
  for (const [serviceVersion, status] of [['14.9', 400], ['15.0', 202]] as const) {
    const { post } = await testService({ ...newest, serviceVersion });
    const single = await post('/projects/20/issues/1/notes', { json: { body: '/close' } });
    expect(single).toMatchObject({ status: 202, body: { commands_changes: { state_event: 'close' } } });
    expect((await post(issue, { json: { body: '/reopen' } })).status).toBe(status);
  }
});

it('a position on a file needs version 16.4', async () => {
  const position = { base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'file', new_path: 'app.js', old_path: 'app.js' };
  for (const [serviceVersion, status] of [['16.3', 400], ['16.4', 201]] as const) {
    const { post } = await testService({ ...newest, serviceVersion });
    expect((await post(mergeRequest, { json: { body: 'x', position } })).status).toBe(status);
  }
});

describe('links of epics', () => {
  const children = '/groups/10/epics/1/epics';
  const service = (serviceVersion?: string) => testService({ world: epicWorld, ...newest, ...serviceVersion && { serviceVersion } });

  it.each([['14.9', 403, 403], ['15.0', 201, 201], ['16.11', 201, 201], ['17.0', 201, 403], [undefined, 201, 403]])(
    'are changed by guests in newer versions: %s', async (version, assigns, creates) => {
      const { post, put, delete: remove } = await service(version);
      const as = 'guest';
      expect((await post(`${children}/505`, { as })).status).toBe(assigns);
      expect((await post(children, { as, json: { title: 'x' } })).status).toBe(creates);
      expect((await put(`${children}/505`, { as, json: { move_after_id: 501 } })).status).toBe(assigns === 201 ? 200 : 403);
      expect((await remove(`${children}/501`, { as })).status).toBe(assigns === 201 ? 200 : 403);
    });

  it('cannot be changed by callers outside the group of the child', async () => {
    const world = { ...epicWorld, groups: epicWorld.groups!.map((group) => group.id !== 14 ? group
      : { ...group, epics: [...group.epics!, { id: 902, iid: 3, title: 'Child elsewhere', author: 'root', parent: 500 }] }) };
    const { put, delete: remove } = await testService({ world, ...newest });
    expect(await put(`${children}/902`, { as: 'reporter', json: {} })).toMatchObject({ status: 404, body: { message: 'Epic not found for given params' } });
    expect(await remove(`${children}/902`, { as: 'reporter' })).toMatchObject({ status: 404, body: { message: 'No Epic found for given params' } });
  });

  it('name the child in the path, except in the documentation', async () => {
    const named = { as: 'reporter', json: { child_epic_id: 505 } };
    for (const serviceVersion of ['13.12', '18.1']) {
      expect(await (await service(serviceVersion)).post(children, named)).toMatchObject({ status: 400, body: { error: 'title is missing' } });
    }
    expect((await (await testService({ world: epicWorld })).post(children, named)).status).toBe(201);
  });

  it('have more keys in newer versions', async () => {
    const newer = ['work_item_id', 'parent_iid', 'color', 'text_color', 'imported', 'imported_from', '_links'];
    for (const [serviceVersion, shown] of [['14.9', []], ['15.0', newer]] as const) {
      const { get } = await service(serviceVersion);
      for (const path of ['/groups/10/epics/2', '/groups/10/epics']) {
        const { body } = await get<object | object[]>(path, { as: 'reporter' });
        const keys = Object.keys(Array.isArray(body) ? body[0]! as object : body);
        expect(keys.filter((key) => newer.includes(key))).toEqual(shown);
        expect(keys).toEqual(expect.arrayContaining(['state', 'confidential', 'references']));
      }
    }
  });

  it('say no in the words of the version', async () => {
    const { post } = await service();
    const messageOf = async (path: string, as = 'root') => {
      const { status, body } = await post<{ message: unknown }>(path, { as });
      return [status, body.message];
    };
    expect(await messageOf(`${children}/501`)).toEqual([409, 'Epic(s) already assigned']);
    expect(await messageOf(`${children}/500`)).toEqual([422, '#1 cannot be added: is not allowed to point to itself']);
    expect(await messageOf('/groups/10/epics/3/epics/500')).toEqual([422, "#1 cannot be added: it's already present in this item's hierarchy"]);
    expect(await messageOf(`${children}/800`, 'reporter')).toEqual([404, 'No Epic found for given params']);
    const confidential = 'cannot assign a non-confidential epic to a confidential parent. Make the epic confidential and try again.';
    expect(await messageOf('/groups/10/epics/7/epics/505')).toEqual([400, { base: [confidential] }]);
    expect(await post('/groups/10/epics/7/epics', { as: 'root', json: { title: 'x', confidential: false } })).toMatchObject({
      status: 400, body: { message: { base: [confidential] } } });
    expect((await post(`${children}/700`, { as: 'root' })).status).toBe(201);
  });
});
