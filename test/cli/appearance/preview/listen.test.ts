import { get } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { previewHost, listenOnLoopback } from '../../../../src/cli/appearance/preview/listen.js';
import type { PageRequest, PageResponse } from '../../../../src/cli/appearance/preview/site.js';

const response: PageResponse = { status: 200, headers: { 'content-type': 'text/plain' }, body: 'page' };

/** A page on a socket until the test ends. */
const listening = async (answer: () => PageResponse) => {
  const requests: PageRequest[] = [];
  const faults: unknown[] = [];
  const { url, close } = await listenOnLoopback(0, () => async (request) => {
    requests.push(request);
    return answer();
  }, (error) => faults.push(error), () => new Date());
  onTestFinished(close);
  return { url, requests, faults, close };
};

describe('the page on a socket', () => {
  it('is on a loopback address below a secret that differs every time', async () => {
    const [one, other] = [await listening(() => response), await listening(() => response)];
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
    expect(new URL(one.url).pathname).not.toBe(new URL(other.url).pathname);
  });

  it('passes requests on and responds', async () => {
    const { url, requests } = await listening(() => response);
    expect(await (await fetch(`${url}x?y`)).text()).toBe('page');
    const { host, pathname } = new URL(url);
    expect(requests).toMatchObject([{ method: 'GET', path: `${pathname}x?y`, host }]);
  });

  it('passes the Host header on as it is', async () => {
    const { url, requests } = await listening(() => response);
    await new Promise((resolve) => { get(url, { headers: { host: 'evil.invalid' }, agent: false }, (got) => resolve(got.resume())); });
    expect(requests).toMatchObject([{ host: 'evil.invalid' }]);
  });

  it('sends no body for HEAD', async () => {
    const { url } = await listening(() => response);
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.headers.get('content-length'), await head.text()]).toEqual(['4', '']);
  });

  it('reports errors and goes on', async () => {
    let isBroken = true;
    const { url, faults } = await listening(() => {
      if (isBroken) throw new Error('broken');
      return response;
    });
    await expect(fetch(url)).rejects.toThrow();
    expect(faults).toMatchObject([{ message: 'broken' }]);
    isBroken = false;
    expect((await fetch(url)).status).toBe(200);
  });

  it('closes open connections when it ends', async () => {
    const { url, close } = await listening(() => response);
    await fetch(url);
    await close();
    await expect(fetch(url)).rejects.toThrow();
  });

  it.each([[80, '127.0.0.1'], [8080, '127.0.0.1:8080']])('has for the port %i the host that browsers send', (port, host) => {
    expect(previewHost(port)).toBe(host);
  });
});
