import { afterEach, expect, it } from 'vitest';
import { type RecordedExchange } from '../../../src/recording/exchange.js';
import { readRecording } from '../../../src/recording/read.js';
import { createRecorder } from '../../../src/recording/recorder.js';
import type { ReplaySource } from '../../../src/server/index.js';
import { randomHex } from '../../../src/server/random.js';
import { multipartBody } from '../../../src/wire/multipart.js';
import { testService, type TestService } from '../../support/service.js';

let service: TestService;
afterEach(() => service.close());

const exchange = (target: string, body: unknown, status = 200): RecordedExchange => ({
  time: '2024-05-01T12:00:00Z', duration: 1, user: null, request: { method: 'GET', target, headers: {}, body: '' },
  response: { status, headers: { 'content-type': 'application/json', 'x-own': '1' }, body: JSON.stringify(body) },
});
const exchanges = [
  exchange('/api/v4/version', { version: '9.9', link: 'http://recorded.invalid/x' }), exchange('/api/v4/user', { id: 1 }), exchange('/api/v4/user',
    { id: 2 }, 503),
];

it('what was recorded comes from the recording, in its order, and the rest from the world', async () => {
  const sources: ReplaySource[] = [];
  service = await testService({ replay: { exchanges, onReplay: (source) => { sources.push(source); } } });
  const get = async (path: string) => {
    const { status, headers, body } = await service.call('GET', `/../..${path}`.replace('/../..', ''), {});
    return [status, headers['x-colloquy-replay'], body] as const;
  };
  const version = (await service.service.handle({ method: 'GET', target: '/api/v4/version', headers: {} }));
  expect([version.status, version.headers['x-own'], JSON.parse(String(version.body))]).toEqual([200, '1', { version: '9.9', link: 'http://service.test/x' }]);
  const user = async () => (await service.service.handle({ method: 'GET', target: '/api/v4/user', headers: {} })).status;
  expect([await user(), await user(), await user()]).toEqual([200, 503, 503]);
  expect(await get('/projects/20')).toMatchObject([200, 'world', { id: 20 }]);
  expect(sources).toEqual(['recorded', 'recorded', 'recorded', 'recorded', 'world']);
  await service.post('/-/reset', { as: null });
  expect(await user()).toBe(200);
});

it('a recorded page runs no scripts, which would read the control plane', async () => {
  const page = (target: string, headers: Readonly<Record<string, string>>): RecordedExchange =>
    ({ ...exchange(target, ''), response: { status: 200, headers, body: '<script>fetch("/-/world")</script>' } });
  service = await testService({ replay: { exchanges: [page('/html', { 'content-type': 'text/html', 'content-security-policy': "script-src 'self'" }),
    page('/sniffed', {}), page('/svg', { 'content-type': 'image/svg+xml' }), ...exchanges] } });
  const policy = async (target: string) =>
    (await service.service.handle({ method: 'GET', target, headers: {} })).headers['content-security-policy'];
  expect(await Promise.all(['/html', '/sniffed', '/svg', '/api/v4/version'].map(policy))).toEqual(['sandbox', 'sandbox', 'sandbox', undefined]);
});

it('only responses of the world say what was not read, and only they can be rejected for it', async () => {
  const recorded = exchange('/api/v4/user?colour=red', { id: 1 });
  service = await testService({ replay: { exchanges: [recorded] }, rejectUnread: true });
  const unread = async (path: string) => {
    const { status, headers } = await service.handle({ method: 'GET', target: `/api/v4${path}`, headers: { 'private-token': 'developer-token' } });
    return [status, headers['x-colloquy-unread']];
  };
  expect(await unread('/user?colour=red')).toEqual([200, undefined]);
  expect(await unread('/projects/20?colour=red')).toEqual([400, 'colour']);
  expect((await service.service.requests()).map((request) => request.unread)).toEqual([[], ['colour']]);
});

it('a strict replay names the nearest request of the recording', async () => {
  service = await testService({ replay: { exchanges, strict: true } });
  expect(await service.get('/users')).toMatchObject({ status: 501, body: {
    message: '501 Not Implemented - no recorded request is GET /api/v4/users', nearest: 'GET /api/v4/user', differs: ['path'],
  } });
  expect((await service.get('/-/health')).status).toBe(200);
});

it('a status that cannot be sent is refused at the start, and headers of the connection are not sent', async () => {
  service = await testService({ replay: { exchanges: [{ ...exchanges[1]!, response: { ...exchanges[1]!.response, headers: { 'transfer-encoding': 'chunked',
    a: 'b' } } }] } });
  const { headers } = await service.service.handle({ method: 'GET', target: '/api/v4/user', headers: {} });
  expect([headers['transfer-encoding'], headers['a']]).toEqual([undefined, 'b']);
  await expect(testService({ replay: { exchanges: [exchanges[0]!, exchange('/a', {},
    0)] } })).rejects.toThrow('exchanges[1]: /response/status: expected a status from 200 to 999, not 0');
});

it('a form with a file is found again by a client of another address and another token', async () => {
  const bytes = Buffer.from([0xff, 0, 13, 10]);
  const form = (base: string) => multipartBody([['title', `see ${base}/x`], ['logo', { filename: 'a.png', bytes }]]);
  const recording = createRecorder('https://git.acme.dev', randomHex)({
    request: { method: 'PUT', target: '/api/v4/application/appearance', ...await form('https://git.acme.dev') },
    response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"title":"recorded"}' },
    time: '2024-05-01T12:00:00Z', duration: 1, user: null,
  });
  service = await testService({ replay: { exchanges: readRecording(recording, 'x'), strict: true } });
  const { status } = await service.service.handle({ method: 'PUT', target: '/api/v4/application/appearance', ...await form('http://service.test') });
  expect(status).toBe(200);
});
