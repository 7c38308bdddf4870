import { describe, expect, it } from 'vitest';
import { isStored, issue, note, under } from '../../support/faults.js';
import { sleeper } from '../../support/sleeper.js';

describe('a fault in place of the response', () => {
  it.each([['status 503', false], ['status 503 before', false], ['status 503 after', true]])(
    '%s responds with the status; the change is stored: %s', async (action, stored) => {
      const service = await under(`* => ${action}`);
      const { status, body, headers } = await service.post(issue, note);
      expect({ status, body }).toEqual({ status: 503, body: { message: '503 Service Unavailable' } });
      expect(headers['x-request-id']).toBeDefined();
      expect(await isStored(service)).toBe(stored);
    });

  it.each([['reset', false], ['reset after', true]])('%s fails as a closed connection; the change is stored: %s', async (action, stored) => {
    const service = await under(`* => ${action}`);
    await expect(service.post(issue, note)).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await isStored(service)).toBe(stored);
  });

  it.each([['stall 700', false], ['stall 700 after', true]])('%s is silent, then closes the connection; the change is stored: %s', async (action, stored) => {
    const { sleeping, sleep } = sleeper();
    const service = await under(`* => ${action}`, { sleep });
    const response = service.post(issue, note);
    await expect.poll(() => sleeping.map(({ milliseconds }) => milliseconds)).toEqual([700]);
    sleeping[0]!.wake();
    await expect(response).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await isStored(service)).toBe(stored);
  });

  it('rate-limit responds like the real service, and stores nothing', async () => {
    const service = await under('* => rate-limit 30', { now: '2024-05-01T12:00:00Z' });
    const { status, headers, text } = await service.post(issue, note);
    expect({ status, text }).toEqual({ status: 429, text: 'Retry later\n' });
    expect(headers).toMatchObject({
      'retry-after': '30', 'ratelimit-remaining': '0', 'ratelimit-name': 'throttle_authenticated_api',
      'ratelimit-reset': String(Date.parse('2024-05-01T12:00:30Z') / 1000), 'ratelimit-resettime': 'Wed, 01 May 2024 12:00:30 GMT',
    });
    expect(await isStored(service)).toBe(false);
  });

  it.each([['html', 502, 'Bad Gateway'], ['html 503', 503, 'Service Unavailable']])('%s responds with the page of a proxy', async (action, status, reason) => {
    const service = await under(`* => ${action}`);
    const got = await service.post(issue, note);
    expect(got).toMatchObject({ status, headers: { 'content-type': 'text/html' } });
    expect(got.text).toContain(`<h1>${status} ${reason}</h1>`);
    expect(await isStored(service)).toBe(false);
  });
});

describe('a fault of the right response', () => {
  it.each([['250', 250, 250], ['100..200', 100, 200]])('latency %s delays it', async (range, from, to) => {
    const { sleeping, sleep } = sleeper();
    const service = await under(`* => latency ${range}`, { sleep });
    const response = service.post(issue, note);
    await expect.poll(() => sleeping.length).toBe(1);
    expect(sleeping[0]!.milliseconds).toBeGreaterThanOrEqual(from);
    expect(sleeping[0]!.milliseconds).toBeLessThanOrEqual(to);
    sleeping[0]!.wake();
    expect((await response).status).toBe(201);
  });

  it('truncate fails after the change was stored', async () => {
    const service = await under('* => truncate');
    await expect(service.post(issue, note)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(await isStored(service)).toBe(true);
  });

  it('truncate closes the connection if there is no body', async () => {
    const { call } = await under('* => truncate');
    await expect(call('HEAD', '/user')).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('garble makes the JSON invalid after the change was stored', async () => {
    const service = await under('* => garble');
    const { status, headers, body } = await service.handle({
      method: 'POST', target: `/api/v4${issue}`, headers: { 'private-token': 'developer-token', 'content-type': 'application/json' },
      body: JSON.stringify(note.json),
    });
    expect({ status, type: headers['content-type'] }).toEqual({ status: 201, type: 'application/json' });
    expect(() => { JSON.parse(String(body)); }).toThrow();
    expect(await isStored(service)).toBe(true);
  });

  it('garble also makes an empty list invalid', async () => {
    const { handle } = await under('* => garble');
    const { status, body } = await handle({
      method: 'GET', target: '/api/v4/projects/20/issues/1/notes?page=99', headers: { 'private-token': 'developer-token' } });
    expect(status).toBe(200);
    expect(String(body)).toBe('[\0');
  });

  it('dribble takes as long in the same process as on a connection', async () => {
    const { sleeping, sleep } = sleeper();
    const { get } = await under('* => dribble 10', { sleep });
    const response = get('/user');
    await expect.poll(() => sleeping.length).toBe(1);
    sleeping[0]!.wake();
    expect(sleeping[0]!.milliseconds).toBe(10 * (Math.ceil((await response).text.length / 16) - 1));
  });
});
