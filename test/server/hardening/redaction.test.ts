import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRequestLog, newTrace } from '../../../src/server/http/request-log.js';
import type { LoggedRequest } from '../../../src/server/index.js';
import { createService } from '../../../src/server/service.js';
import { isSecretVariable, mentionsSecret } from '../../../src/wire/secrets/names.js';
import { redactRequest } from '../../../src/wire/secrets/redact.js';
import { testService } from '../../support/service.js';
import { createClock } from '../../../src/server/clock.js';
import { createRandom } from '../../../src/server/random.js';

const secret = 'glpat-S3cret';
const api = '/api/v4/projects/20/issues/1/discussions';
const form = 'application/x-www-form-urlencoded';
const part = (head: string, value = secret) => `--b\r\n${head}\r\n\r\n${value}\r\n`;
const multipart = (...parts: string[]) => ({ type: 'multipart/form-data; boundary=b', body: `${parts.join('')}--b--\r\n` });
const json = (body: string) => ({ type: 'application/json', body });
const disposition = 'Content-Disposition: form-data;';

/** Everything that carries a token, in the spellings that a stranger may choose. */
const ways: readonly { readonly way: string; readonly target?: string; readonly headers?: Record<string, string>;
  readonly type?: string; readonly body?: string }[] = [
  { way: 'header', headers: { 'private-token': secret } },
  { way: 'bearer', headers: { authorization: `Bearer ${secret}` } },
  { way: 'basic', headers: { authorization: `Basic ${secret}` } },
  { way: 'job token header', headers: { 'job-token': secret } },
  { way: 'cookie', headers: { cookie: `_gitlab_session=${secret}` } },
  { way: 'proxy header', headers: { 'proxy-authorization': secret } },
  { way: 'header of another service', headers: { 'x-api-key': secret, 'x-auth-token': secret } },
  { way: 'address of the page before', headers: { referer: `http://localhost/a?private_token=${secret}&b=1` } },
  { way: 'query', target: `${api}?private_token=${secret}` },
  { way: 'query between others', target: `${api}?page=1&access_token=${secret}&per_page=2` },
  { way: 'query with an encoded name', target: `${api}?%70rivate%5Ftoken=${secret}` },
  { way: 'query with a name in capitals', target: `${api}?PRIVATE_TOKEN=${secret}` },
  { way: 'query with a bracketed name', target: `${api}?private_token[]=${secret}&job_token[a][b]=${secret}` },
  { way: 'query with a bracket around or behind the name', target: `${api}?[private_token]=${secret}&job_token]=${secret}` },
  { way: 'query with a longer name', target: `${api}?private_tokens=${secret}&x[private_token][y]=${secret}` },
  { way: 'query without its question mark', target: `${api}&private_token=${secret}` },
  { way: 'query with a second question mark', target: `${api}?page=1?private_token=${secret}` },
  { way: 'query separated by semicolons', target: `${api}?page=1;private_token=${secret};per_page=2` },
  { way: 'path parameter', target: `${api};private_token=${secret}/1` },
  { way: 'fragment', target: `${api}#private_token=${secret}` },
  { way: 'query that can not be decoded', target: `${api}?%zz=1&private_token=${secret}%` },
  { way: 'form', type: form, body: `body=x&private_token=${secret}` },
  { way: 'form with an encoded name', type: form, body: `private%5ftoken=${secret}&body=x` },
  { way: 'JSON', ...json(`{"body":"x","private_token":"${secret}"}`) },
  { way: 'JSON with white space', ...json(`{ "private_token"\n\t :\r\n "${secret}" , "body": "x"}`) },
  { way: 'JSON with an escaped name', ...json(`{"\\u0070rivate\\u005ftoken":"${secret}"}`) },
  { way: 'JSON with quotes in other values', ...json(`{"body":"a \\" b","access_token":"${secret}"}`) },
  { way: 'JSON with the name as a value before', ...json(`{"body":"private_token","private_token":"${secret}"}`) },
  { way: 'JSON with quotes in the token', ...json(`{"private_token":"\\"${secret}\\\\","body":"x"}`) },
  { way: 'JSON twice', ...json(`{"private_token":"${secret}","private_token":"${secret}"}`) },
  { way: 'JSON deeper down', ...json(`{"a":[{"private_token":"${secret}"}]}`) },
  { way: 'JSON list', ...json(`{"private_token":["]","${secret}"]}`) },
  { way: 'JSON that is cut', ...json(`{"private_token":"${secret}`) },
  { way: 'JSON without a type', body: `{"private_token":"${secret}"}` },
  { way: 'form without a type', body: `a=b&private_token=${secret}` },
  { way: 'multipart', ...multipart(part(`${disposition} name="private_token"`), part(`${disposition} name="body"`, 'x')) },
  { way: 'multipart without quotes', ...multipart(part(`${disposition} name=private_token`)) },
  { way: 'multipart with more headers', ...multipart(part(`Content-Type: text/plain\r\n${disposition} name="private_token"\r\nX: y`)) },
  { way: 'multipart with an encoded name', ...multipart(part(`${disposition} name*=utf-8''private%5ftoken`)) },
  { way: 'multipart with an escaped name', ...multipart(part(`${disposition} name="private\\_token"`)) },
  { way: 'multipart as a file', ...multipart(part(`${disposition} name="private_token"; filename="a"`)) },
  { way: 'multipart that is cut', type: 'multipart/form-data; boundary=b', body: `--b\r\n${disposition} name="access_token"\r\n\r\n${secret}` },
  { way: 'multipart without a type', body: multipart(part(`${disposition} name="private_token"`)).body },
];

