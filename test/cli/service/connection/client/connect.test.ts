import { describe, expect, it, vi } from 'vitest';
import { changeSummary } from '../../../../../src/cli/run.js';
import { newActivity, openTransportTo, proxySettings, socketsTo } from '../../../../../src/cli/service/connection/client.js';
import { readBaseUrl } from '../../../../../src/client/base-url.js';
import type { HttpResponse } from '../../../../../src/wire/http.js';

vi.mock('../../../../../src/wire/time.js', async () => (await import('../../../../support/fakeable-timers.js')).fakeableTimers());

describe('the proxy of the environment', () => {
  it('may be written in capitals or not; for http the small one wins, because a web server may set the other', () => {
    expect(proxySettings({ HTTPS_PROXY: 'a', https_proxy: 'b', HTTP_PROXY: 'c', http_proxy: 'd', NO_PROXY: 'e', no_proxy: 'f' }))
      .toEqual({ proxy: { https: 'a', http: 'd' }, noProxy: 'e' });
    expect(proxySettings({ https_proxy: 'b', HTTP_PROXY: 'c', no_proxy: 'f' })).toEqual({ proxy: { https: 'b', http: 'c' }, noProxy: 'f' });
    expect(proxySettings({})).toEqual({ proxy: { https: undefined, http: undefined }, noProxy: undefined });
  });

  const to = (href: string, env: Record<string, string>) => socketsTo(env, { url: readBaseUrl(href), tls: {} });

  it.each([
    ['https://a.example', { HTTPS_PROXY: 'socks5://me:secret@p', https_proxy: 'http://p' }, 'HTTPS_PROXY'], ['https://a.example', { https_proxy: 'ftp://p' }, 'https_proxy'],
    ['http://a.example', { HTTP_PROXY: 'ftp://p' }, 'HTTP_PROXY'], ['http://a.example', { http_proxy: 'ftp://p', HTTP_PROXY: 'http://p' }, 'http_proxy'],
  ])('that cannot be used for %s is named by its variable, without its password: %j', async (href, env, name) => {
    await expect(to(href, env)).rejects.toMatchObject({
      code: 'usage', message: `${name}: the proxy is not an http or https URL`, hint: `set ${name} to http://host:port`,
    });
  });

  it('does no harm where it is not used', async () => {
    expect(await to('http://a.example', { https_proxy: 'ftp://p' })).toBeTypeOf('function');
    expect(await to('http://a.example', { http_proxy: 'ftp://p', NO_PROXY: 'a.example' })).toBeTypeOf('function');
  });
});

const request = { method: 'GET', target: '/api/v4/x?private=1', headers: {} };
const connection = { url: readBaseUrl('http://a.example'), tls: {}, token: null, dryRun: false, once: 'text' as const };

describe('a request that the user wrote', () => {
  const over = async (status: number, options: { readonly dryRun?: boolean; readonly retries?: number }) => {
    const activity = newActivity();
    let sent = 0;
    const time = { now: () => 0, sleep: async () => undefined, random: () => 0 };
    const transport = await openTransportTo({ openSockets: async () => async () => { sent++; return { status, headers: {}, body: '' }; } },
      { ...connection, token: 'secret', activity, time, ...options });
    const outcome = await transport({ ...request, method: 'PUT' }).then((response) => response.status, (error: Error) => error.name);
    return { outcome, sent, changes: changeSummary(activity) };
  };

  it('is noted as a change, and not sent in a dry run', async () => {
    expect(await over(200, {})).toEqual({ outcome: 200, sent: 1, changes: '1 change was made' });
    expect(await over(200, { dryRun: true })).toEqual({ outcome: 'DryRun', sent: 0, changes: 'nothing was changed' });
  });

  it('has no deadline besides those of the sockets', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'hrtime'] });
    const slow = () => new Promise<HttpResponse>((resolve) => { setTimeout(() => resolve({ status: 200, headers: {}, body: '' }), 500_000); });
    const transport = await openTransportTo({ openSockets: async () => slow }, { ...connection, activity: newActivity() });
    const response = transport(request);
    await vi.advanceTimersByTimeAsync(500_000);
    vi.useRealTimers();
    expect(await response).toMatchObject({ status: 200 });
  });

  it('is repeated after a server error only if --retries says how often', async () => {
    expect(await over(500, {})).toMatchObject({ outcome: 500, sent: 1 });
    expect(await over(500, { retries: 2 })).toMatchObject({ outcome: 500, sent: 3 });
    expect(await over(500, { retries: 0 })).toMatchObject({ outcome: 500, sent: 1 });
  });
});
