import { afterEach, beforeEach, expect, test } from 'vitest';
import { receiver, type Receiver } from '../../../support/receiver.js';
import { testService, type TestService } from '../../../support/service.js';

let service: TestService;
let bot: Receiver;
beforeEach(async () => {
  bot = await receiver();
  service = await testService();
  await service.post('/projects/20/hooks', { as: 'maintainer', json: { url: bot.url, note_events: true } });
  await service.post('/projects/20/issues/1/notes', { json: { body: 'One' } });
  await service.service.deliveries({ timeout: 40_000 });
});
afterEach(async () => {
  await service.close();
  await bot.close();
});

test('deliveries are selected by webhook, event, status and id', async () => {
  expect((await service.get('/-/hooks?hook=1&event=note&status=200&after=0')).body).toMatchObject([{ id: 1, hook: 1 }]);
  for (const query of ['hook=2', 'event=merge_request', 'status=500', 'status=null', 'after=1']) {
    expect((await service.get(`/-/hooks?${query}`)).body, query).toEqual([]);
  }
});

test.each([
  'nonsense=1', 'event=push', 'hook=x', 'hook=', 'hook=1e0', 'status=', 'status=0x0', 'after=1.5', 'wait=-1', 'wait=',
])('an invalid query is rejected: %s', async (query) => {
  expect((await service.get(`/-/hooks?${query}`)).status).toBe(400);
});

test('a delivery can be sent again, with the same key', async () => {
  const { status, body } = await service.post('/-/hooks/1/redeliver');
  expect([status, body]).toMatchObject([200, { id: 2, status: 200 }]);
  const [first, second] = bot.received;
  expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
  expect(second!.body).toEqual(first!.body);
});

test.each(['/-/hooks/77/redeliver', '/-/hooks/1/forget', '/-/hooks/x/redeliver'])('%s is not found', async (path) => {
  expect((await service.post(path)).status).toBe(404);
});
