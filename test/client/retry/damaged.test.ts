import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { ResponseError } from '../../../src/client/errors.js';
import type { ClientEvent } from '../../../src/client/events.js';
import { defaultRetry, type RetryPolicy } from '../../../src/client/retry.js';
import { realTime } from '../../../src/wire/time.js';
import type { HttpResponse } from '../../../src/wire/http.js';
import { testService } from '../../support/service.js';

const json = { 'content-type': 'application/json' };
const damages: Record<string, HttpResponse> = {
  'text that is not JSON': { status: 200, headers: json, body: '{"id":4\u0000' },
  'an HTML page': { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' },
  'no body': { status: 200, headers: json, body: '' },
  'another value': { status: 200, headers: json, body: '"error"' },
};

const policy: RetryPolicy = { ...defaultRetry, retries: 4, unreached: 2, serverErrors: true };

/** A client whose responses are damaged, except for the first valid ones and after so many damaged ones. */
const clientWith = async (damage: HttpResponse, { valid = 0, damaged = Infinity, retry = policy } = {}) => {
  const service = await testService();
  const events: ClientEvent[] = [];
  let [sent, left] = [0, damaged];
  const client = createClient({
    url: 'http://test', token: 'owner-token', retry, onEvent: (event) => events.push(event),
    time: { ...realTime, sleep: async () => undefined },
    transport: async (request) => {
      const response = await service.handle(request);
      return ++sent > valid && left-- > 0 ? damage : response;
    },
  });
  return { client, sent: () => sent, retries: () => events.filter(({ type }) => type === 'retry') };
};

const issue = { id: 'acme/app', noteable_id: 1 };

describe.each(Object.entries(damages))('with server errors repeated, %s', (_, damage) => {
  it('is repeated for a read', async () => {
    const { client, sent, retries } = await clientWith(damage, { damaged: 2 });
    expect(await client.lookups.user({})).toMatchObject({ username: 'owner' });
    expect(sent()).toBe(3);
    expect(retries()).toMatchObject([{ attempt: 2, reason: 'damaged response' }, { attempt: 3 }]);
  });

  it('is repeated for a page of a list, parsed or not', async () => {
    const { client } = await clientWith(damage, { damaged: 2 });
    expect((await client.notes.issue.list(issue).all()).length).toBeGreaterThan(0);
    const { client: other } = await clientWith(damage, { damaged: 2 });
    for await (const { items } of other.notes.issue.list(issue).rawPages()) expect(items.length).toBeGreaterThan(0);
  });

  it('is repeated less often before the first valid response, which shows that the address is right', async () => {
    const wrong = await clientWith(damage);
    await expect(wrong.client.lookups.user({})).rejects.toThrow(ResponseError);
    expect(wrong.sent()).toBe(3);
    const right = await clientWith(damage, { valid: 1 });
    await right.client.lookups.user({});
    await expect(right.client.lookups.user({})).rejects.toThrow(ResponseError);
    expect(right.sent()).toBe(1 + 5);
  });

  it('is not repeated for a POST', async () => {
    const { client, sent } = await clientWith(damage);
    await expect(client.notes.issue.create({ ...issue, body: 'text' })).rejects.toThrow(ResponseError);
    expect(sent()).toBe(1);
  });
});

describe('without server errors repeated', () => {
  it('a damaged response is not repeated', async () => {
    const { client, sent } = await clientWith(damages['no body']!, { retry: defaultRetry });
    await expect(client.lookups.user({})).rejects.toThrow(ResponseError);
    expect(sent()).toBe(1);
  });
});
