import { describe, expect, it } from 'vitest';
import { injections } from '../../../support/injections.js';
import { elementsIn } from '../../../support/markup.js';
import { inspected } from '../../../support/inspected.js';

const discussions = '/projects/20/issues/1/discussions';

describe('the inspector', () => {
  it('is a page that anybody may load and that has nothing of the world', async () => {
    const { get, address, token } = await inspected({ controlToken: 'key' });
    expect(address).toBe('http://service.test/-/');
    for (const name of ['', 'inspector/page.css', 'inspector/page.js', 'inspector/icon.svg']) {
      const { status, headers, text } = await get(`/-/${name}`, { as: null });
      expect([name, status]).toEqual([name, 200]);
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
      expect(text).not.toMatch(/https?:(?!\/\/www\.w3\.org)|acme|developer/);
      expect(text).not.toContain(token);
    }
  });

  it('shows nothing without its token, or that of the control plane', async () => {
    const { get, headers } = await inspected({ controlToken: 'key' });
    for (const name of ['requests', 'threads', 'epics', 'appearance', 'faults', 'hooks', 'live']) {
      expect([name, (await get(`/-/inspector/${name}`, { as: null })).status]).toEqual([name, 401]);
      expect((await get(`/-/inspector/${name}`, { as: 'owner' })).status).toBe(401);
    }
    expect((await get('/-/inspector/threads', { as: null, headers })).status).toBe(200);
    expect((await get('/-/inspector/threads', { headers: { authorization: 'Bearer key' } })).status).toBe(200);
  });

  it('needs its token also where the rest of the control plane is open to programs', async () => {
    const { get, headers } = await inspected();
    for (const name of ['requests', 'threads', 'epics', 'appearance', 'faults', 'hooks', 'live']) {
      expect([name, (await get(`/-/inspector/${name}`, { as: null })).status]).toEqual([name, 401]);
      expect((await get(`/w/one/-/inspector/${name}`, { as: null })).status).toBe(401);
      expect((await get(`/-/inspector/${name}`, { as: null, headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
    }
    expect((await get('/-/inspector/threads', { as: null, headers })).status).toBe(200);
    expect((await get('/-/requests', { as: null })).status).toBe(200);
  });

  it('opens for its key where the control plane is closed to others', async () => {
    const { get, headers } = await inspected({ allowedHosts: ['tests.example'] });
    expect((await get('/-/inspector/threads')).status).toBe(403);
    expect((await get('/-/inspector/threads', { headers })).status).toBe(200);
  });

  it('knows no other views', async () => {
    const { get, headers } = await inspected();
    for (const name of ['nothing', 'constructor', '__proto__']) {
      expect((await get(`/-/inspector/${name}`, { as: null, headers })).status).toBe(404);
    }
  });

  it('opens once with a code, which then is the token in a part of the address that no server sees', async () => {
    const { get, service, token } = await inspected({ controlToken: 'key' });
    const path = new URL(service.inspectorUrlForOnce()).pathname;
    expect(path).not.toContain(token);
    expect(await get(path, { as: null })).toMatchObject({ status: 303, headers: { location: `../../#${token}` } });
    expect(await get(path, { as: null })).toMatchObject({ status: 410 });
  });

  it('has another token for every server', async () => {
    expect((await inspected({ seed: 1 })).token).not.toBe((await inspected({ seed: 1 })).token);
  });

  it('shows the rules of faults with their hits', async () => {
    const { faults, get, text } = await inspected();
    await faults(['GET /projects/*/issues/*/discussions => status 500 times=1'], 7);
    await get(discussions).catch(() => undefined);
    expect(await text('faults')).toMatch(/GET \/projects\/\*\/issues\/\*\/discussions → status 500\s+times 1\s*1 hit[^]*Seed 7/);
  });

  it('shows an isolated world below its own address', async () => {
    const { post, view } = await inspected();
    await post(`/w/one/api/v4${discussions}`, { json: { body: 'only here' } });
    expect((await view('requests', '', '/w/one')).html).toContain('/discussions');
    expect((await view('requests')).html).toContain('There are none yet');
  });

  it.each(injections)('keeps texts of users as they are: %s', async (hostile) => {
    const { post, put, get, view } = await inspected();
    await post(`${discussions}?${encodeURIComponent(hostile)}=1`, { json: { body: hostile, [hostile]: 1 } });
    await put('/application/appearance', { as: 'root', json: { title: hostile, description: hostile, header_message: hostile, message_font_color: hostile } });
    await post('/groups/10/epics', { as: 'owner', json: { title: hostile, labels: hostile } });
    await put('/-/faults', { json: { rules: [{ on: 'POST /x', do: 'status 500', body: hostile }] } });
    const ids = (await get<{ id: string }[]>('/-/requests')).body.map(({ id }) => id);
    const shown = [
      ...await Promise.all(['requests', 'threads', 'epics', 'appearance', 'faults', 'hooks'].map((name) => view(name))),
      ...await Promise.all(ids.map((id) => view('requests', id))),
      await view('threads', 'issue acme/app #1'),
    ];
    for (const { html, styles } of shown) {
      for (const [tag, ...attributes] of elementsIn(html)) {
        expect(['script', 'style', 'iframe', 'object', 'embed', 'svg', 'math', 'link', 'base', 'meta', 'a', 'video', 'template']).not.toContain(tag);
        for (const name of attributes) expect(name).not.toMatch(/^on|style|srcset|^(form)?action$|^ping$/i);
      }
      expect(html).not.toMatch(/src="(?!data:image\/)/);
      expect(styles).not.toMatch(/url\(|@import|\bbody\b/);
    }
  });
});
