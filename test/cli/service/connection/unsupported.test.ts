import { expect, it } from 'vitest';
import { createClient } from '../../../../src/client/client.js';
import { isOfService, verifiedUser } from '../../../../src/cli/service/connection/unsupported.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { everyRow } from '../../../support/rows.js';

const userOf = (answer: HttpResponse, version = answer) => verifiedUser(createClient({ url: 'http://service.test', token: 't',
  transport: async ({ target }: HttpRequest) => target.endsWith('/version') ? version : answer, retry: { retries: 0 } }));

const json = (status: number, body: unknown): HttpResponse =>
  ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
const page = (status: number): HttpResponse => ({ status, headers: { 'content-type': 'text/html' }, body: '<html>It works!</html>' });

it('a user is verified by what only the service responds', async () => {
  expect(await userOf(json(200, { id: 1, username: 'ada' }))).toMatchObject({ username: 'ada' });
  expect(await userOf(json(403, { error: 'insufficient_scope', error_description: 'The request requires higher privileges' }))).toBeNull();
  expect(await userOf(json(404, { error: '404 Not Found' }), json(200, { version: '17.1.0' }))).toBeNull();
});

it('whatever else responds is not the API', async () => {
  await everyRow([page(200), page(404), page(403), json(200, []), json(200, {}), json(200, { id: '1', username: 'ada' }), json(404, {}), json(401, 'no'),
    json(404, { error: '404 Not Found' })],
    ({ status, body }) => `${status} ${String(body)}`, async (answer) => {
      await expect(userOf(answer)).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('this is not the API') as string });
    });
});

it('a failure that passes is reported as it is', async () => {
  await everyRow([page(502), json(429, { message: '429 Too Many Requests' }), page(407)], ({ status }) => String(status), async (answer) => {
    const error = await userOf(answer).catch((reason: unknown) => reason);
    expect([isOfService(error), String(error)]).toEqual([true, expect.not.stringContaining('not the API')]);
  });
});
