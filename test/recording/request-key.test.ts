import { expect, it } from 'vitest';
import { requestKey, targetKey } from '../../src/recording/request-key.js';

const key = (method: string, target: string, body = '', type = 'application/json') =>
  requestKey({ method, target, headers: { 'content-type': type }, body });

it.each([
  ['the order of the query', key('GET', '/a?x=1&y=2'), key('GET', '/a?y=2&x=1')],
  ['how the path is encoded', key('GET', '/a/%7Eb'), key('GET', '/a/~b')],
  ['tokens', key('GET', '/a?private_token=1&x=1'), key('GET', '/a?x=1')],
  ['HEAD instead of GET', key('HEAD', '/a'), key('GET', '/a')],
  ['the order of JSON', key('POST', '/a', '{"a":1,"b":{"c":2,"d":3}}'), key('POST', '/a', '{ "b": {"d":3,"c":2}, "a": 1 }')],
  ['the random ids of markers', key('POST', '/a', '{"body":"x <!-- colloquy:id=abc -->"}'), key('POST', '/a', '{"body":"x <!-- colloquy:id=def -->"}')],
  ['the order of a form', key('POST', '/a', 'b=2&a=1', 'application/x-www-form-urlencoded'), key('POST', '/a', 'a=1&b=2', 'application/x-www-form-urlencoded')],
  ['the boundary of files', key('POST', '/a', '--x\r\n\r\n1\r\n--x--', 'multipart/form-data; boundary=x'),
    key('POST', '/a', '--y\r\n\r\n1\r\n--y--', 'multipart/form-data; boundary=y')],
])('%s makes no difference', (_, one, other) => {
  expect(one).toBe(other);
});

it.each([
  ['method', key('PUT', '/a'), key('POST', '/a')], ['path', key('GET', '/a%2Fb'), key('GET', '/a/b')], ['value', key('GET', '/a?x=1'), key('GET', '/a?x=2')],
  ['body', key('POST', '/a', '{"a":1}'), key('POST', '/a', '{"a":2}')], ['list', key('POST', '/a', '[1,2]'), key('POST', '/a', '[2,1]')],
])('another %s is another request', (_, one, other) => {
  expect(one).not.toBe(other);
});

it('a body of a read and broken JSON are no obstacle', () => {
  expect(key('GET', '/a', '{"x"')).toBe(key('GET', '/a'));
  expect(key('POST', '/a', '{"x"')).not.toBe(key('POST', '/a', '{"y"'));
  expect(targetKey(key('POST', '/a', 'x'))).toBe('POST /a?');
});
