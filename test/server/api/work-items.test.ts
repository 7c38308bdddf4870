import { expect, test } from 'vitest';
import { everyRow } from '../../support/rows.js';
import { testService, type Sent } from '../../support/service.js';

const item = '/projects/20/-/work_items/1';

const off = [403, { message: '403 Forbidden - work_item_rest_api feature flag is disabled for this user' }];
const hidden = [404, { message: '404 Not Found' }];
const unknown = [404, { error: '404 Not Found' }];
const notListed = [501, { message: '501 Not Implemented - this test server does not list work items; the service does' }];
const missing = [404, { message: '404 Work Item Not Found' }];

/** What each version responds, in the order of `versions`. */
const versions = ['18.8', '18.9', '19.1', '19.2', '19.3', '19.4', '19.5'];
const rows: readonly (readonly [method: string, path: string, responses: readonly unknown[]])[] = [
  ['GET', '/projects/20/-/work_items', [unknown, off, off, notListed, notListed, notListed, notListed]],
  ['POST', '/projects/20/-/work_items', [unknown, off, off, off, off, hidden, hidden]],
  ['GET', item, [unknown, off, off, off, off, hidden, hidden]],
  ['GET', '/projects/acme/app/-/work_items/abc', [unknown, off, off, off, off, hidden, hidden]],
  ['PATCH', '/projects/acme%2Fapp/-/work_items/1', [unknown, off, off, off, off, hidden, hidden]],
  ['DELETE', '/groups/acme/-/work_items/1', [unknown, off, off, off, off, hidden, hidden]],
  ['GET', '/namespaces/acme/app/-/work_items/1', [unknown, off, off, off, off, hidden, hidden]],
  ['GET', '/projects/999/-/work_items/1', [unknown, off, off, off, off, hidden, hidden]],
  ['PUT', item, [unknown, unknown, unknown, unknown, unknown, unknown, unknown]],
  ['GET', `${item}/discussions`, [unknown, unknown, unknown, off, off, hidden, hidden]],
  ['GET', `${item}/children`, [unknown, unknown, unknown, off, off, hidden, hidden]],
  ['PUT', `${item}/children/2`, [unknown, unknown, unknown, unknown, off, hidden, hidden]],
  ['GET', `${item}/notes`, [unknown, unknown, unknown, off, off, hidden, hidden]],
  ['GET', '/projects/20/-/work_items/99/notes', [unknown, unknown, unknown, missing, missing, missing, missing]],
  ['POST', `${item}/notes`, [unknown, unknown, unknown, unknown, unknown, hidden, hidden]],
  ['PUT', `${item}/discussions/1/notes/1`, [unknown, unknown, unknown, unknown, unknown, unknown, hidden]],
];

test('the routes of work items respond as where they are off, from the version that has them', async () => {
  for (const [at, serviceVersion] of versions.entries()) {
    const service = await testService({ serviceVersion });
    await everyRow(rows, ([method, path]) => `${method} ${path} of ${serviceVersion}`, async ([method, path, responses]) => {
      const { status, body } = await service.call(method, path);
      expect([status, body]).toEqual(responses[at]);
    });
    await service.close();
  }
});

test('a caller without a token learns nothing but that the list needs none', async () => {
  const service = await testService();
  for (const path of [item, `${item}/notes`, '/projects/20/-/work_items/99/notes']) {
    expect(await service.get(path, { as: null })).toMatchObject({ status: 401, body: { message: '401 Unauthorized' } });
  }
  expect(await service.get('/projects/20/-/work_items', { as: null })).toMatchObject({ status: 501 });
  await service.close();
});

test('the item of notes is looked for where the caller can see it', async () => {
  const service = await testService();
  const notes: [string, Sent, unknown][] = [
    ['/groups/acme/-/work_items/1/notes', {}, hidden], ['/groups/acme/-/work_items/2/notes', { as: 'guest' }, missing],
    ['/projects/20/-/work_items/2/notes', { as: 'owner' }, hidden], ['/projects/20/-/work_items/3/notes', { as: 'outsider' },
      [404, { message: '404 Project Not Found' }]],
    ['/groups/nothing/-/work_items/1/notes', {}, [404, { message: '404 Group Not Found' }]],
    ['/namespaces/acme/-/work_items/1/notes', {}, hidden], ['/namespaces/10/-/work_items/1/notes', {}, [404, { message: '404 Namespace Not Found' }]],
    ['/namespaces/open/site/-/work_items/1/notes', {}, [404, { message: '404 Namespace Not Found' }]],
    ['/projects/20/-/work_items/x/notes', {}, [400, { error: 'work_item_iid is invalid' }]],
  ];
  await everyRow(notes, ([path]) => path, async ([path, sent, response]) => {
    const { status, body } = await service.get(path, sent);
    expect([status, body]).toEqual(response);
  });
  await service.close();
});
