import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Appearance } from '../../../../../src/contract/appearance.js';
import { runsOf } from '../../../../support/extent.js';
import { images, multipart } from '../../../../support/images.js';
import { testService, type TestService } from '../../../../support/service.js';

const path = '/application/appearance';
const folder = '/uploads/-/system/appearance';
const withLogo = async () => {
  const service = await testService();
  await service.put(path, { as: 'root', ...multipart({ logo: ['logo.png', images.png] }) });
  return service;
};

/** What leads elsewhere where names are joined, decoded or normalised. */
const traversal = [
  '../../../../etc/passwd', '..%2f..%2f..%2fetc%2fpasswd', '..%252f..%252fetc%252fpasswd', '%2e%2e/%2e%2e/etc/passwd', '....//....//etc/passwd',
  '..\\..\\..\\windows\\win.ini', '..%5c..%5cwin.ini', 'C:\\windows\\win.ini', '/etc/passwd', '//evil.example/x', 'file:///etc/passwd',
  'logo.png\0.svg', 'logo.png%00.svg', '.', '..', '...', ' ', '\u2024\u2024/\u2024\u2024/x', '\uff0e\uff0e\uff0fx', '\u202egnp.exe', '%c0%ae%c0%ae%c0%afx',
  '~root/.ssh/id_rsa', '$HOME/x', '`id`', '; rm -rf x', 'CON', 'a'.repeat(300), `${'a'.repeat(4_000)}.png`, 'é😀.png', '<script>.png', '"; x="y', 'a\tb.png',
];

