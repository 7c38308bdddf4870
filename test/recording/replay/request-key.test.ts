import { expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.js';
import { createReplay } from '../../../src/recording/replay.js';

const sent = (method: string, target: string, body = '', type = 'application/json') =>
  ({ method, target, headers: { 'content-type': type }, body });
type Sent = ReturnType<typeof sent>;

const isSame = (request: Sent, other: Sent): boolean =>
  createReplay([{ time: '', duration: 0, user: null, request, response: { status: 200, headers: {}, body: '' } }]).answer(other) !== null;

const section = (id: string): string => JSON.stringify({
  body: `<!-- colloquy-start:section=a id=${id} -->\nx\n<!-- colloquy-end:section=a id=${id} -->`,
});

it.each([
  ['the order of the query', sent('GET', '/a?x=1&y=2'), sent('GET', '/a?y=2&x=1')],
  ['how the path is encoded', sent('GET', '/a/%7Eb'), sent('GET', '/a/~b')],
  ['tokens', sent('GET', '/a?private_token=1&x=1'), sent('GET', '/a?x=1')],
  ['the order of JSON', sent('POST', '/a', '{"a":1,"b":{"c":2,"d":3}}'), sent('POST', '/a', '{ "b": {"d":3,"c":2}, "a": 1 }')],
  ['the random ids of markers', sent('POST', '/a', '{"body":"x <!-- colloquy:id=abc -->"}'), sent('POST', '/a', '{"body":"x <!-- colloquy:id=def -->"}')],
  ['the random ids of sections', sent('POST', '/a', section('m1.2a.1')), sent('POST', '/a', section('m9.8b.2'))],
  ['the order of a form', sent('POST', '/a', 'b=2&a=1', 'application/x-www-form-urlencoded'),
    sent('POST', '/a', 'a=1&b=2', 'application/x-www-form-urlencoded')],
  ['the boundary of files', sent('POST', '/a', '--x\r\n\r\n1\r\n--x--', 'multipart/form-data; boundary=x'),
    sent('POST', '/a', '--y\r\n\r\n1\r\n--y--', 'multipart/form-data; boundary=y')],
])('%s makes no difference', (_, one, other) => {
  expect(isSame(one, other)).toBe(true);
});

/** What clients send that write one note, one after the other. */
const sentTwice = async (encoding: 'json' | 'form' | 'query'): Promise<Sent[]> => {
  const requests: Sent[] = [];
  for (let i = 0; i < 2; i++) {
    const { notes } = createClient({
      url: 'http://service.test', token: 't', once: 'marker', encoding, retry: { retries: 0 }, transport: async (request) => {
        requests.push({ method: request.method, target: request.target, headers: { 'content-type': request.headers['content-type'] ?? '' },
          body: String(request.body ?? '') });
        throw new Error('nothing listens');
      },
    });
    await expect(notes.issue.create({ id: 20, noteable_id: 1, body: 'x' })).rejects.toThrow();
  }
  return requests.filter(({ method }) => method === 'POST');
};

it.each(['json', 'form', 'query'] as const)('the random id of a marker makes no difference in %s', async (encoding) => {
  const [one, other] = await sentTwice(encoding);
  expect(one).not.toEqual(other);
  expect(isSame(one!, other!)).toBe(true);
});

it.each([
  ['method', sent('PUT', '/a'), sent('POST', '/a')], ['path', sent('GET', '/a%2Fb'), sent('GET', '/a/b')], ['value', sent('GET', '/a?x=1'),
    sent('GET', '/a?x=2')],
  ['body', sent('POST', '/a', '{"a":1}'), sent('POST', '/a', '{"a":2}')], ['list', sent('POST', '/a', '[1,2]'), sent('POST', '/a', '[2,1]')],
])('another %s is another request', (_, one, other) => {
  expect(isSame(one, other)).toBe(false);
});

it('a body of a read and broken JSON are no obstacle', () => {
  expect(isSame(sent('GET', '/a', '{"x"'), sent('GET', '/a'))).toBe(true);
  expect(isSame(sent('POST', '/a', '{"x"'), sent('POST', '/a', '{"x"'))).toBe(true);
  expect(isSame(sent('POST', '/a', '{"x"'), sent('POST', '/a', '{"y"'))).toBe(false);
});
