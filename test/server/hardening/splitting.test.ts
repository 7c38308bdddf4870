import { describe, expect, it } from 'vitest';
import { images, multipart } from '../../support/images.js';
import { testService } from '../../support/service.js';
import { raw, started, statuses } from '../../support/sockets.js';

/** What begins a header or a body of its own where it is echoed as it is. */
const splitters = ['\r\nset-cookie: a=b', '\nset-cookie: a=b', '\rset-cookie: a=b', '\r\n\r\n<script>', '\0',
  '\u2028set-cookie: a=b', '\u560a\u560dset-cookie: a=b',
  '%0d%0aset-cookie:%20a=b', '%0aset-cookie: a=b', '%250d%250aset-cookie: a=b', '>; rel="next", <http://evil.example', '"; x="', 'é日😀', '\ud800'];

/** Every header that a service may send, and what may stand in it. */
const harmless = /^[\x20-\x7e]*$/;

const checkHeaders = (headers: Readonly<Record<string, string>>) => {
  for (const [name, value] of Object.entries(headers)) {
    expect(name).toMatch(/^[a-z0-9-]+$/);
    expect(value).toMatch(harmless);
    expect(name).not.toBe('set-cookie');
  }
};

describe('a value that would split a response', () => {
  it.each(splitters)('stays a value wherever it is echoed: %j', async (value) => {
    const { call } = await testService();
    const list = '/projects/20/issues/1/discussions';
    const encoded = encodeURIComponent(value.toWellFormed());
    const answers = [
      await call('GET', `${list}?per_page=1&page=2&id=${encoded}&x=${encoded}`),
      await call('GET', `${list}?per_page=1&${encoded}=1&private_token=developer-token`),
      await call('GET', `/projects/${encoded}/issues/1/discussions`),
      await call('GET', `/projects/20/issues/${encoded}/discussions`),
      await call('GET', `/projects/20${encoded}/issues/1/discussions?per_page=1`),
      await call('OPTIONS', `${list}/${encoded}`),
      await call('GET', list, { headers: { sudo: value, 'if-none-match': value, 'x-request-id': value, 'content-type': value, accept: value } }),
      await call('GET', list, { as: 'root', headers: { sudo: value } }),
      await call('GET', list, { as: null, headers: { authorization: `Bearer ${value}`, 'www-authenticate': value } }),
      await call('POST', list, { body: 'x', headers: { 'content-type': `text/${value}` } }),
      await call('POST', list, { json: { body: value } }),
      await call('PUT', '/application/appearance', { as: 'root', ...multipart({ logo: [`${value}.png`, images.png] }) }),
      await call('GET', `/uploads/-/system/appearance/logo/1/${encoded}.png`),
    ];
    for (const { headers, status } of answers) {
      checkHeaders(headers);
      expect(status).toBeLessThan(500);
    }
  });

  it('keeps its place in a link', async () => {
    const { get } = await testService();
    const { headers } = await get('/projects/20/issues/1/discussions?per_page=1&id=%3E%3B%20rel%3D%22next%22%0d%0a%2C&page=2');
    for (const link of headers['link']!.split(', ')) {
      expect(link).toMatch(/^<http:\/\/service\.test\/api\/v4\/projects\/20\/issues\/1\/discussions\?[\w=&%.-]*>; rel="(prev|next|first|last)"$/);
    }
  });
});

describe('on the socket', () => {
  it.each(['%0d%0aset-cookie:%20a=b', '%0D%0A%0D%0A<script>', '\xe5\x98\x8a\xe5\x98\x8dset-cookie:a', '"><script>'])(
    'nothing is split by a target: %j', async (piece) => {
      const { url } = await started();
      const target = `/api/v4/projects/20/issues/1/discussions?per_page=1&page=2&id=${piece}&x=${piece}`;
      const answer = await raw(url, Buffer.from(
        `GET ${target} HTTP/1.1\r\nhost: localhost\r\nprivate-token: developer-token\r\nconnection: close\r\n\r\n`, 'latin1'));
      expect(statuses(answer)).toHaveLength(1);
      const [head] = answer.split('\r\n\r\n') as [string];
      for (const line of head.split('\r\n')) expect(line).toMatch(harmless);
      expect(head).not.toMatch(/^set-cookie/im);
    });
});
