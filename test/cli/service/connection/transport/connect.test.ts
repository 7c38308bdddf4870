import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  withActivity, draftMessage, newActivity, changeSummary, proxySettings,
  socketsTo, transportOver,
} from '../../../../../src/cli/service/connection/transport.js';
import { readBaseUrl } from '../../../../../src/client/base-url.js';
import { ConnectionError } from '../../../../../src/client/errors.js';
import type { HttpResponse } from '../../../../../src/wire/http.js';

vi.mock('../../../../../src/wire/timers.js', async () => (await import('../../../../support/fakeable-timers.js')).fakeableTimers());

const request = (method: string) => ({ method, target: '/api/v4/x?private=1', headers: {} });
const answering = (status: number) => async (): Promise<HttpResponse> => ({ status, headers: {}, body: '' });
const failing = (error: Error) => (): Promise<HttpResponse> => Promise.reject(error);
const noAnswer = (sent: boolean) => failing(new ConnectionError('no', 'POST /x', 'ECONNRESET', sent));

/** What the activity reports after these exchanges. */
const after = async (...exchanges: [method: string, transport: () => Promise<HttpResponse>][]) => {
  const activity = newActivity();
  for (const [method, transport] of exchanges) {
    await withActivity(transport, activity)(request(method)).catch(() => undefined);
  }
  return changeSummary(activity);
};

const unsure = 'POST /api/v4/x got no response and may have been stored: check before sending it again';

describe('the activity of a run', () => {
  it('omits read requests', async () => {
    expect(await after(['GET', answering(200)], ['HEAD', noAnswer(true)])).toBe('nothing was changed');
  });

  it('counts successful writes', async () => {
    expect(await after(['POST', answering(201)])).toBe('1 change was made');
    expect(await after(['POST', answering(201)], ['PUT', answering(200)], ['DELETE', answering(204)])).toBe('3 changes were made');
  });

  it('drops rejected requests and those that never reached the service', async () => {
    expect(await after(['POST', answering(429)], ['POST', answering(404)], ['PUT', noAnswer(false)])).toBe('nothing was changed');
  });

  it('drops a write if the service says that it stored nothing', async () => {
    const body = '{"message":"nothing was stored, try again"}';
    expect(await after(['POST', async () => ({ status: 503, headers: {}, body })])).toBe('nothing was changed');
  });

  it('lists writes that may have been stored: those without a response or with a server error', async () => {
    expect(await after(['POST', noAnswer(true)])).toBe(unsure);
    expect(await after(['POST', answering(500)])).toBe(unsure);
    expect(await after(['POST', failing(new Error('aborted'))])).toBe(unsure);
    expect(await after(['DELETE', answering(204)], ['POST', noAnswer(true)])).toBe(`1 change was made; ${unsure}`);
  });

  it('lists a request before it is sent', async () => {
    const activity = newActivity();
    await withActivity(async () => {
      expect(changeSummary(activity)).toBe(unsure);
      return answering(201)();
    }, activity)(request('POST'));
    expect(changeSummary(activity)).toBe('1 change was made');
  });
});

describe('a saved text', () => {
  it('is restored by --recover from the drafts folder alone', () => {
    const drafts = { pathOf: (name: string) => join('/state/drafts', name) };
    expect(draftMessage(drafts, join('/state/drafts', 'a.md'))).toMatch(/^draft saved; run again with --recover \(.*a\.md\)$/);
    expect(draftMessage(drafts, join('/elsewhere', 'a.md'))).toMatch(/^draft saved; send it with -F \(.*a\.md\)$/);
  });
});

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

describe('a request that the user wrote', () => {
  const over = async (status: number, options: { readonly dryRun?: boolean; readonly retries?: number }) => {
    const activity = newActivity();
    let sent = 0;
    const time = { now: () => 0, sleep: async () => undefined, random: () => 0 };
    const transport = await transportOver(async () => { sent++; return answering(status)(); },
      { url: { href: 'http://a.example' }, token: 'secret', activity, time, dryRun: false, ...options });
    const outcome = await transport(request('PUT')).then((response) => response.status, (error: Error) => error.name);
    return { outcome, sent, changes: changeSummary(activity) };
  };

  it('is noted as a change, and not sent in a dry run', async () => {
    expect(await over(200, {})).toEqual({ outcome: 200, sent: 1, changes: '1 change was made' });
    expect(await over(200, { dryRun: true })).toEqual({ outcome: 'DryRun', sent: 0, changes: 'nothing was changed' });
  });

  it('has no deadline besides those of the sockets', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'hrtime'] });
    const slow = () => new Promise<HttpResponse>((resolve) => { setTimeout(() => resolve({ status: 200, headers: {}, body: '' }), 500_000); });
    const transport = await transportOver(slow, { url: { href: 'http://a.example' }, token: null, activity: newActivity(), dryRun: false });
    const response = transport(request('GET'));
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
