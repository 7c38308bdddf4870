import { describe, expect, it, onTestFinished } from 'vitest';
import { startServer, type RunningServer } from '../../../../../src/server/index.js';

const served = async (): Promise<RunningServer> => {
  const server = await startServer();
  onTestFinished(() => server.close());
  return server;
};

/** The events of a server, until the test ends. */
const listening = async (server: RunningServer, send: typeof fetch = fetch) => {
  const leaving = new AbortController();
  onTestFinished(() => { leaving.abort(); });
  const [address, token] = server.inspectorUrl.split('#');
  const response = await send(new Request(`${address}inspector/live`, { headers: { authorization: `Bearer ${token}` }, signal: leaving.signal }));
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(text)) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`it ended: ${text}`);
      text += value;
    }
    return text;
  };
  await until(/connected/);
  return { until, rest: () => reader.read(), leave: () => { leaving.abort(); } };
};

const get = (server: RunningServer, path: string) => fetch(`${server.url}/api/v4${path}`, { headers: { 'private-token': server.tokens['ada']! } });

describe('live events', () => {
  it('are the requests as they come', async () => {
    const server = await served();
    const { until } = await listening(server);
    await get(server, '/user?first=1');
    expect(await until(/first=1/)).toContain('event: requests');
    await Promise.all(Array.from({ length: 20 }, (_, at) => get(server, `/user?number=${at}.`)));
    for (let at = 0; at < 20; at++) expect((await until(new RegExp(`number=${at}\\.`))).split(`>/api/v4/user?number=${at}.<`)).toHaveLength(2);
  });

  it('tell of a reset, and of what no request shows', async () => {
    const server = await served();
    const { until } = await listening(server);
    await server.faults(['* => latency 1']);
    await until(/event: changed/);
    await get(server, '/user');
    await until(/event: requests/);
    await server.reset();
    await until(/event: reset/);
  });

  it('end with the server, which does not wait for them', async () => {
    const server = await startServer();
    const { rest } = await listening(server);
    await server.close();
    expect((await rest()).done).toBe(true);
  });

  it('take no memory once the page is closed', async () => {
    const server = await served();
    for (let at = 0; at < 150; at++) (await listening(server)).leave();
    await get(server, '/user');
    const { until } = await listening(server);
    await get(server, '/user?after=1');
    await until(/after=1/);
  });

  it('can be read from a server without a socket', async () => {
    const server = await served();
    const { until } = await listening(server, ((request: Request) => server.fetch(request)) as typeof fetch);
    await get(server, '/user?inside=1');
    await until(/inside=1/);
  });

  it('have no body for HEAD', async () => {
    const server = await served();
    const [address, token] = server.inspectorUrl.split('#');
    const { status, body } = await fetch(`${address}inspector/live`, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } });
    expect([status, body]).toEqual([200, null]);
  });
});
