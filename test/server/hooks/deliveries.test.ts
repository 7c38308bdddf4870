import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Note } from '../../../src/contract/shapes/note.js';
import { receiver, type Receiver } from '../../support/receiver.js';
import { everyRow } from '../../support/rows.js';
import { testService, type TestService } from '../../support/service.js';
import { sleeper } from '../../support/sleeper.js';
import { started } from '../../support/sockets.js';
import { acme, refs } from '../../support/worlds.js';

let service: TestService;
let bot: Receiver;
let respond: () => { status?: number; headers?: Record<string, string>; body?: string } | 'nothing';
beforeEach(async () => {
  respond = () => ({});
  bot = await receiver(() => respond());
  service = await testService();
});
afterEach(async () => {
  await service.close();
  await bot.close();
});

const hook = async (json: object = {}) => {
  const { body } = await service.post<{ id: number }>('/projects/20/hooks', {
    as: 'maintainer', json: { url: bot.url, token: 'hush', note_events: true, ...json },
  });
  return body.id;
};

const comment = (body: string, at = '/projects/20/issues/1/notes', as = 'developer') =>
  service.post<Note>(at, { as, json: { body } });

/** After so many deliveries in all. */
const delivered = async (count: number) => {
  await service.service.deliveries({ after: count - 1, timeout: 40_000 });
  const found = await service.service.deliveries();
  expect(found).toHaveLength(count);
  return found;
};

