import nock from 'nock';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.js';
import { ApiError, ConnectionError, ResponseError } from '../../src/client/errors.js';
import { nockableDispatcher } from '../support/nockable-dispatcher.js';
import { fakeTime } from './support/fake-time.js';

const host = 'http://service.test';
const path = '/api/v4/projects/1/issues/7/discussions';
const thread = { id: 1, noteable_id: 7 };

const clientOf = (time = fakeTime()) => createClient({ url: host, token: 'abc', dispatcher: nockableDispatcher(), time });
const failure = (call: Promise<unknown>): Promise<Error> =>
  call.then(() => { throw new Error('succeeded'); }, (error: unknown) => error as Error);

beforeEach(() => { nock.disableNetConnect(); });
afterEach(() => {
  const unused = nock.pendingMocks();
  nock.cleanAll();
  nock.enableNetConnect();
  expect(unused).toEqual([]);
});
// Importing it replaced the functions of node:http, for all tests of the worker.
afterAll(() => { nock.restore(); });

describe('the dispatcher for nock', () => {
  test('sends nothing to the network that nock does not expect', async () => {
    const error = await failure(clientOf().appearance.get({}));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error.message).toContain('Disallowed net connect');
  });

  test('can be aborted', async () => {
    nock(host).get('/api/v4/application/appearance').delay(60_000).reply(200, {});
    const controller = new AbortController();
    const call = clientOf().appearance.get({}, { signal: controller.signal });
    setImmediate(() => controller.abort(new Error('enough')));
    expect((await failure(call)).message).toBe('enough');
  });
});

describe('broken responses', () => {
  test('JSON cut short', async () => {
    nock(host).get('/api/v4/application/appearance').reply(200, '{"title":"a', { 'content-type': 'application/json' });
    const error = await failure(clientOf().appearance.get({}));
    expect(error).toBeInstanceOf(ResponseError);
    expect(error.message).toBe('GET /api/v4/application/appearance: the response is not valid JSON');
  });

  test('an HTML page with status 200', async () => {
    nock(host).get('/api/v4/application/appearance').reply(200, '<html>Sign in</html>', { 'content-type': 'text/html' });
    expect((await failure(clientOf().appearance.get({}))).message)
      .toContain('the response is HTML, not JSON; is http://service.test/api/v4 the address of the API?');
  });

  test('an empty body with status 200', async () => {
    nock(host).post(path).reply(201);
    expect((await failure(clientOf().discussions.issue.create({ ...thread, body: 'a' }))).message).toContain('the response is empty');
  });

  test('a connection that breaks', async () => {
    nock(host).post(path).replyWithError(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }));
    expect(await failure(clientOf().discussions.issue.create({ ...thread, body: 'a' })))
      .toMatchObject({ name: 'ConnectionError', code: 'ECONNRESET', sent: true });
  });
});

describe('errors of a proxy in front of the service', () => {
  test('a GET is retried after a 502 HTML page, which is an error for a comment', async () => {
    const page = '<html><body><h1>Whoops, GitLab is taking too much time</h1></body></html>';
    nock(host).get('/api/v4/application/appearance').times(2).reply(502, page, { 'content-type': 'text/html' });
    nock(host).get('/api/v4/application/appearance').reply(200, { title: 'T' });
    nock(host).post(path).reply(502, page, { 'content-type': 'text/html' });
    expect(await clientOf().appearance.get({})).toEqual({ title: 'T' });
    const error = await failure(clientOf().discussions.issue.create({ ...thread, body: 'a' }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toBe(`POST ${path}: 502 Bad Gateway (an HTML page instead of a response of the service)`);
  });

  test('a plain-text 429 is retried after its Retry-After, for comments too', async () => {
    const time = fakeTime();
    nock(host).post(path, { body: 'a' }).reply(429, 'Retry later\n', { 'content-type': 'text/plain', 'retry-after': '7' });
    nock(host, { reqheaders: { 'private-token': 'abc' } }).post(path, { body: 'a' }).reply(201, { id: 'new' });
    expect(await clientOf(time).discussions.issue.create({ ...thread, body: 'a' })).toMatchObject({ id: 'new' });
    expect(time.waits).toEqual([7000]);
  });

  test('a plain-text 429 is thrown with its message after the last retry', async () => {
    nock(host).post(path).reply(429, 'Retry later\n', { 'content-type': 'text/plain', 'retry-after': '3600' });
    expect(await failure(clientOf().discussions.issue.create({ ...thread, body: 'a' })))
      .toMatchObject({ name: 'ApiError', status: 429, serverMessage: 'Retry later' });
  });
});

describe('lists with unusual links', () => {
  test('a link to another host leads to the same host', async () => {
    const link = `<http://inner.host:8080${path}?id=9&page=2&per_page=100>; rel="next"`;
    nock(host).get(`${path}?per_page=100`).reply(200, [{ id: 'a' }], { link });
    nock(host).get(`${path}?per_page=100&page=2`).reply(200, [{ id: 'b' }], { link: '<x>; rel="first"' });
    expect(await clientOf().discussions.issue.list(thread).all()).toMatchObject([{ id: 'a' }, { id: 'b' }]);
  });

  test('a next page that is HTML fails after the items before it', async () => {
    nock(host).get(`${path}?per_page=100`).reply(200, [{ id: 'a' }], { 'x-next-page': '2' });
    nock(host).get(`${path}?per_page=100&page=2`).reply(200, '<html>', { 'content-type': 'text/html' });
    const seen: string[] = [];
    const loop = async () => { for await (const { id } of clientOf().discussions.issue.list(thread)) seen.push(id); };
    expect(await failure(loop())).toBeInstanceOf(ResponseError);
    expect(seen).toEqual(['a']);
  });
});

test('a redirect to another origin is an error at once', async () => {
  nock(host).get('/api/v4/application/appearance').reply(301, '', { location: 'https://other.test/api/v4/application/appearance' });
  expect((await failure(clientOf().appearance.get({}))).message).toContain('set the base URL to https://other.test');
});

test('an upload is a form with the file in it', async () => {
  nock(host).put('/api/v4/application/appearance', /name="logo"; filename="l\.png"[^]*Content-Type: image\/png[^]*PNG/)
    .matchHeader('content-type', /^multipart\/form-data; boundary=/)
    .reply(200, { logo: '/l.png' });
  const logo = { filename: 'l.png', bytes: Buffer.from('PNG') };
  expect(await clientOf().appearance.set({ logo })).toEqual({ logo: '/l.png' });
});
