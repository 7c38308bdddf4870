import { describe, expect, it } from 'vitest';
import { previewSite, type PageRequest } from '../../../../src/cli/appearance/preview/site.js';
import type { Preview } from '../../../../src/cli/appearance/preview/page.js';
import { injections } from '../../../support/injections.js';
import { elementsIn } from '../../../support/markup.js';
import { image, liveState, nextState, noImages, previewOf } from '../../../support/preview.js';

/** The page in memory. */
const siteOf = (preview: Preview) => {
  let shown = preview;
  let refreshed = 0;
  const site = previewSite({ host: '127.0.0.1:4000', secret: 'secret', redeem: (code) => code === 'code' }, {
    current: async () => shown, refresh: async () => { refreshed++; },
  });
  const get = async (path: string, others: Partial<PageRequest> = {}) => {
    const { status, headers, body } = await site({
      method: 'GET', path, host: '127.0.0.1:4000', site: 'same-origin', destination: 'empty', ...others,
    });
    return { status, headers, body: String(body) };
  };
  return { get, show: (next: Preview) => { shown = next; }, refreshed: () => refreshed };
};

const both = previewOf(liveState, nextState);
const page = async (preview: Preview) => (await siteOf(preview).get('/secret/')).body;

describe('the preview page', () => {
  it('shows both states, the changed fields and the checks', async () => {
    const text = await page(previewOf(liveState, nextState, { checks: [{ level: 'warning', message: 'low contrast' }] }));
    expect(text).toContain('<p class="brand-title" dir="auto">Acme</p>');
    expect(text).toContain('<p class="brand-title" dir="auto">Acme Forge</p>');
    expect(text).toContain('11 fields change: title, ');
    expect(text).toContain('<strong>Warning:</strong> low contrast');
  });

  it('shows only the live state without a document', async () => {
    const text = await page(previewOf(liveState, null));
    expect(text).toContain('class="before"');
    expect(text).not.toContain('class="after"');
    expect(text).not.toContain('checks');
    expect(text).not.toContain('class="badge');
  });

  it('says that a document changes nothing', async () => {
    expect(await page(previewOf(liveState, liveState))).toContain('The document changes nothing.');
  });

  it('names changed fields that it cannot show', async () => {
    const after = { ...liveState, fields: { ...liveState.fields, pwa_name: 'Acme' } };
    expect(await page(previewOf(liveState, after))).toContain('Not visible on the pages below: pwa_name.');
  });

  it('shows why the document cannot be read, above the last good state', async () => {
    const text = await page(previewOf(liveState, nextState, { problem: { message: 'a.yaml:3: bad <key>', hint: 'fix it' } }));
    expect(text).toContain('<strong>a.yaml:3: bad &lt;key&gt;</strong>');
    expect(text).toContain('Acme Forge');
  });

  it('shows header and footer of emails only if they are enabled', async () => {
    const email = (text: string) => text.slice(text.indexOf('id="email"'));
    expect(email(await page(previewOf(nextState, null)))).toContain('Header: </span>Maintenance');
    const disabled = { ...nextState, fields: { ...nextState.fields, email_header_and_footer_enabled: false } };
    expect(email(await page(previewOf(disabled, null)))).not.toContain('Header: ');
  });

  it('reads the live state again when it is loaded again, and only then', async () => {
    const { get, refreshed } = siteOf(both);
    for (const path of ['', 'version', 'content', 'colors.css', 'page.css', 'page.js']) await get(`/secret/${path}`);
    expect(refreshed()).toBe(0);
    await get('/secret/');
    expect(refreshed()).toBe(1);
  });

  it('has a version that changes with every part of it', async () => {
    const changes: Preview[] = [
      both, previewOf(liveState, liveState), previewOf(liveState, null), previewOf(nextState, nextState),
      previewOf(liveState, { ...nextState, images: noImages }),
      previewOf(liveState, { ...nextState, images: { ...noImages, logo: image('logo.svg', Buffer.from('<svg/>'), 'image/svg+xml') } }),
      previewOf(liveState, nextState, { problem: { message: 'a', hint: null } }),
      previewOf(liveState, nextState, { checks: [{ level: 'error', message: 'a' }] }),
    ];
    const { get, show } = siteOf(both);
    const versions = [];
    for (const change of changes) {
      show(change);
      versions.push((await get('/secret/version')).body);
    }
    expect(new Set(versions).size).toBe(changes.length);
    show(both);
    expect((await get('/secret/version')).body).toBe(versions[0]);
    expect((await get('/secret/content')).body).toContain(`data-version="${versions[0]}"`);
  });
});

