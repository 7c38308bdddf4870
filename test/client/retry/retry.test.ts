import { describe, expect, test } from 'vitest';
import { ConnectionError } from '../../../src/client/errors.js';
import type { ClientEvent } from '../../../src/client/events.js';
import { defaultRetry, noRetry, type RetryPolicy, withRetry } from '../../../src/client/retry.js';
import type { HttpResponse } from '../../../src/wire/http.js';
import { fakeTime } from '../support/fake-time.js';
import { json, request, scripted, text } from '../support/scripted.js';

const ok = json(200, {});
const lost = new ConnectionError('lost', 'GET /x', 'ECONNRESET', true);
const refused = new ConnectionError('refused', 'GET /x', 'ECONNREFUSED', false);
const untrusted = new ConnectionError('not trusted', 'GET /x', 'DEPTH_ZERO_SELF_SIGNED_CERT', false);
const gone = json(404, { message: '404 Not found' });
const limited = (after: string) => json(429, { message: 'slow down' }, { 'retry-after': after });

const tried = async (method: string, answers: (HttpResponse | Error)[], policy: RetryPolicy = defaultRetry) => {
  const time = fakeTime();
  const events: ClientEvent[] = [];
  const { transport, sent } = scripted(...answers);
  const outcome = await withRetry(transport, policy, time, (event) => events.push(event))(request(method, '/x?q=1'))
    .catch((error: unknown) => error);
  return { outcome, sent: sent.length, waits: time.waits, events };
};

describe('retries', () => {
  test.each(['GET', 'HEAD', 'PUT', 'DELETE'])('%s after a lost connection, 429, 502, 503 and 504', async (method) => {
    for (const failure of [lost, refused, ...[429, 502, 503, 504].map((status) => json(status, {}))]) {
      expect(await tried(method, [failure, ok])).toMatchObject({ outcome: ok, sent: 2 });
    }
  });

  test('an error tells how often the request was sent, and whether there was a response', async () => {
    const { outcome, sent } = await tried('GET', [json(503, {}), lost, lost, lost, lost, lost]);
    expect(outcome).toMatchObject({ message: 'GET /x: lost, after 6 attempts', code: 'ECONNRESET', attempts: 6, wasAnswered: true, cause: lost });
    expect(sent).toBe(6);
    expect((await tried('GET', [refused, refused, refused])).outcome)
      .toMatchObject({ message: 'GET /x: refused, after 3 attempts', attempts: 3, sent: false, wasAnswered: false });
    expect((await tried('GET', [lost], noRetry)).outcome).toBe(lost);
  });

  test('POST only if it was never sent, and on 429', async () => {
    for (const failure of [refused, json(429, {})]) {
      expect(await tried('POST', [failure, ok])).toMatchObject({ outcome: ok, sent: 2 });
    }
    for (const failure of [lost, ...[502, 503, 504].map((status) => json(status, {}))]) {
      expect(await tried('POST', [failure])).toMatchObject({ outcome: failure, sent: 1 });
    }
  });

  test('POST after a 503 with Retry-After and the message that nothing was stored', async () => {
    const message = '503 Service Unavailable - the disk of the database is full; nothing was stored';
    expect(await tried('POST', [json(503, { message }, { 'retry-after': '1' }), ok])).toMatchObject({ outcome: ok, sent: 2, waits: [1_000] });
    for (const failure of [json(503, { message }), json(503, { message: '503 Service Unavailable' }, { 'retry-after': '1' })]) {
      expect(await tried('POST', [failure])).toMatchObject({ outcome: failure, sent: 1 });
    }
  });

  test.each([200, 201, 204, 301, 400, 401, 403, 404, 409, 412, 422, 500, 501])('no response of status %i', async (status) => {
    expect(await tried('GET', [json(status, {})])).toMatchObject({ outcome: { status }, sent: 1 });
  });

  test.each([['GET', 2], ['PUT', 2], ['DELETE', 2], ['POST', 1]])('a 500 with serverErrors: %s', async (method, sent) => {
    const policy = { ...defaultRetry, serverErrors: true };
    expect(await tried(method, [json(500, {}), ok], policy)).toMatchObject({ sent });
  });

  test('a 500 to a request whose sender asks for it, without an event', async () => {
    const events: ClientEvent[] = [];
    const { transport, sent } = scripted(json(500, {}), lost, ok);
    const send = withRetry(transport, defaultRetry, fakeTime(), (event) => events.push(event));
    expect(await send(request('GET', '/x'), undefined, { serverErrors: true })).toEqual(ok);
    expect([sent.length, events.map((event) => event.type === 'retry' && event.reason)]).toEqual([3, ['ECONNRESET']]);
  });

  test('a DELETE that finds nothing after a 500 has succeeded', async () => {
    const gone = json(404, { message: '404 Not found' });
    expect(await tried('DELETE', [json(500, {}), gone], { ...defaultRetry, serverErrors: true }))
      .toMatchObject({ outcome: { status: 204 }, sent: 2 });
  });

  test('no request to a service with an untrusted certificate', async () => {
    expect(await tried('GET', [untrusted])).toMatchObject({ outcome: untrusted, sent: 1 });
  });

  test('no request that failed for another reason', async () => {
    expect(await tried('GET', [new TypeError('wrong')])).toMatchObject({ outcome: new TypeError('wrong'), sent: 1 });
  });

  test('nothing with noRetry', async () => {
    expect(await tried('GET', [json(503, {})], noRetry)).toMatchObject({ outcome: { status: 503 }, sent: 1, waits: [] });
  });
});