describe('a note', () => {
  test('is delivered with the headers and the body of the service', async () => {
    await hook();
    const { body: { id } } = await comment('Hello @bot');
    await delivered(1);
    const [{ headers, body }] = bot.received as [Receiver['received'][number]];
    expect(headers).toMatchObject({
      'content-type': 'application/json', 'user-agent': 'GitLab/19.5', 'x-gitlab-event': 'Note Hook',
      'x-gitlab-token': 'hush', 'x-gitlab-instance': 'http://service.test',
    });
    for (const name of ['x-gitlab-webhook-uuid', 'x-gitlab-event-uuid', 'idempotency-key']) {
      expect(headers[name], name).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }
    expect(body).toMatchObject({
      object_kind: 'note', event_type: 'note', project_id: 20,
      user: { id: 4, name: 'Dora Developer', username: 'developer', email: '[REDACTED]' },
      project: { id: 20, name: 'app', path_with_namespace: 'acme/app', web_url: 'http://service.test/acme/app', namespace: 'acme' },
      object_attributes: {
        id, note: 'Hello @bot', noteable_type: 'Issue', noteable_id: 30, author_id: 4, project_id: 20, system: false,
        created_at: '2024-05-01 12:00:00 UTC', updated_at: '2024-05-01 12:00:00 UTC', action: 'create', internal: false,
        attachment: null, position: null, line_code: null, st_diff: null, type: null,
        url: `http://service.test/acme/app/-/issues/1#note_${id}`,
      },
      repository: { name: 'app', homepage: 'http://service.test/acme/app' },
      issue: { id: 30, iid: 1, confidential: false },
    });
    expect(body).not.toHaveProperty('merge_request');
  });

  test('on a diff says where, with its merge request', async () => {
    await hook();
    const position = {
      base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text', new_path: 'app.js', old_path: 'app.js', new_line: 2,
    };
    await service.post('/projects/20/merge_requests/1/discussions', { json: { body: 'Here', position } });
    await delivered(1);
    expect(bot.received[0]!.body).toMatchObject({
      object_attributes: { type: 'DiffNote', noteable_type: 'MergeRequest', position: { new_line: 2, new_path: 'app.js' },
        line_code: expect.stringMatching(/^[0-9a-f]{40}_\d+_2$/) as unknown },
      merge_request: { iid: 1, last_commit: { id: refs.head } },
    });
  });

  test('on a snippet or a commit comes with that', async () => {
    await hook();
    await comment('S', '/projects/20/snippets/40/notes');
    await service.post(`/projects/20/repository/commits/${refs.commit}/discussions`, { json: { body: 'C' } });
    await delivered(2);
    const [snippet, commit] = bot.received.map(({ body }) => body);
    expect(snippet).toMatchObject({ object_attributes: { noteable_type: 'Snippet', noteable_id: 40 }, snippet: { id: 40 } });
    expect(commit).toMatchObject({ object_attributes: { noteable_type: 'Commit', commit_id: refs.commit }, commit: { id: refs.commit } });
  });

  test('on a commit comes with the whole message, as the commit itself', async () => {
    service = await testService({ world: { users: acme.users!, projects: [{
      id: 20, path: 'acme/app', members: { maintainer: 'maintainer', developer: 'developer' },
      commits: [{ sha: refs.commit, title: 'Count from zero', description: 'As arrays do.' }],
    }] } });
    await hook();
    const commit = `/projects/20/repository/commits/${refs.commit}`;
    await service.post(`${commit}/discussions`, { json: { body: 'C' } });
    await delivered(1);
    const whole = { title: 'Count from zero', message: 'Count from zero\n\nAs arrays do.' };
    expect(bot.received[0]!.body).toMatchObject({ commit: whole });
    expect((await service.get(commit)).body).toMatchObject(whole);
  });

  test('is delivered after an edit, but not when it is resolved or deleted, and not by the system', async () => {
    await hook();
    const { body: { id } } = await comment('One', '/projects/20/merge_requests/1/notes');
    const one = `/projects/20/merge_requests/1/notes/${id}`;
    await service.put(one, { json: { body: 'Two' } });
    await service.delete(one);
    await comment('Last');
    await delivered(3);
    expect(bot.received.map(({ body }) => body['object_attributes'])).toMatchObject([
      { action: 'create', note: 'One' }, { action: 'update', note: 'Two', updated_by_id: 4 }, { note: 'Last' },
    ]);
  });

  test('on a confidential issue is delivered as such, to webhooks that want it', async () => {
    await hook();
    await hook({ confidential_note_events: false });
    await comment('Psst', '/projects/20/issues/2/notes', 'maintainer');
    await comment('Loud');
    await delivered(3);
    expect(bot.received.map(({ headers }) => headers['x-gitlab-event'])).toEqual(['Confidential Note Hook', 'Note Hook', 'Note Hook']);
    expect(bot.received[0]!.body).toMatchObject({ event_type: 'confidential_note', object_kind: 'note' });
  });

  test('is delivered with its object as its quick actions left it', async () => {
    await service.close();
    service = await testService({ dialect: 'live' });
    await hook();
    await hook({ confidential_note_events: false });
    await comment('The password is hunter2\n/confidential\n/title Leak\n/close', '/projects/20/issues/1/notes', 'maintainer');
    await delivered(1);
    expect(bot.received[0]).toMatchObject({
      headers: { 'x-gitlab-event': 'Confidential Note Hook' },
      body: { event_type: 'confidential_note', issue: { confidential: true, title: 'Leak', state: 'closed' } },
    });
  });

  test('that is rejected is not delivered', async () => {
    await hook();
    expect((await comment('')).status).toBe(400);
    await comment('Good');
    await delivered(1);
    expect(bot.received.map(({ body }) => body['object_attributes'])).toMatchObject([{ note: 'Good' }]);
  });
});

test('older services deliver no edits and no action', async () => {
  await service.close();
  service = await testService({ dialect: 'live', serviceVersion: '16.10' });
  await hook();
  const { body: { id } } = await comment('One');
  await service.put(`/projects/20/issues/1/notes/${id}`, { json: { body: 'Two' } });
  await comment('Three');
  await delivered(2);
  expect(bot.received.map(({ body }) => (body['object_attributes'] as { note: string }).note)).toEqual(['One', 'Three']);
  expect(bot.received[0]!.body['object_attributes']).not.toHaveProperty('action');
  expect(bot.received[0]!.headers['user-agent']).toBe('GitLab/16.10');
});

