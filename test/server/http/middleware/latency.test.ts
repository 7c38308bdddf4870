import { setTimeout as timeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { withLatency } from '../../../../src/server/http/middleware.js';
import { openService, startServer } from '../../../../src/server/index.js';
import { sleeper } from '../../../support/sleeper.js';

const token = { 'private-token': 'root-token' };

describe('latency', () => {
  it('delays an API request before it is handled', async () => {
    const { sleeping, sleep } = sleeper();
    const handled: string[] = [];
    const handle = withLatency(async ({ target }) => {
      handled.push(target);
      return { status: 200, headers: {}, body: '' };
    }, 250, (milliseconds) => sleep(milliseconds).then(() => null));
    const response = handle({ method: 'GET', target: '/api/v4/version', headers: {} });
    expect(sleeping.map(({ milliseconds }) => milliseconds)).toEqual([250]);
    expect(handled).toEqual([]);
    sleeping[0]!.wake();
    expect(await response).toMatchObject({ status: 200 });
    expect(handled).toEqual(['/api/v4/version']);
  });

  it('is an option of the service, which delays every API request', async () => {
    const { sleeping, sleep } = sleeper();
    const service = await openService({ latency: 1000, sleep });
    const response = service.handle({ method: 'GET', target: '/api/v4/version', headers: token });
    expect(sleeping.map(({ milliseconds }) => milliseconds)).toEqual([1000]);
    sleeping[0]!.wake();
    expect(await response).toMatchObject({ status: 200 });
    await service.close();
  });

  it('ends when a server is closed, which still responds to the delayed request', async () => {
    let begin = () => undefined as void;
    const begun = new Promise<void>((resolve) => { begin = resolve; });
    const server = await startServer({ latency: 600_000, sleep: (milliseconds, signal) => {
      begin();
      return timeout(milliseconds, undefined, signal && { signal });
    } });
    const response = fetch(`${server.url}/api/v4/version`, { headers: token });
    await begun;
    await server.close();
    expect((await response).status).toBe(200);
  }, 5_000);

  it.each([
    ['a reset', 'POST', '/-/reset'], ['another world', 'PUT', '/-/world'],
  ])('ends with %s, which closes the connection of the delayed request and stores nothing of it', async (_, method, target) => {
    const { sleeping, sleep } = sleeper();
    const seen: string[] = [];
    const service = await openService({ latency: 1000, sleep, onRequest: ({ id, status }) => { seen.push(`${status} ${id.length}`); } });
    const path = '/api/v4/projects/acme%2Fapp/issues/7/notes';
    const send = (given: object) => service.handle({ method: 'POST', target: path, headers: { ...token, 'content-type': 'application/json' }, ...given });
    const response = expect(send({ body: '{"body":"needle"}' })).rejects.toMatchObject({ code: 'ECONNRESET' });
    await service.handle({ method, target, headers: { ...token, 'content-type': 'application/json' }, body: method === 'PUT' ? '{}' : '' });
    await response;
    expect([await service.requests(), seen]).toEqual([[], ['0 32']]);
    const list = send({ method: 'GET' });
    sleeping.at(-1)!.wake();
    expect(String((await list).body)).not.toContain('needle');
    await service.close();
  });

  it('does not delay the control plane', async () => {
    const { sleeping, sleep } = sleeper();
    const service = await openService({ latency: 1000, sleep });
    expect(await service.handle({ method: 'GET', target: '/-/health', headers: {} })).toMatchObject({ status: 200 });
    expect(sleeping).toEqual([]);
    await service.close();
  });
});
