import { describe, expect, test } from 'vitest';
import { isDirect, proxyFor } from '../../../src/client/transport/connection.js';

describe('the proxy for an address', () => {
  test.each([
    ['http://host', 'http://p:1', 'http://p:1/'],
    ['https://host', 'http://p:1', 'http://p:1/'],
    ['http://host', { http: 'http://p:1', https: 'http://s:2' }, 'http://p:1/'],
    ['https://host', { http: 'http://p:1', https: 'http://s:2' }, 'http://s:2/'],
    ['https://host', { http: 'http://p:1' }, undefined],
    ['https://host', '', undefined],
    ['https://host', undefined, undefined],
    ['https://host', 'p:3128', 'http://p:3128/'],
    ['https://host', 'https://me:pw@p:3128', 'https://me:pw@p:3128/'],
  ])('%s with %j', (address, proxy, expected) => {
    expect(proxyFor(address, { proxy })?.href).toBe(expected);
  });

  test('is none for hosts in noProxy', () => {
    expect(proxyFor('https://host', { proxy: 'http://p:1', noProxy: 'a, host' })).toBeNull();
  });

  test.each(['socks5://me:secret@p', 'http://me:secret@'])('must be an http or https URL, which is not repeated: %s', (proxy) => {
    expect(() => proxyFor('https://host', { proxy })).toThrow('the proxy is not an http or https URL');
  });
});

describe('noProxy', () => {
  test.each([
    ['https://host', 'host', true],
    ['https://HOST', 'Host', true],
    ['https://a.host', 'host', true],
    ['https://a.host', '.host', true],
    ['https://host', '.host', true],
    ['https://a.host', '*.host', true],
    ['https://ahost', 'host', false],
    ['https://host.evil', 'host', false],
    ['https://host', 'other other2\thost', true],
    ['https://host', ' , ,', false],
    ['https://host', '', false],
    ['https://host', '*', true],
    ['https://host:8443', 'host', true],
    ['https://host:8443', 'host:8443', true],
    ['https://host', 'host:443', true],
    ['http://host', 'host:80', true],
    ['http://host', 'host:443', false],
    ['https://host:8443', '*:8443', true],
    ['http://127.0.0.1:80', '127.0.0.1', true],
    ['http://[::1]:8080', '::1', true],
    ['http://[::1]:8080', '[::1]:8080', true],
    ['http://[::1]:8080', '[::1]:81', false],
    ['https://host.', 'host', true],
    ['http://10.1.2.3', '10.0.0.0/8', true],
    ['http://11.1.2.3:8080', 'host, 10.0.0.0/8', false],
    ['http://192.168.1.130', '192.168.1.128/25', true],
    ['http://192.168.1.127', '192.168.1.128/25', false],
    ['http://[fd00::5]:8080', 'fd00::/8', true],
    ['http://[fe00::5]', '[fd00::]/8', false],
    ['http://10.1.2.3', 'fd00::/8', false],
    ['http://10.1.2.3', '10.0.0.0/33', false],
    ['http://10.1.2.3', '10.0.0/8', false],
    ['http://10.1.2.3', '0.0.0.0/0', true],
    ['http://ten.test', '10.0.0.0/8', false],
    ['http://[2001:db8::1:0:5]', '2001:db8::/32', true],
    ['http://[2001:db9::1]', '2001:db8::/31', true],
    ['http://[2001:dba::1]', '2001:db8::/31', false],
    ['http://[::1]', '::/0', true],
    ['http://[1:2:3:4:5:6:7:8]', '1:2:3:4:5:6:7:0/112', true],
    ['http://10.1.2.3', '010.0.0.0/8', false],
  ])('matches %s in "%s": %j', (address, list, expected) => {
    expect(isDirect(new URL(address), list)).toBe(expected);
  });
});
