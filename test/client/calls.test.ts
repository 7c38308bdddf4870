import { describe, expect, test } from 'vitest';
import { createCall, routeKey, withKnownPath } from '../../src/client/calls.js';
import { contract } from '../../src/contract/contract.js';
import type { HttpResponse } from '../../src/wire/http.js';
import { json, scripted, text } from './support/scripted.js';

const endpoint = contract.discussions.commit.list;
const [documented, live] = endpoint.paths as unknown as [string, string];
const unknown = json(404, { error: '404 Not Found' });
const ok = json(200, []);

const service = (answers: Record<string, HttpResponse>) => {
  const sent: string[] = [];
  const send = (path: string) => {
    sent.push(path);
    return Promise.resolve({ response: answers[path]! });
  };
  return { send, sent };
};

describe('an endpoint with several paths', () => {
  test('uses the first path if the service knows it', async () => {
    const { send, sent } = service({ [documented]: ok });
    const routes = new Map<string, string>();
    expect((await withKnownPath(endpoint, 'https://host', routes, send)).response).toBe(ok);
    expect(sent).toEqual([documented]);
    expect(routes.size).toBe(0);
  });

  test('uses the next path if the first is unknown, and uses it directly from then on', async () => {
    const { send, sent } = service({ [documented]: unknown, [live]: ok });
    const routes = new Map<string, string>();
    await withKnownPath(endpoint, 'https://host', routes, send);
    await withKnownPath(endpoint, 'https://host', routes, send);
    expect(sent).toEqual([documented, live, live]);
    expect([...routes]).toEqual([[`https://host GET ${documented}`, live]]);
  });

  test('is remembered for each service and each endpoint', async () => {
    const { send, sent } = service({ [documented]: unknown, [live]: ok });
    const routes = new Map([[routeKey('https://host', endpoint), live]]);
    await withKnownPath(endpoint, 'https://other', routes, send);
    expect(sent).toEqual([documented, live]);
    expect(routeKey('https://host', contract.discussions.commit.get)).not.toBe(routeKey('https://host', endpoint));
  });

  test('tries all paths again if the remembered one is unknown', async () => {
    const { send, sent } = service({ [documented]: ok, [live]: unknown });
    const routes = new Map([[routeKey('https://host', endpoint), live]]);
    expect((await withKnownPath(endpoint, 'https://host', routes, send)).response).toBe(ok);
    expect(sent).toEqual([live, documented]);
    expect(routes.get(routeKey('https://host', endpoint))).toBe(documented);
  });

  test('ignores a remembered path of another endpoint', async () => {
    const { send, sent } = service({ [documented]: ok });
    await withKnownPath(endpoint, 'https://host', new Map([[routeKey('https://host', endpoint), '/elsewhere']]), send);
    expect(sent).toEqual([documented]);
  });

  test('returns the first error if all are unknown, and remembers nothing', async () => {
    const routes = new Map<string, string>();
    const { send } = service({ [documented]: unknown, [live]: text(404, 'text/html', '<h1>?</h1>') });
    expect((await withKnownPath(endpoint, 'https://host', routes, send)).response).toBe(unknown);
    expect(routes.size).toBe(0);
  });

  test.each([
    json(404, { message: '404 Commit Not Found' }), json(403, { error: '403' }), json(500, {}),
  ])('treats no other error as an unknown path: $status', async (refusal) => {
    const { send, sent } = service({ [documented]: refusal });
    expect((await withKnownPath(endpoint, 'https://host', new Map(), send)).response).toBe(refusal);
    expect(sent).toHaveLength(1);
  });

  test('uses the other path if it reports a missing object', async () => {
    const missing = json(404, { message: '404 Commit Not Found' });
    const { send } = service({ [documented]: unknown, [live]: missing });
    const routes = new Map<string, string>();
    expect((await withKnownPath(endpoint, 'https://host', routes, send)).response).toBe(missing);
    expect(routes.size).toBe(1);
  });
});

test('an endpoint with one path always uses it', async () => {
  const { send, sent } = service({ '/application/appearance': unknown });
  expect((await withKnownPath(contract.appearance.get, 'https://host', new Map(), send)).response).toBe(unknown);
  expect(sent).toHaveLength(1);
});

describe('a call', () => {
  const callOver = (...responses: HttpResponse[]) => {
    const { transport, sent } = scripted(...responses);
    return { call: createCall(transport, { url: 'https://host/gitlab/api/v4' }), sent };
  };

  test('does not read its response before it is asked to', async () => {
    const { call } = callOver(json(500, { message: 'broken' }));
    const result = await call(contract.appearance.get, {});
    expect(result.exchange.response.status).toBe(500);
    expect(() => result.read()).toThrow('500 broken');
  });

  test('names the address of the API, with its path, for a page of HTML', async () => {
    const { call } = callOver(text(200, 'text/html', '<h1>'));
    const { read } = await call(contract.appearance.get, {});
    expect(read).toThrow('is https://host/gitlab/api/v4 the address of the API?');
  });

  test('passes on how the caller handles a 429', async () => {
    const seen: (boolean | undefined)[] = [];
    const call = createCall(async (_request, _signal, handling) => {
      seen.push(handling?.returns429);
      return json(200, {});
    }, { url: 'https://host' });
    await call(contract.appearance.get, {}, undefined, { returns429: true });
    await call(contract.appearance.get, {});
    expect(seen).toEqual([true, undefined]);
  });

  test('has the items of a list as received, unless the first is not one of the API', async () => {
    const { call } = callOver(json(200, [{ id: 'a', notes: [] }]), json(200, ['a']), json(200, {}));
    const params = { id: 1, noteable_id: 7 };
    const raw = async () => (await call(contract.discussions.issue.list, params)).raw();
    expect((await raw())?.length).toBe(1);
    expect(await raw()).toBeNull();
    expect(await raw()).toBeNull();
  });
});
