import { expect, it } from 'vitest';
import { recordedBytes, type RecordedExchange } from '../../src/recording/exchange.js';
import { readRecording } from '../../src/recording/read.js';
import { createRecorder, type Exchanged } from '../../src/recording/recorder.js';
import { randomHex } from '../../src/server/random.js';
import { multipartBody } from '../../src/wire/multipart.js';

const base = 'https://git.acme.dev';
const exchanged = (request: Partial<Exchanged['request']>, response: Partial<Exchanged['response']>): Exchanged => ({
  request: { method: 'GET', target: '/api/v4/user', headers: {}, ...request },
  response: { status: 200, headers: { 'content-type': 'application/json' }, body: '{}', ...response },
  time: '2024-05-01T12:00:00.000Z', duration: 3, user: { id: 4, username: 'ada' },
});
const recorded = (...all: readonly Exchanged[]): readonly RecordedExchange[] => {
  const line = createRecorder(base, randomHex);
  return readRecording(all.map(line).join(''), 'x');
};

it('a line has no token, wherever the request or the response had it', () => {
  const token = 'S3cretS3cretS3cret';
  const all = recorded(
    exchanged({ headers: { 'private-token': token, cookie: `s=${token}`, authorization: `Bearer ${token}` } },
      { body: JSON.stringify({ body: `use ${token}` }) }),
    exchanged({ target: `/api/v4/user?private_token=${token}` },
      { headers: { 'set-cookie': token, 'content-type': 'text/plain' }, body: `glpat-${token} ${token}` }),
    exchanged({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ private_token: token, a: 1 }) }, {}),
  );
  expect(JSON.stringify(all)).not.toContain(token);
  expect(all).toHaveLength(3);
});

it('names are replaced by the same pseudonyms in all lines, and listed in the first that has them', () => {
  const user = { username: 'ada', name: 'Ada Lovelace', web_url: `${base}/ada` };
  const [first, second] = recorded(
    exchanged({}, { body: JSON.stringify({ id: 4, ...user }) }),
    exchanged({ target: '/api/v4/users?username=ada' }, { body: JSON.stringify([{ body: 'ask @ada or Ada Lovelace', author: user }]) }),
  ) as [RecordedExchange, RecordedExchange];
  expect(JSON.stringify([first, second])).not.toMatch(/\bada\b|Lovelace|acme/i);
  const name = first.user!.username;
  expect(first.response.body).toContain(`"web_url":"http://recorded.invalid/${name}"`);
  expect(second.request.target).toBe(`/api/v4/users?username=${name}`);
  expect(second.response.body).toContain(`ask @${name} or `);
  expect([first.replaced!.user, second.replaced?.user]).toEqual([[name], undefined]);
});

it('headers are those of their own message, whatever the message before had', () => {
  const both = (accept: string, digest: string) =>
    exchanged({ headers: { accept, 'x-same': accept } }, { headers: { etag: digest, 'x-same': digest } });
  const all = recorded(both('*/*', 'a'), both('text/plain', 'a'), both('*/*', 'b'), both('*/*', 'a'));
  expect(all.map(({ request, response }) => [request.headers, response.headers])).toEqual([
    ['*/*', 'a'], ['text/plain', 'a'], ['*/*', 'b'], ['*/*', 'a'],
  ].map(([accept, digest]) => [{ accept, 'x-same': accept }, { etag: digest, 'x-same': digest }]));
});

it('bytes stay as they are, and headers of the connection are left out', () => {
  const [one] = recorded(exchanged({ headers: { host: 'git.acme.dev', 'x-forwarded-for': '10.0.0.1', accept: '*/*' } },
    { headers: { 'content-type': 'image/png', 'content-length': '3', connection: 'close' }, body: Buffer.from([0xff, 1, 2]) }));
  expect(one).toMatchObject({ request: { headers: { accept: '*/*' } }, response: { headers: { 'content-type': 'image/png' }, body: { base64: '/wEC' } } });
  expect(Object.keys(one!.request.headers)).toEqual(['accept']);
});