describe('the end of retries', () => {
  test('throws the last error after as many retries as the policy allows', async () => {
    const policy = { ...defaultRetry, retries: 2 };
    const last = json(503, { message: 'third' });
    expect(await tried('GET', [json(503, {}), json(503, {}), last], policy)).toMatchObject({ outcome: last, sent: 3 });
    expect(await tried('GET', [lost, refused, lost], policy)).toMatchObject({ outcome: { cause: lost }, sent: 3 });
  });

  test('comes sooner if the service was not reached at all', async () => {
    const patient = { ...defaultRetry, retries: 9, unreached: 1 };
    expect(await tried('POST', [refused, refused], patient)).toMatchObject({ outcome: { cause: refused }, sent: 2 });
    expect(await tried('GET', [refused], { ...patient, retries: 0 })).toMatchObject({ outcome: refused, sent: 1 });
  });

  test('returns the 429 if the wait would exceed the total', async () => {
    const policy = { ...defaultRetry, totalWait: 100_000 };
    expect(await tried('POST', [limited('60'), limited('60')], policy))
      .toMatchObject({ outcome: { status: 429 }, sent: 2, waits: [60_000] });
    expect(await tried('GET', [limited('101')], policy)).toMatchObject({ outcome: { status: 429 }, sent: 1, waits: [] });
  });

  test('an abort during a wait rejects with its reason', async () => {
    const controller = new AbortController();
    const time = { ...fakeTime(), sleep: () => Promise.reject(controller.signal.reason as Error) };
    controller.abort(new Error('enough'));
    const { transport, sent } = scripted(json(503, {}), ok);
    const call = withRetry(transport, defaultRetry, time, () => {})(request('GET', '/x'), controller.signal);
    await expect(call).rejects.toThrow('enough');
    expect(sent).toHaveLength(1);
  });

  test('the signal reaches every wait', async () => {
    const { signal } = new AbortController();
    const seen: (AbortSignal | undefined)[] = [];
    const time = { ...fakeTime(), sleep: (_: number, given?: AbortSignal) => { seen.push(given); return Promise.resolve(); } };
    await withRetry(scripted(json(503, {}), ok).transport, defaultRetry, time, () => {})(request('GET', '/x'), signal);
    expect(seen).toEqual([signal]);
  });
});

describe('a DELETE that finds nothing', () => {
  test.each([['a lost connection', lost], ['502', json(502, {})], ['503', json(503, {})], ['504', json(504, {})]])(
    'after %s has succeeded', async (_, failure) => {
      expect(await tried('DELETE', [failure, gone])).toMatchObject({ outcome: { status: 204, body: '' } });
    });

  test('has succeeded after a lost connection and a 429', async () => {
    expect(await tried('DELETE', [lost, json(429, {}), gone])).toMatchObject({ outcome: { status: 204 } });
  });

  test.each([['nothing else', []], ['429', [json(429, {})]], ['a refused connection', [refused]]])(
    'after %s has failed', async (_, before) => {
      expect(await tried('DELETE', [...before, gone])).toMatchObject({ outcome: gone });
    });

  test('has failed after a 503 that says that nothing was stored', async () => {
    const unchanged = json(503, { message: '503 Service Unavailable - the database is locked by another process; nothing was stored' });
    expect(await tried('DELETE', [unchanged, gone])).toMatchObject({ outcome: gone });
  });

  test('has failed if the route is unknown', async () => {
    const unknown = json(404, { error: '404 Not Found' });
    expect(await tried('DELETE', [lost, unknown])).toMatchObject({ outcome: unknown });
  });

  test('is an error for other methods', async () => {
    expect(await tried('PUT', [lost, gone])).toMatchObject({ outcome: gone });
  });
});

test('an observer receives the reason and the wait of each retry, without the query', async () => {
  const { events } = await tried('GET', [text(429, 'text/plain', 'Retry later\n', { 'retry-after': '2' }), refused, ok]);
  expect(events).toEqual([
    { type: 'retry', request: 'GET /x', attempt: 2, attempts: 6, wait: 2000, reason: 'status 429' },
    { type: 'retry', request: 'GET /x', attempt: 3, attempts: 3, wait: expect.any(Number) as number, reason: 'ECONNREFUSED' },
  ]);
});
