import { afterEach, beforeEach, expect, test } from 'vitest';
import { developer, lookupWorld } from '../../../support/lookups.js';
import { testService, type TestService } from '../../../support/service.js';

let service: TestService;
beforeEach(async () => { service = await testService({ world: lookupWorld }); });
afterEach(() => service.close());

test('the live dialect shows what the live service shows', async () => {
  await service.close();
  service = await testService({ dialect: 'live' });
  expect((await service.get('/user')).body).toEqual({ ...developer, locked: false });
  expect((await service.get('/groups/acme/epics/1')).body).toMatchObject({
    description: null, parent_iid: null, references: { short: '&1', relative: '&1', full: 'acme&1' }, closed_at: null,
  });
  expect((await service.get('/projects/20/merge_requests/1')).body).toMatchObject({ author: { locked: false } });
});