describe('a token is shown nowhere', () => {
  it.each(ways)('in the request log: $way', async ({ target = api, headers = {}, type, body }) => {
    const seen: LoggedRequest[] = [];
    const { handle, get } = await testService({ onRequest: (request) => { seen.push(request); } });
    await handle({
      method: 'POST', target, headers: { ...headers, ...(type && { 'content-type': type }) }, ...(body !== undefined && { body: Buffer.from(body) }),
    });
    const { text } = await get('/-/requests');
    expect(text).toContain('[redacted]');
    expect(text).not.toContain(secret);
    expect(JSON.stringify(seen)).not.toContain(secret);
  });

  it.each(ways)('in a response, or in the report of a fault: $way', async ({ target = api, headers = {}, type, body }) => {
    const told: string[] = [];
    const { handle } = createService({
      database: {
        all: async () => { throw new Error('the disk is gone'); }, read: async () => { throw new Error('the disk is gone'); },
        write: async () => { throw new Error('the disk is gone'); }, revision: () => 0, close: async () => undefined,
      } as unknown as Parameters<typeof createService>[0]['database'],
      world: {}, dialect: 'document', version: '0', clock: createClock(() => new Date(0)), sleep: async () => undefined,
      random: createRandom(undefined, () => 'a'), address: () => '',
      onFault: (error) => { told.push(String((error as Error).stack)); },
    });
    for (const method of ['GET', 'POST', 'PUT']) {
      const answer = await handle({
        method, target, headers: { ...headers, ...(type && { 'content-type': type }) }, ...(body !== undefined && { body }),
      });
      expect(JSON.stringify([answer, told])).not.toContain(secret);
    }
  });
});

describe('a value that is not secret', () => {
  it('stays readable', () => {
    expect(redactRequest({
      method: 'POST', target: '/a?private_token=x&page=2#x', headers: { 'content-type': 'application/json', accept: 'a?b' },
      body: '{"body":"tokens, \\"private\\"","private_token" : "x","resolved":true}',
    })).toEqual({
      target: '/a?private_token=[redacted]&page=2#x', headers: { 'content-type': 'application/json', accept: 'a?b' },
      body: '{"body":"tokens, \\"private\\"","private_token" : "[redacted]","resolved":true}',
    });
  });

  it('stays as it is in any JSON without a secret name', () => {
    fc.assert(fc.property(fc.json(), (body) => {
      JSON.parse(body, (key: string, value: unknown) => {
        fc.pre(!isSecretVariable(key) && !(typeof value === 'string' && mentionsSecret(value)));
        return value;
      });
      expect(redactRequest({ method: 'PUT', target: '/', headers: { 'content-type': 'application/json' }, body }).body).toBe(body);
    }));
  });
});

it('a token in JSON is hidden wherever the text is cut', () => {
  const text = JSON.stringify({ body: 'a "quoted" \\ word', private_token: `${secret}\\"${secret}`, a: [1, { b: null }], access_token: secret });
  for (let end = 0; end <= text.length; end++) {
    const { body } = redactRequest({ method: 'PUT', target: '/', headers: { 'content-type': 'application/json' }, body: text.slice(0, end) });
    expect(body).not.toContain('glpat');
  }
});

it('a secret that the log cuts in two is hidden', () => {
  const log = createRequestLog();
  const headers = { 'content-type': 'application/json' };
  for (let before = 9_960; before <= 10_000; before++) {
    const request = { method: 'PUT', target: '/', headers, body: `{"a":"${'x'.repeat(before)}","private_token":"${secret}"}` };
    log.add({ id: '1', time: new Date(0), request, response: { status: 200, headers: {}, body: '' }, duration: 0, ...newTrace(), missing: null });
  }
  expect(JSON.stringify(log.all())).not.toContain('glpat');
});
