import { expect, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { ConnectionError } from '../../src/client/errors.js';
import { withEvents } from '../../src/client/create-transport.js';
import type { ClientEvent } from '../../src/client/events.js';
import { fakeTime } from './support/fake-time.js';
import { json, request, scripted } from './support/scripted.js';

test('a request and its response are reported with status, duration and request id', async () => {
  const events: ClientEvent[] = [];
  let now = 1000;
  const transport = () => { now += 42; return Promise.resolve(json(404, {}, { 'x-request-id': 'r1' })); };
  await withEvents(transport, (event) => events.push(event), () => now)(request('GET', '/x?q=1'));
  expect(events).toEqual([
    { type: 'request', request: 'GET /x' },
    { type: 'response', request: 'GET /x', status: 404, ms: 42, id: 'r1' },
  ]);
});

test('every attempt and redirect is reported, without the token, the body and the query', async () => {
  const events: ClientEvent[] = [];
  const { transport } = scripted(
    new ConnectionError('refused', 'POST', 'ECONNREFUSED', false), json(429, {}),
    { status: 307, headers: { location: '/api/v4/projects/1/issues/7/discussions?moved=secret' }, body: '' },
    json(201, { id: 'a', individual_note: false, notes: [] }));
  const client = createClient({
    url: 'http://service.test', token: 'secret-token', transport, time: fakeTime(), onEvent: (event) => events.push(event),
    encoding: 'query',
  });
  await client.discussions.issue.create({ id: 1, noteable_id: 7, body: 'secret words' });
  expect(events.map((event) => event.type)).toEqual([
    'request', 'retry', 'request', 'response', 'retry', 'request', 'response', 'request', 'response',
  ]);
  expect(JSON.stringify(events)).not.toContain('secret');
});
