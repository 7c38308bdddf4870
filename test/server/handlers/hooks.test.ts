import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Hook } from '../../../src/contract/hooks.js';
import { testService, type TestService } from '../../support/service.js';

const url = 'http://127.0.0.1:9/hook';
const path = '/projects/20/hooks';

let service: TestService;
beforeEach(async () => { service = await testService(); });
afterEach(() => service.close());

const add = (json: object = {}, as = 'maintainer') => service.post<Hook>(path, { as, json: { url, ...json } });

test('a maintainer adds, lists, changes and deletes a webhook', async () => {
  const { status, body } = await add({ note_events: true, token: 'a secret' });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: 1, url, project_id: 20, created_at: '2024-05-01T12:00:00.000Z', note_events: true, confidential_note_events: true,
    merge_requests_events: false, issues_events: false, confidential_issues_events: false, enable_ssl_verification: true,
    alert_status: 'executable', disabled_until: null,
  });
  expect((await service.get(path, { as: 'maintainer' })).body).toEqual([body]);
  const changed = await service.put<Hook>(`${path}/1`, { as: 'owner', json: { note_events: false, url: `${url}2` } });
  expect(changed.body).toEqual({ ...body, note_events: false, url: `${url}2` });
  expect((await service.get(`${path}/1`, { as: 'root' })).body).toEqual(changed.body);
  expect((await service.delete(`${path}/1`, { as: 'maintainer' })).status).toBe(204);
  expect((await service.get(`${path}/1`, { as: 'maintainer' })).status).toBe(404);
});

test('hooks are listed in pages', async () => {
  for (let i = 0; i < 3; i++) await add();
  const { body, headers } = await service.get<Hook[]>(`${path}?per_page=2&page=2`, { as: 'maintainer' });
  expect(body.map(({ id }) => id)).toEqual([3]);
  expect(headers).toMatchObject({ 'x-total': '3', 'x-total-pages': '2' });
});

test('members below maintainer get 403, others 404', async () => {
  await add();
  for (const as of ['developer', 'reporter', 'guest']) {
    expect((await add({}, as)).status, as).toBe(403);
    for (const target of [path, `${path}/1`, `${path}/7`]) expect((await service.get(target, { as })).status, as).toBe(403);
    expect((await service.delete(`${path}/1`, { as })).status, as).toBe(403);
    expect((await service.post(`${path}/1/test/note_events`, { as })).status, as).toBe(403);
  }
  expect((await add({}, 'outsider')).body).toEqual({ message: '404 Project Not Found' });
  expect((await service.get(path, { as: null })).status).toBe(401);
});

test('a webhook of another project is not found', async () => {
  await add();
  expect((await service.get('/projects/21/hooks/1', { as: 'root' })).body).toEqual({ message: '404 Not found' });
});

test.each(['http://example.com/', 'http://10.0.0.1/', 'http://localhost.example.com', 'http://[::2]/', 'http://0.0.0.0/'])(
  '%s is not a loopback address: 400', async (address) => {
    const { status, text } = await add({ url: address });
    expect([status, text]).toEqual([400, expect.stringContaining('is not a loopback address')]);
  });

test.each(['', 'nonsense', 'ftp://127.0.0.1/', 'file:///etc/passwd', `http://127.0.0.1/${'x'.repeat(3_000)}`])(
  'an invalid address gets 400 (%#)', async (address) => {
    expect((await add({ url: address })).status).toBe(400);
  });

test.each(['http://127.0.0.1:1/', 'http://localhost/', 'http://[::1]:8080/x', 'https://bot.localhost/'])(
  '%s is accepted', async (address) => { expect((await add({ url: address })).status).toBe(201); });

test('an allowed host is accepted, and a change of the address is checked too', async () => {
  await using allowing = await withClose({ allowHooksTo: ['bot.example.com'] });
  const created = await allowing.post(path, { as: 'maintainer', json: { url: 'https://bot.example.com/hook' } });
  expect(created.status).toBe(201);
  const moved = await allowing.put(`${path}/1`, { as: 'maintainer', json: { url: 'http://other.example.com/' } });
  expect(moved.status).toBe(400);
});

const withClose = async (options: object) => {
  const opened = await testService(options);
  return Object.assign(opened, { [Symbol.asyncDispose]: () => opened.close() });
};

test('the secret is in no response and no log', async () => {
  const secret = 'very-secret-17';
  const created = await add({ token: secret, note_events: true });
  const changed = await service.put(`${path}/1`, { as: 'maintainer', form: { token: secret } });
  const listed = await service.get(path, { as: 'maintainer' });
  expect([created, changed, listed].map(({ text }) => text).join()).not.toContain(secret);
  await service.post('/projects/20/issues/1/notes', { json: { body: 'Hello' } });
  await service.service.deliveries({ timeout: 40_000 });
  const logs = [await service.service.requests(), await service.service.deliveries()];
  expect(JSON.stringify(logs)).not.toContain(secret);
});