describe('a path below the uploads', () => {
  it.each(traversal)('leads to a stored image or nowhere: %j', async (name) => {
    const { get, handle } = await withLogo();
    for (const place of [`${folder}/logo/1/${name}`, `${folder}/${name}`, `${folder}/logo/${name}/logo.png`, `${folder}/logo/1/${name}/logo.png`]) {
      const got = await handle({ method: 'GET', target: place, headers: {} });
      expect([got.status, got.body]).toEqual([404, '{"error":"404 Not Found"}']);
    }
    expect((await get(`${folder}/logo/1/logo.png`, { as: null })).status).toBe(200);
  });

  it.each([
    '', '/', '//', '/logo', '/logo/', '/logo/1', '/logo/1/', '/logo/2/logo.png', '/logo/01/logo.png', '/LOGO/1/logo.png', '/logo/1/LOGO.png',
    '/logo/1/logo.png/', '/logo//1/logo.png', '/./logo/1/logo.png', '/logo/1/../1/logo.png', '/logo/1/logo%2epng', '/logo/1/logo.png%00',
    '/logo/1/%6Cogo.png', '/logo/1/logo%', '/constructor/1/logo.png', '/__proto__/1/logo.png', '/favicon/1/logo.png',
  ])('is one spelling alone: %j is none', async (place) => {
    const { handle } = await withLogo();
    expect((await handle({ method: 'GET', target: folder + place, headers: {} })).status).toBe(404);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('is only read: %s is an unknown route', async (method) => {
    const { handle } = await withLogo();
    expect((await handle({ method, target: `${folder}/logo/1/logo.png`, headers: {} })).status).toBe(404);
  });
});

describe('the name of an uploaded file', () => {
  const put = async (name: string, to?: TestService) => {
    const service = to ?? await testService();
    const boundary = 'test-boundary';
    const head = `Content-Disposition: form-data; name="logo"; filename="${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    const body = Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), images.png, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const got = await service.put<Appearance>(path, { as: 'root', headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body });
    return { ...service, got };
  };

  it.each(traversal)('is stored in a safe form, and the image is served under that name only: %j', async (name) => {
    const { got, handle } = await put(name);
    expect(got.status).toBe(200);
    expect(got.body.logo).toMatch(/^\/uploads\/-\/system\/appearance\/logo\/1\/(?!\.+$)(?:[A-Za-z0-9.\-_+]|%[89A-F][0-9A-F]){1,255}$/);
    const served = await handle({ method: 'GET', target: got.body.logo!, headers: {} });
    expect([served.status, Buffer.from(served.body)]).toEqual([200, images.png]);
    expect(served.headers['content-disposition']).toMatch(/^inline; filename\*=UTF-8''[A-Za-z0-9.\-_%]{1,800}$/);
  });

  it('may be anything at all', async () => {
    const service = await testService();
    await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async (name) => {
      const { got, handle } = await put(name.replaceAll(/[\r\n]/g, ''), service);
      expect(got.status).toBe(200);
      expect((await handle({ method: 'GET', target: got.body.logo!, headers: {} })).status).toBe(200);
    }), { numRuns: runsOf(60), seed: 4 });
  });

  it('that is missing is accepted', async () => {
    const { put: send } = await testService();
    const body = Buffer.concat([Buffer.from('--b\r\nContent-Disposition: form-data; name="logo"\r\nContent-Type: application/octet-stream\r\n\r\n'),
      images.png, Buffer.from('\r\n--b--\r\n')]);
    const got = await send<Appearance>(path, { as: 'root', headers: { 'content-type': 'multipart/form-data; boundary=b' }, body });
    expect(got).toMatchObject({ status: 200, body: { logo: `${folder}/logo/1/unnamed` } });
  });
});

describe('what a stored image can do in a browser', () => {
  const scripted = Buffer.from('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>');

  it('is nothing for an SVG: a download, of a stated type, in a sandbox without sources', async () => {
    const { put, get } = await testService();
    const { body } = await put<Appearance>(path, { as: 'root', ...multipart({ logo: ['x.png', scripted] }) });
    const got = await get(body.logo!, { as: null });
    expect(got.headers).toMatchObject({
      'content-type': 'image/svg+xml', 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition': expect.stringMatching(/^attachment;/), 'x-frame-options': 'SAMEORIGIN',
    });
    expect(Buffer.from(got.text, 'latin1')).toEqual(scripted);
  });

  it.each(['image/svg+xml; charset=utf-8', 'IMAGE/SVG+XML', 'text/html', 'text/html\r\nset-cookie: a=b', 'image/png\r\n\r\n<script>', '', 'é'])(
    'is nothing for what a world says is %j', async (media_type) => {
      const { handle } = await testService({ world: {
        users: [], appearance: { logo: { file_name: 'a\r\nb.png', media_type, content: scripted.toString('base64') } },
      } });
      const got = await handle({ method: 'GET', target: `${folder}/logo/1/a__b.png`, headers: {} });
      expect(got.headers['content-disposition']).toBe("attachment; filename*=UTF-8''a__b.png");
      expect(got.headers['content-type']).toMatch(/^[\w.+-]+\/[\w.+-]+$/);
      expect(got.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'content-security-policy': "sandbox; default-src 'none'" });
    });

  it.each([['html', '<html><script>alert(1)</script>'], ['exe', images.exe], ['nothing', ''], ['svg behind text', ' x <svg onload=alert(1)>']])(
    'is never asked of what is no image: %s', async (_, content) => {
      const { put, get } = await testService();
      const refused = await put(path, { as: 'root', ...multipart({ logo: ['logo.png', Buffer.from(content)] }) });
      expect(refused.status).toBe(400);
      expect((await get<Appearance>(path, { as: 'root' })).body.logo).toBeNull();
    });
});

it('an image by its path is not read for who steers the server from afar', async () => {
  const { call, get } = await testService();
  for (const logo of ['/etc/passwd', './package.json', '../../etc/hosts']) {
    expect((await call('PUT', '/-/world', { body: `appearance: { logo: ${logo} }` })).status).toBe(422);
  }
  expect((await get('/projects/20')).status).toBe(200);
});

describe('the bytes of an upload', () => {
  const starts = ['89504e470d0a1a0a', 'ffd8ffe0', '474946383961', '52494646', '00000100', '504b0304', '3026b2758e66cf11', '1f8b08', '25504446', '4f676753',
    '664c6143', '494433', '1a45dfa3', '000000206674797061766966', '425a68', 'fd377a585a00', '4d4d002a', '49492a00', '38425053', '3c737667', '3c3f786d6c'];

  it('may be anything at all, and never break the server', async () => {
    const { put, close } = await testService();
    const bytes = fc.tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 400 }), fc.boolean())
      .map(([start, rest, twice]) => Buffer.concat([Buffer.from(start, 'hex'), rest, twice ? Buffer.alloc(5_000) : Buffer.alloc(0)]));
    await fc.assert(fc.asyncProperty(bytes, fc.constantFrom('logo', 'favicon'), async (content, mount) => {
      const got = await put(path, { as: 'root', ...multipart({ [mount]: ['a.png', content] }) });
      expect([200, 400]).toContain(got.status);
    }), { numRuns: runsOf(400), seed: 4 });
    await close();
  });
});