describe('images on the preview page', () => {
  const urls = (text: string) => [...text.matchAll(/<img [^>]*src="([^"]+)"/g)].map(([, url]) => url!);

  it('are served with their type under a policy that runs no scripts', async () => {
    const { get } = siteOf(both);
    const found = urls((await get('/secret/')).body);
    expect(found.length).toBeGreaterThan(3);
    for (const url of found) {
      const { status, headers } = await get(`/secret/${url}`);
      expect([status, headers['content-type']]).toEqual([200, url.includes('favicon') ? 'image/png' : 'image/svg+xml']);
      expect(headers['content-security-policy']).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    }
  });

  it.each(['text/html', 'application/pdf', 'image/tiff', null])('of the type %s are not served', async (type) => {
    const odd = image('logo', Buffer.from('<script>'), type);
    const { get } = siteOf(previewOf({ ...liveState, images: { ...noImages, logo: odd } }, null));
    const { body } = await get('/secret/');
    expect(urls(body)).toEqual([]);
    expect(body).toContain('Logo has an unknown format');
  });

  it('that cannot be read have a placeholder', async () => {
    const unread = { ...liveState, images: { ...noImages, logo: { filename: 'logo.png', bytes: null, type: null } } };
    expect(await page(previewOf(unread, null))).toContain('Logo cannot be read');
  });

  it.each(['images/before/logo-00000000', 'images/other/logo-00000000', 'images/before/title-00000000', 'images/__proto__/logo-00000000',
    'constructor', '__proto__', '../secret/', 'images/before/logo'])('have no other URLs, such as %s', async (path) => {
    expect((await siteOf(both).get(`/secret/${path}`)).status).toBe(404);
  });
});

describe('requests to the preview page', () => {
  it('need the secret in the path', async () => {
    const { get } = siteOf(both);
    for (const path of ['/', '/secret', '/favicon.ico', '/other/', '//secret/', '', '*', 'http://127.0.0.1:4000/secret/']) {
      expect((await get(path)).status, path).toBe(404);
    }
  });

  it.each(['localhost:4000', 'evil.invalid:4000', '127.0.0.1', '127.0.0.1:4001', '127.0.0.1:4000.evil.invalid', undefined])(
    'are rejected for the host %s', async (host) => {
      expect((await siteOf(both).get('/secret/', { host })).status).toBe(403);
    });

  it.each([
    ['none', 'document', 200], ['same-origin', 'empty', 200], [undefined, undefined, 200], ['cross-site', 'document', 200],
    ['cross-site', 'iframe', 403], ['cross-site', 'empty', 403], ['cross-site', 'script', 403], ['same-site', 'image', 403], ['same-site', undefined, 403],
  ])('of browsers with Sec-Fetch-Site %s and Sec-Fetch-Dest %s get %i', async (site, destination, status) => {
    expect((await siteOf(both).get('/secret/', { site, destination })).status).toBe(status);
  });

  it('with a code in place of the secret are sent on to the page, unless another page or method asks', async () => {
    const { get } = siteOf(both);
    const sent = await get('/open/code');
    expect(sent).toMatchObject({ status: 303, headers: { 'location': '/secret/', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } });
    for (const path of ['/open/other', '/open/', '/open/code/']) {
      const { status, headers, body } = await get(path);
      expect({ status, isSent: 'location' in headers, tells: body.includes('secret') }, path).toEqual({ status: 410, isSent: false, tells: false });
    }
    expect((await get('/open/code', { method: 'HEAD' })).status).toBe(405);
    expect((await get('/open/code', { site: 'cross-site', destination: 'image' })).status).toBe(403);
    expect((await get('/open/code', { host: 'evil.invalid' })).status).toBe(403);
  });

  it.each([['HEAD', 200], ['POST', 405], ['DELETE', 405], ['OPTIONS', 405]])('with the method %s get %i', async (method, status) => {
    expect((await siteOf(both).get('/secret/', { method })).status).toBe(status);
  });

  it('get responses that are not stored, framed or taken for another type', async () => {
    const { get } = siteOf(both);
    for (const path of ['/secret/', '/secret/content', '/secret/page.js', '/secret/colors.css', '/secret/none', '/']) {
      const { headers } = await get(path);
      expect(headers, path).toMatchObject({
        'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      });
      expect(headers['content-security-policy'], path).toMatch(/^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/);
      expect(headers['content-security-policy'], path).not.toContain('unsafe');
    }
  });
});

describe('untrusted values on the preview page', () => {
  it.each(injections)('are text in every field and file name: %j', async (text) => {
    const odd = image(text, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml');
    const fields = Object.fromEntries(Object.keys(nextState.fields).map((name) => [name, text]));
    const hostile = { fields, images: { logo: odd, header_logo: odd, favicon: odd } } as unknown as typeof nextState;
    const { get } = siteOf(previewOf(hostile, { ...hostile, images: noImages }, {
      service: text, document: { name: text, after: liveState }, checks: [{ level: 'error', message: text }], problem: { message: text, hint: text },
    }));
    const { body } = await get('/secret/');
    const tags = [...body.matchAll(/<([a-z0-9]+)/gi)].map(([, tag]) => tag!);
    expect(tags.filter((tag) => /^(iframe|object|embed|svg|math|style|base|form|video|audio|template|textarea|button|details)$/i.test(tag))).toEqual([]);
    expect(tags.filter((tag) => tag === 'script' || tag === 'meta' || tag === 'link')).toHaveLength(7);
    expect(elementsIn(body).flatMap(([, ...attributes]) => attributes).filter((name) => /^(on\w+|style)$/i.test(name))).toEqual([]);
    expect((await get('/secret/colors.css')).body).toBe(`.before .bar { }
.after .bar { background-color: #E75E40; color: #FFFFFF; }
.swatch.after.message_background_color { background-color: #E75E40; }
.swatch.after.message_font_color { background-color: #FFFFFF; }
`);
  });
});