test.each([['document', '13.12'], ['live', '16.11'], ['live', '18.0']] as const)(
  'edits in the dialect %s of version %s are delivered, with an action', async (dialect, serviceVersion) => {
    await service.close();
    service = await testService({ dialect, serviceVersion });
    await hook();
    const { body: { id } } = await comment('One');
    await service.put(`/projects/20/issues/1/notes/${id}`, { json: { body: 'Two' } });
    await delivered(2);
    expect(bot.received.map(({ body }) => body['object_attributes'])).toMatchObject([{ action: 'create' }, { action: 'update', note: 'Two' }]);
  });

test('deliveries are in the order of the notes, and each is listed with its response', async () => {
  await hook();
  respond = () => ({ status: 201, headers: { 'x-bot': '1' }, body: `got ${bot.received.length}` });
  for (const text of ['1', '2', '3', '4', '5']) await comment(text);
  const found = await delivered(5);
  expect(bot.received.map(({ body }) => (body['object_attributes'] as { note: string }).note)).toEqual(['1', '2', '3', '4', '5']);
  expect(found[1]).toMatchObject({
    id: 2, hook: 1, event: 'note', url: bot.url, status: 201, error: null, time: '2024-05-01T12:00:00.000Z',
    request: { headers: { 'X-Gitlab-Token': '[redacted]' }, body: { object_attributes: { note: '2' } } },
    response: { body: 'got 2', headers: { 'x-bot': '1' } },
  });
});

test('a test delivers the newest note or merge request', async () => {
  const id = await hook({ note_events: false });
  const { body } = await service.post(`/projects/20/hooks/${id}/test/note_events`, { as: 'maintainer' });
  expect(body).toEqual({ message: '201 Created' });
  await service.post(`/projects/20/hooks/${id}/test/merge_requests_events`, { as: 'maintainer' });
  await delivered(2);
  expect(bot.received[1]!.headers['x-gitlab-event']).toBe('Merge Request Hook');
  expect(bot.received[1]!.body).toMatchObject({
    object_kind: 'merge_request', event_type: 'merge_request', object_attributes: { action: 'open', state: 'opened' },
    labels: [], changes: {}, assignees: [], reviewers: [],
  });
  expect((await service.post(`/projects/20/hooks/${id}/test/push_events`, { as: 'maintainer' })).status).toBe(400);
});

test('a test in a project without notes gets 422', async () => {
  await service.close();
  service = await testService({ world: { ...acme, projects: [{ id: 20, path: 'acme/app', hooks: [{ url: bot.url }] }] } });
  const { status, body } = await service.post('/projects/20/hooks/1/test/note_events', { as: 'root' });
  expect([status, body]).toEqual([422, { message: 'Ensure the project has notes.' }]);
});

test('redirects are not followed', async () => {
  await hook();
  respond = () => ({ status: 307, headers: { location: `${bot.url}/elsewhere` } });
  await comment('Where');
  expect(await delivered(1)).toMatchObject([{ status: 307 }]);
  expect(bot.received).toHaveLength(1);
});

test('a webhook that fails four times in a row is paused, by the clock of the world', async () => {
  const id = await hook();
  respond = () => ({ status: 500 });
  for (let i = 0; i < 5; i++) await comment(`${i}`);
  const found = await delivered(5);
  expect(bot.received).toHaveLength(4);
  expect(found[4]).toMatchObject({ status: null, response: null, error: expect.stringContaining('paused until 2024-05-01T12:01:00.000Z') as unknown });
  const one = `/projects/20/hooks/${id}`;
  expect((await service.get(one, { as: 'maintainer' })).body)
    .toMatchObject({ alert_status: 'temporarily_disabled', disabled_until: '2024-05-01T12:01:00.000Z' });
  service.later(60_001);
  respond = () => ({});
  await comment('Back');
  expect((await delivered(6))[5]).toMatchObject({ status: 200 });
  expect((await service.get(one, { as: 'maintainer' })).body).toMatchObject({ alert_status: 'executable', disabled_until: null });
});

