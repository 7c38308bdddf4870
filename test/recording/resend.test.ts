import { expect, it } from 'vitest';
import { resendRequests } from '../../src/recording/resend.js';
import type { RecordedExchange } from '../../src/recording/exchange.js';
import type { HttpRequest } from '../../src/wire/http.js';

const exchange = (method: string, target: string, answer: unknown, body = ''): RecordedExchange => ({
  time: '', duration: 1, user: { id: 7, username: 'xyz' }, request: { method, target, headers: { accept: '*/*', 'if-none-match': 'old' }, body },
  response: { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answer) },
});

it('requests are sent as the users of now, and name what was created now', async () => {
  const sent: HttpRequest[] = [];
  const answers: readonly unknown[] = [{ id: 'new', notes: [{ id: 51 }] }, {}, {}, {}];
  const send = async (request: HttpRequest) =>
    ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(answers[sent.push(request) - 1]) });
  const done = await resendRequests([
    exchange('POST', '/api/v4/projects/1/issues/5/discussions', { id: 'old', notes: [{ id: 5 }] }, '{"body":"@xyz: hello, xyzzy"}'),
    exchange('PUT', '/api/v4/projects/1/issues/5/discussions/old/notes/5?author=xyz', {}),
    exchange('GET', '/api/v4/projects/team%2Fxyz/issues/5/notes/6', {}),
  ], { send, userFor: ({ id }) => ({ username: `user${id}`, token: 'key' }) });
  expect(sent.map(({ target }) => target)).toEqual([
    '/api/v4/projects/1/issues/5/discussions', '/api/v4/projects/1/issues/5/discussions/new/notes/51?author=user7',
    '/api/v4/projects/team%2Fuser7/issues/5/notes/6']);
  expect(sent[0]).toMatchObject({ headers: { accept: '*/*', 'private-token': 'key' }, body: '{"body":"@user7: hello, xyzzy"}' });
  expect(sent[0]!.headers).not.toHaveProperty('if-none-match');
  expect(done[0]).toMatchObject({ request: { target: '/api/v4/projects/1/issues/5/discussions' }, response: { body: JSON.stringify(answers[0]) } });
});

it('users whose names are exchanged keep apart', async () => {
  const sent: HttpRequest[] = [];
  const send = async (request: HttpRequest) => {
    sent.push(request);
    return { status: 200, headers: {}, body: '' };
  };
  const by = (id: number, username: string) =>
    ({ ...exchange('POST', '/api/v4/projects/1/issues/5/notes', {}, '{"body":"@ada @bob @bob-1"}'), user: { id, username } });
  await resendRequests([by(1, 'ada'), by(2, 'bob')], { send, userFor: ({ id }) => ({ username: id === 1 ? 'bob' : 'ada', token: 'key' }) });
  expect(sent.map(({ body }) => body)).toEqual(['{"body":"@bob @ada @ada-1"}', '{"body":"@bob @ada @ada-1"}']);
});

it('a token in a query is replaced by that of the user of now', async () => {
  const sent: HttpRequest[] = [];
  const send = async (request: HttpRequest) => {
    sent.push(request);
    return { status: 200, headers: {}, body: '' };
  };
  const recorded = exchange('GET', '/api/v4/users?private_token=[redacted]&page=2&job_token=[redacted]', {});
  await resendRequests([recorded], { send, userFor: () => ({ username: 'ada', token: 'key' }) });
  expect(sent[0]).toMatchObject({ target: '/api/v4/users?page=2', headers: { 'private-token': 'key' } });
});