it('the fields of a form with a file are recorded as other texts are, and the file as it is', async () => {
  const token = 'S3cretS3cretS3cret';
  const image = Buffer.from([0xff, 0xd8, 0, 13, 10, 45, 45, 1]);
  const { headers, body } = await multipartBody([
    ['title', `hi @ada, ${base}/x and ${token} of ä`], ['logo', { filename: 'ada.png', bytes: image }],
  ]);
  const [one] = recorded(exchanged({ method: 'PUT', headers: { ...headers, 'private-token': token }, body }, {}));
  const sent = Buffer.from(recordedBytes(one!.request.body));
  const name = one!.user!.username;
  expect(sent.toString()).toContain(`\r\n\r\nhi @${name}, http://recorded.invalid/x and [redacted] of ä\r\n--`);
  expect(sent.includes(Buffer.concat([Buffer.from('image/png\r\n\r\n'), image, Buffer.from('\r\n--')]))).toBe(true);
  expect(sent.includes('filename="ada.png"')).toBe(true);
});

it('a token that a header had leaves paths and other headers', () => {
  const token = 'S3cretS3cretS3cret';
  const headers = { 'private-token': token, 'x-as-sent': `a ${token}` };
  const all = recorded(exchanged({ target: `/api/v4/personal_access_tokens/${token}?x=1`, headers },
    { headers: { 'content-type': 'application/json', 'x-echo': token } }));
  expect(JSON.stringify(all)).not.toContain(token);
});

it('a user whom only the response names leaves the request, too', () => {
  const json = { 'content-type': 'application/json' };
  const body = '{"body":"for eve","author":{"username":"eve"}}';
  const [one] = recorded(exchanged({ method: 'POST', headers: json, body: '{"body":"for eve"}' }, { headers: json, body }));
  expect(one!.request.body).not.toContain('eve');
  expect(one!.response.body).toContain(String(one!.request.body).slice(1, -1));
});

it('a body that is nested deeply is recorded', () => {
  const body = `${'[{"a":'.repeat(20_000)}"by ada"${'}]'.repeat(20_000)}`;
  const [one] = recorded(exchanged({}, { body }));
  expect(String(one!.response.body)).toHaveLength(body.length);
  expect(one!.response.body).not.toContain('ada');
});

it('a credential that is known later leaves the lines of before, with bodies that stay readable', () => {
  const secret = 'S3cretS3cretS3cret';
  const line = createRecorder(base, randomHex);
  const form = Buffer.concat([Buffer.from('--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n\u00e4 '), Buffer.from([0xff]),
    Buffer.from(` ${secret}\r\n--b--`)]);
  const first = line(exchanged({ method: 'POST', target: `/api/v4/x/${secret}`, headers: { 'content-type': 'multipart/form-data; boundary=b',
    'x-a': secret }, body: form },
    { body: JSON.stringify({ body: `${secret} "x"` }) }));
  expect([first.includes(secret), line.revision()]).toEqual([true, null]);
  line(exchanged({}, { body: JSON.stringify({ token: secret }) }));
  const revised = line.revision()!(first);
  const [one] = readRecording(revised, 'x');
  expect(one!.response.body).toBe('{"body":"[redacted] \\"x\\""}');
  expect(Buffer.from(recordedBytes(one!.request.body)).toString('latin1')).toBe(form.toString('latin1').replace(secret, '[redacted]'));
  expect([one!.request.target, one!.request.headers['x-a']]).toEqual(['/api/v4/x/[redacted]', '[redacted]']);
  expect(line.revision()!(revised)).toBe(revised);
});

it('a credential that only the response shows leaves the request of the same line', () => {
  const secret = 'S3cretS3cretS3cret';
  for (const response of [{ headers: { 'content-type': 'application/json', 'set-cookie': `s=${secret}` } },
    { body: JSON.stringify({ runners_token: secret }) }]) {
    expect(JSON.stringify(recorded(exchanged({ target: `/api/v4/x?search=${secret}`, headers: { 'x-a': secret } }, response)))).not.toContain(secret);
  }
});

it('a token of a query leaves later texts, too', () => {
  const token = 'S3cretS3cretS3cret';
  const all = recorded(exchanged({ target: `/api/v4/user?private_token=${token}` }, {}),
    exchanged({ method: 'POST', headers: { 'content-type': 'application/json' }, body: `{"body":"use ${token}"}` }, { body: `{"body":"use ${token}"}` }));
  expect(JSON.stringify(all)).not.toContain(token);
});