test('a receiver that is not there is reported as an error', async () => {
  await hook({ url: 'http://127.0.0.1:1/' });
  await comment('Anybody?');
  expect(await delivered(1)).toMatchObject([{ status: null, response: null, error: expect.stringContaining('ECONNREFUSED') as unknown }]);
});

test('a list that is read from memory is as new as the notes that a webhook was told of', async () => {
  await hook();
  const list = '/projects/20/issues/1/notes';
  let count = -1;
  for (const text of ['one', 'two', 'three']) {
    await service.get(list);
    await comment(text);
    await service.service.deliveries({ after: ++count, timeout: 40_000 });
    const told = bot.received.map(({ body }) => (body['object_attributes'] as { id: number }).id);
    const ids = (await service.get<Note[]>(list)).body.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(told));
  }
});

test('a long response is cut off', async () => {
  await hook();
  respond = () => ({ headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(1_000_000) });
  await comment('Tell me');
  const [{ response }] = await delivered(1) as [Awaited<ReturnType<typeof delivered>>[number]];
  expect(response!.body).toHaveLength(16_384);
});

describe('faults', () => {
  const notes = () => bot.received.map(({ body }) => (body['object_attributes'] as { note: string }).note);

  test('drop, repeat and reorder deliveries', async () => {
    await service.close();
    // What is held back for the next delivery waits for it, however long that takes.
    service = await testService({ sleep: sleeper().sleep });
    await hook();
    await service.faults(['hook note => drop times=1', 'hook note => repeat 3 times=1', 'hook note => reorder times=1']);
    for (const text of ['1', '2', '3', '4']) await comment(text);
    await delivered(6);
    expect(notes()).toEqual(['2', '2', '2', '4', '3']);
    expect(new Set(bot.received.slice(0, 3).map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(await service.service.deliveries({ status: null })).toMatchObject([{ error: 'dropped by a fault rule' }]);
    expect((await service.faults()).rules.map(({ hits }) => hits)).toEqual([1, 1, 1]);
  });

  test('delay deliveries by the sleep of the server, and keep the order', async () => {
    await service.close();
    const slept: number[] = [];
    service = await testService({ sleep: async (milliseconds) => { slept.push(milliseconds); } });
    await hook();
    await service.faults([{ on: 'hook *', do: 'delay 5000', body: 'slow' }]);
    await comment('slow one');
    await comment('fast');
    await delivered(2);
    expect([slept, notes()]).toEqual([[5_000], ['slow one', 'fast']]);
  });

  test('reorder the only delivery by sending it alone', async () => {
    await service.close();
    service = await testService({ sleep: async () => undefined });
    await hook();
    await service.faults(['hook note => reorder']);
    await comment('alone');
    await delivered(1);
    expect(notes()).toEqual(['alone']);
  });

  test('about requests do not concern webhooks, and the reverse', async () => {
    await hook();
    await service.faults(['hook note => drop', 'POST * => status 503 times=1']);
    expect((await comment('no')).status).toBe(503);
    expect((await comment('yes')).status).toBe(201);
    expect(await delivered(1)).toMatchObject([{ error: 'dropped by a fault rule' }]);
  });
});

describe('a reset', () => {
  test('drops pending deliveries and what was delivered, and removes the webhook', async () => {
    respond = () => 'nothing';
    await hook();
    await comment('one');
    await comment('two');
    await service.post('/-/reset');
    expect((await service.get('/-/hooks')).body).toEqual([]);
    expect((await service.get('/projects/20/hooks', { as: 'maintainer' })).body).toEqual([]);
    respond = () => ({});
    await hook();
    await comment('three');
    await delivered(1);
    expect(bot.received.map(({ body }) => (body['object_attributes'] as { note: string }).note)).not.toContain('two');
  });

  test('and worlds, snapshots and the world file include webhooks', async () => {
    await hook({ token: 'kept' });
    await service.service.snapshot('one');
    await service.post('/-/reset');
    await service.service.restore('one');
    const world = await service.service.world();
    expect(world.projects![0]!.hooks).toMatchObject([{ id: 1, url: bot.url, token: 'kept', events: ['note'], confidential_notes: true }]);
    await service.service.setWorld(world);
    await comment('After');
    await delivered(1);
    expect(bot.received[0]!.headers['x-gitlab-token']).toBe('kept');
    expect((await service.service.world()).projects![0]!.hooks).toEqual(world.projects![0]!.hooks);
  });
});

test('each world has its own webhooks and deliveries', async () => {
  await service.close();
  service = await testService({ world: { ...acme, projects: acme.projects!.map((one, i) => i === 0 ? { ...one, hooks: [{ url: bot.url }] } : one) } });
  await comment('in a world', '/w/one/api/v4/projects/20/issues/1/notes');
  const { body } = await service.get('/w/one/-/hooks?wait=40');
  expect(body).toMatchObject([{ id: 1, request: { headers: { 'X-Gitlab-Instance': 'http://service.test/w/one' } } }]);
  expect((await service.get('/-/hooks')).body).toEqual([]);
});

test('a close does not wait for a receiver', async () => {
  respond = () => 'nothing';
  await hook();
  await comment('Hello');
  await service.close();
  service = await testService();
});

test('no webhook reaches a control plane, whatever its address', async () => {
  const other = await started();
  const { port: otherPort } = new URL(other.url);
  const rows = [
    ['127.0.0.1', '/-/reset'], ['localhost', '/-/reset'], ['2130706433', '/-/reset'], ['[::ffff:127.0.0.1]', '/-/reset'], ['127.0.0.1.', '/-/reset'],
    ['127.0.0.1', '/x/../-/reset'], ['user:pass@127.0.0.1', '/-/push'], ['127.0.0.1', '/-/hooks/1/redeliver'], ['127.0.0.1', '/-/health'],
    ['127.0.0.1', '/w/one/-/reset'], ['127.0.0.1', '/w/one/-/snapshots/a'], [`127.0.0.1:${otherPort}`, '/-/reset'],
  ] as const;
  await everyRow(rows, ([host, path]) => host + path, async ([host, path]) => {
    const server = await started();
    const { port } = new URL(server.url);
    const api = (target: string, body: object, token: string) => server.fetch(new Request(`http://x/api/v4/projects/20/${target}`, {
      method: 'POST', headers: { 'private-token': token, 'content-type': 'application/json' }, body: JSON.stringify(body),
    }));
    const url = `http://${/:\d+$/.test(host) ? host : `${host}:${port}`}${path}`;
    expect((await api('hooks', { url, note_events: true }, 'maintainer-token')).status).toBe(201);
    expect((await api('issues/1/notes', { body: 'still here' }, 'developer-token')).status).toBe(201);
    expect(await server.deliveries({ timeout: 40_000 })).toMatchObject([{ status: 403 }]);
    expect(JSON.stringify(await server.world())).toContain('still here');
    expect(await server.worlds()).toEqual([]);
  });
});

test('a redirect of a webhook to the control plane is not followed', async () => {
  const server = await started();
  const [app, ...others] = acme.projects!;
  await server.setWorld({ ...acme, projects: [{ ...app, hooks: [{ url: bot.url }] }, ...others] });
  respond = () => ({ status: 308, headers: { location: `${server.url}/-/reset` } });
  await server.fetch(new Request('http://x/api/v4/projects/20/issues/1/notes', {
    method: 'POST', headers: { 'private-token': 'developer-token', 'content-type': 'application/json' }, body: '{"body":"still here"}',
  }));
  expect(await server.deliveries({ timeout: 40_000 })).toMatchObject([{ status: 308 }]);
  expect(JSON.stringify(await server.world())).toContain('still here');
});
