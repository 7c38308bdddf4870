import { describe, expect, it } from 'vitest';
import { createHostCheck } from '../../../../src/server/http/addresses.js';
import { testService } from '../../../support/service.js';
import { raw, started, statuses } from '../../../support/sockets.js';

const onLoopback = createHostCheck({ host: '127.0.0.1' });

describe('the Host of a request', () => {
  it.each(['127.0.0.1', '127.0.0.1:8080', '127.9.8.7', 'localhost', 'LocalHost:1', 'localhost.', 'app.localhost:80', '[::1]', '[::1]:8080',
    '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '127.1', '0x7f000001', '2130706433'])('may be the loopback: %s', (host) => {
    expect(onLoopback(host)).toBe(true);
  });

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example', 'notlocalhost', 'evil.example:127', '128.0.0.1', '10.0.0.1',
    '0.0.0.0', '[::]', '[::2]', '[::ffff:10.0.0.1]', '169.254.169.254', '', ' ', ':80', 'localhost:x', 'localhost:123456', '[::1', '::1',
    'localhost@evil.example', 'evil.example@localhost', 'localhost/evil', 'localhost?', 'localhost#', 'localhost\\evil.example',
    'localhost evil.example', 'localhost, evil.example', 'a[::1]', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ.example', '%6cocalhost%2eevil', 'localhost\0', 'x'.repeat(10_000)])(
    'is no other: %j', (host) => { expect(onLoopback(host)).toBe(false); });

  it('may be the listening address, the host of the URL, or an allowed host', () => {
    const knows = createHostCheck({ host: 'Box.Lan', externalUrl: 'https://Code.Example:8443/gitlab', allowedHosts: ['ci.example:80', 'fe80::1'] });
    for (const host of ['box.lan:8080', 'BOX.LAN', 'code.example', 'code.example:1', 'ci.example', 'CI.example:99', '[fe80::1]:2']) {
      expect(knows(host)).toBe(true);
    }
    for (const host of ['lan', 'example', 'x.code.example', 'code.example.evil', '10.0.0.1']) expect(knows(host)).toBe(false);
  });

  it.each(['0.0.0.0', '::'])('may be any address, and still no name, on %s', (host) => {
    const knows = createHostCheck({ host });
    for (const address of ['10.0.0.1:80', '192.168.1.5', '[fe80::1]:80', '[2001:db8::2]', 'localhost']) expect(knows(address)).toBe(true);
    for (const name of ['evil.example', 'a10.0.0.1', '10.0.0.1.evil.example']) expect(knows(name)).toBe(false);
  });

  it('that is unknown gets nothing from the server, on any path and method', async () => {
    const { call } = await testService();
    const refusal = '{"message":"403 Forbidden - The Host header names another server. '
      + 'Use the address this server listens on, or add the name to its allowed hosts"}';
    for (const path of ['/projects/20', '/-/health', '/-/requests', '/uploads/-/system/appearance/logo/1/a.png', '/application/appearance']) {
      for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
        const got = await call(method, path, { as: 'root', headers: { host: 'evil.example' } });
        expect([got.status, got.text]).toEqual([403, refusal]);
      }
    }
  });

  it('changes no URL in a response', async () => {
    const { url } = await started();
    const answer = await raw(url, 'GET /api/v4/projects/20/issues/1/discussions?per_page=1 HTTP/1.1\r\nhost: other.localhost:1\r\n'
      + 'x-forwarded-host: evil.example\r\nforwarded: host=evil.example\r\nprivate-token: developer-token\r\nconnection: close\r\n\r\n');
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toContain(`<${url}/api/v4/`);
    expect(answer).not.toMatch(/other\.localhost|evil\.example/);
  });

  it('is looked at on the socket', async () => {
    const { url } = await started({ allowedHosts: ['ci.example'] });
    const get = (host: string) => raw(url, `GET /-/health HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`);
    expect(statuses(await get('ci.example'))).toEqual([200]);
    expect(statuses(await get('evil.example'))).toEqual([403]);
    expect(statuses(await get(''))).toEqual([403]);
  });
});

describe('a page of another origin', () => {
  const origins = ['http://evil.example', 'null', 'http://localhost', 'http://service.test'];
  const paths = ['/projects/20', '/projects/20/issues/1/discussions', '/nowhere', '/-/health', '/uploads/-/system/appearance/logo/1/x.png'];

  it.each(origins)('never gets CORS headers: %s', async (origin) => {
    const { call } = await testService();
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
        const asked = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'private-token' };
        const { headers } = await call(method, path, { headers: { origin, ...asked } });
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
  });

  it('gets the verbs of a path when it asks, and nothing that lets it use them', async () => {
    const { call } = await testService();
    const got = await call('OPTIONS', '/projects/20/issues/1/discussions', {
      as: null, headers: { origin: 'http://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(got).toMatchObject({ status: 204, text: '', headers: { allow: 'OPTIONS, HEAD, GET, POST', vary: 'Origin' } });
  });
});
