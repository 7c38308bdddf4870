import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { violations } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { injections } from '../support/injections.js';
import { ended, newHome, program } from '../support/program.js';

const open = useBrowser();

interface Ready { readonly url: string; readonly tokens: Readonly<Record<string, string>> }

/** The built program, until the test ends. */
const served = async (...flags: string[]) => {
  const { home, env } = newHome();
  const child = spawn(process.execPath, [program, 'serve', '--json', ...flags], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const left = ended(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await left;
  });
  const printed = once(child.stderr, 'data') as Promise<[string]>;
  const [line] = await Promise.race([once(child.stdout, 'data'), left.then(({ err }) => { throw new Error(err); })]) as [string];
  const { url, tokens } = JSON.parse(line) as Ready;
  const address = /http\S+/.exec(String((await printed)[0]))![0];
  const call = (method: string, path: string, body?: unknown) => fetch(url + path, {
    method, headers: { 'private-token': tokens['ada']!, 'content-type': 'application/json' }, ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { url, address, call };
};

const discussions = '/api/v4/projects/acme%2Fapp/merge_requests/12/discussions';

describe('the inspector in a browser', () => {
  it('takes the token out of its address, and shows requests as they come', async () => {
    const { address, url, call } = await served();
    const { page, watched } = await open(address);
    await page.getByText('Live.').waitFor();
    expect(page.url()).toBe(`${url}/-/`);
    await call('POST', `${discussions}?colour=red`, { body: 'from a script' });
    await call('GET', '/api/v4/versions');
    await page.getByText('nothing serves this').waitFor();
    expect(await page.locator('.request .code').allTextContents()).toEqual(['404', '201']);
    await page.locator('.request').last().locator('summary').first().click();
    await page.getByLabel('Body of the request').getByText('from a script').waitFor();
    await page.reload();
    await page.getByText('nothing reads colour').waitFor();
    expect(watched.errors).toEqual([]);
    expect(watched.requests.filter((one) => !one.startsWith(`${url}/-/`))).toEqual([]);
  });

  it('shows the requests that pass its filter, also of those that come later', async () => {
    const { address, call } = await served();
    const { page, watched } = await open(address);
    await page.getByText('Live.').waitFor();
    await call('POST', discussions, { body: 'x' });
    await call('GET', '/api/v4/version');
    await page.locator('.request').nth(1).waitFor();
    await page.getByLabel('Filter').fill('post */discussions');
    await call('GET', '/api/v4/user');
    await page.locator('.request').nth(2).waitFor({ state: 'attached' });
    const visible = () => page.locator('.request:visible .method').allTextContents();
    expect(await visible()).toEqual(['POST']);
    await page.getByLabel('Filter').fill('');
    expect(await visible()).toEqual(['GET', 'GET', 'POST']);
    expect(watched.errors).toEqual([]);
  });

  it('shows threads, epics, appearance and webhooks of the world that is chosen', async () => {
    const { address, call } = await served();
    await call('POST', `/w/one${discussions}`, { body: 'only in one' });
    const { page, watched } = await open(address);
    await page.getByRole('button', { name: 'Threads' }).click();
    await page.getByRole('button', { name: '!12 Try failed deliveries again' }).click();
    await page.getByText('What happens to a message after the last attempt?').waitFor();
    expect(await page.getByText('only in one').count()).toBe(0);
    await page.getByLabel('World').selectOption('one');
    await page.getByRole('button', { name: '!12 Try failed deliveries again' }).click();
    await page.getByText('only in one').waitFor();
    await page.getByRole('button', { name: 'Epics' }).click();
    await page.getByText('&1 Report page').waitFor();
    await page.getByRole('button', { name: 'Appearance' }).click();
    await page.getByText('A test server for').waitFor();
    expect(await page.locator('.live .bar').first().evaluate((bar) =>
      (bar as unknown as { ownerDocument: { defaultView: { getComputedStyle: (of: unknown) => { backgroundColor: string } } } })
        .ownerDocument.defaultView.getComputedStyle(bar).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)');
    await page.getByRole('button', { name: 'Webhooks' }).click();
    await page.getByText('Nothing has been delivered').waitFor();
    await page.getByRole('button', { name: 'Delete world' }).click();
    await page.getByText('Deleted one.').waitFor();
    expect(watched.errors).toEqual([]);
  });

  it('goes back to the world of the server when a test deletes its own, and does not make it again', async () => {
    const { address, call } = await served();
    await call('POST', `/w/one${discussions}`, { body: 'only in one' });
    const { page } = await open(address);
    await page.getByLabel('World').selectOption('one');
    await page.locator('.request').first().waitFor();
    expect((await call('DELETE', '/-/worlds/one')).status).toBe(204);
    await page.locator('#world:has(option:only-child)').waitFor();
    await page.getByText('Live.').waitFor();
    await page.waitForTimeout(1_500);
    expect(await (await call('GET', '/-/worlds')).json()).toEqual([]);
    expect(await page.getByLabel('World').inputValue()).toBe('');
  });

  it('adds and removes faults, advances the clock, and resets', async () => {
    const { address, call } = await served();
    const { page, watched } = await open(address);
    await page.getByRole('button', { name: 'Faults' }).click();
    await page.getByLabel('New rule').fill('GET /user => status 503');
    await page.keyboard.press('Enter');
    await page.getByText('0 hits').waitFor();
    expect((await call('GET', '/api/v4/user')).status).toBe(503);
    await page.getByText('1 hit', { exact: true }).waitFor();
    await page.getByLabel('New rule').fill('nonsense');
    await page.keyboard.press('Enter');
    await page.locator('#status', { hasText: 'no "ON => DO" in "nonsense"' }).waitFor();
    expect(await page.getByLabel('New rule').inputValue()).toBe('nonsense');
    await page.getByRole('button', { name: 'Remove rule 1' }).click();
    await page.getByText('There are none.').waitFor();
    expect((await call('GET', '/api/v4/user')).status).toBe(200);
    await page.getByLabel('Advance by').fill('2h');
    await page.keyboard.press('Enter');
    await page.getByText(', frozen').waitFor();
    await call('POST', discussions, { body: 'to be gone' });
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.locator('#status', { hasText: 'Reset.' }).waitFor();
    expect(await (await call('GET', discussions)).text()).not.toContain('to be gone');
    expect(watched.errors.filter((text) => !text.includes('400'))).toEqual([]);
  });

  it('shows and changes nothing without its token', async () => {
    const { url } = await served();
    const { page } = await open(`${url}/-/`);
    await page.getByText('Which server is this?').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.getByLabel('Token').fill('wrong');
    await page.keyboard.press('Enter');
    await page.locator('#status', { hasText: 'The token is not that of this server.' }).waitFor();
    await page.getByText('Which server is this?').waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    expect(await page.locator('#view').innerHTML()).toBe('');
  });

  it('cannot be used by a page of another origin', async () => {
    const { url, address } = await served();
    const other = createServer((_, response) => { response.setHeader('content-type', 'text/html').end('<p>other</p>'); });
    onTestFinished(() => { other.close(); other.closeAllConnections(); });
    await new Promise<void>((resolve) => { other.listen(0, '127.0.0.1', resolve); });
    const { page } = await open(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const [, token] = address.split('#');
    const outcomes = await page.evaluate(`Promise.all([
      fetch('${url}/-/reset', { method: 'POST', mode: 'no-cors' }).then(() => fetch('${url}/-/requests')).then((one) => one.text(), () => 'blocked'),
      fetch('${url}/-/inspector/threads', { headers: { authorization: 'Bearer ${token}' } }).then((one) => one.text(), () => 'blocked'),
      new Promise((resolve) => { const frame = document.createElement('iframe'); frame.src = '${url}/-/'; frame.onload = () => {
        try { resolve(frame.contentDocument ? 'read' : 'blocked'); } catch { resolve('blocked'); } }; document.body.append(frame); }),
    ])`);
    expect(outcomes).toEqual(['blocked', 'blocked', 'blocked']);
  });

  it('opens from a link of another page, whose images, forms and sockets change nothing', async () => {
    const { url, call } = await served();
    const other = createServer((_, response) => { response.setHeader('content-type', 'text/html').end('<p>other</p>'); });
    onTestFinished(() => { other.close(); other.closeAllConnections(); });
    await new Promise<void>((resolve) => { other.listen(0, '127.0.0.1', resolve); });
    const before = await (await call('GET', discussions)).text();
    const { port } = other.address() as AddressInfo;
    for (const host of ['127.0.0.1', 'localhost']) {
      const { page } = await open(`http://127.0.0.1:${port}/`);
      const target = url.replace('127.0.0.1', host);
      await page.context().unrouteAll();
      await page.evaluate(`Promise.all([
        ...Array.from({ length: 20 }, (_, i) => ['/w/evil' + i + '/-/requests', '/w/own' + i + '/api/v4/version?private_token=ada-token']).flat()
          .map((path) => new Promise((resolve) => { const image = new Image(); image.onload = image.onerror = resolve; image.src = '${target}' + path; })),
        new Promise((resolve) => { const frame = document.createElement('iframe'); frame.name = 'sent'; document.body.append(frame);
          const form = document.createElement('form'); Object.assign(form, { method: 'post', target: 'sent', action: '${target}${discussions}' });
          form.innerHTML = '<input name="private_token" value="ada-token"><input name="body" value="from a form">'; document.body.append(form);
          frame.onload = resolve; form.submit(); }),
        fetch('${target}/-/reset', { method: 'POST', mode: 'no-cors' }).catch(() => null),
        new Promise((resolve) => { const socket = new WebSocket('${target.replace('http', 'ws')}/w/socket/-/requests'); socket.onclose = resolve; }),
        navigator.sendBeacon('${target}/w/beacon/-/reset'),
      ])`);
      await page.evaluate(`location.href = '${target}/-/'`);
      await page.getByRole('heading', { name: 'Colloquy inspector' }).waitFor();
    }
    expect(await (await call('GET', '/-/worlds')).json()).toEqual([]);
    expect(await (await call('GET', discussions)).text()).toBe(before);
  });

  it('runs and loads nothing that texts of users ask for', async () => {
    const { address, call } = await served();
    for (const text of injections) await call('POST', `${discussions}?${encodeURIComponent(text)}=1`, { body: text });
    const { page, watched } = await open(address);
    await page.locator('.request').first().waitFor();
    await page.locator('.request').first().locator('summary').first().click();
    await page.getByLabel('Body of the request').waitFor();
    await page.getByRole('button', { name: 'Threads' }).click();
    await page.getByRole('button', { name: '!12 Try failed deliveries again' }).click();
    await page.locator('.note').nth(injections.length).waitFor();
    expect(await page.evaluate('window.canary')).toBeUndefined();
    expect([watched.dialogs, watched.popups, watched.errors]).toEqual([[], [], []]);
    expect(watched.requests.filter((one) => !one.startsWith(new URL(address).origin))).toEqual([]);
  });

  it.each([[1280, 'light'], [1280, 'dark'], [400, 'light'], [400, 'dark']] as const)(
    'is accessible and fits at %i pixels, %s', { timeout: 60_000 }, async (width, colorScheme) => {
      const { address, call } = await served();
      await call('POST', `${discussions}?colour=red`, { body: 'x'.repeat(400) });
      await call('GET', '/api/v4/versions');
      const { page } = await open(address, { viewport: { width, height: 800 }, colorScheme });
      await page.locator('.request').first().waitFor();
      for (const name of ['Requests', 'Threads', 'Epics', 'Appearance', 'Faults', 'Webhooks']) {
        await page.getByRole('button', { name, exact: true }).click();
        await page.getByRole('heading', { name, exact: true }).waitFor();
        if (name === 'Requests') await page.locator('.request').first().locator('summary').first().click();
        if (name === 'Threads') await page.locator('.places button').first().click();
        await page.waitForTimeout(200);
        expect([name, await violations(page)]).toEqual([name, []]);
        expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
      }
    });
});
