import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileTypeFromBuffer } from 'file-type';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { violations } from '../support/axe.js';
import { useBrowser, type Watched } from '../support/browser.js';
import { images } from '../support/images.js';
import { injections } from '../support/injections.js';
import { image, liveState, nextState, noImages, pngImage, previewOf, servedPreview } from '../support/preview.js';

const open = useBrowser();

const warnings = [{ level: 'warning', message: 'contrast of #fff on #E75E40 is 3.4' }] as const;
const both = previewOf(liveState, nextState, { checks: warnings });
const withTitle = (title: string) => previewOf(liveState, { ...nextState, fields: { ...nextState.fields, title } });

interface StyledDocument { readonly defaultView: { readonly getComputedStyle: (of: unknown) => Readonly<Record<string, string>> } }

const narrow = { width: 400, height: 800 };

describe('the preview in a browser', () => {
  it('shows the live state and the state after the document side by side', async () => {
    const { url, faults } = await servedPreview(both);
    const { page, watched } = await open(url);
    const scene = page.locator('.scene').first();
    const [before, after] = [scene.locator('.before'), scene.locator('.after')];
    expect(await before.locator('.brand-title').textContent()).toBe('Acme');
    expect(await after.locator('.brand-title').textContent()).toBe('Acme Forge');
    const [left, right] = [(await before.boundingBox())!, (await after.boundingBox())!];
    expect(left.y).toBe(right.y);
    expect(right.x).toBeGreaterThanOrEqual(left.x + left.width);
    expect(watched.errors).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows the bars in the colors of each state', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url);
    const colors = (side: string) => page.locator(`.${side} .bar`).first().evaluate((bar) => {
      const { backgroundColor, color } = (bar.ownerDocument as unknown as StyledDocument).defaultView.getComputedStyle(bar);
      return [backgroundColor, color];
    });
    expect(await colors('before')).toEqual(['rgb(231, 94, 64)', 'rgb(255, 255, 255)']);
    expect(await colors('after')).toEqual(['rgb(18, 53, 91)', 'rgb(255, 255, 255)']);
  });

  it('shows bars on one line that ends with an ellipsis, with the whole text on hover', async () => {
    const text = `Maintenance <b>on</b> **Friday**, ${'from 18:00 to 19:00 UTC, '.repeat(20)}\nthen "done"`;
    const { url } = await servedPreview(previewOf(liveState, { ...nextState, fields: { ...nextState.fields, header_message: text } }));
    const { page } = await open(url);
    const scene = page.locator('.scene').first();
    const [long, short] = [scene.locator('.after .bar').first(), scene.locator('.after .bar').last()];
    expect((await long.boundingBox())!.height).toBe((await short.boundingBox())!.height);
    expect(await long.locator('.bar-text').evaluate((bar) => {
      const { scrollWidth, clientWidth, ownerDocument } = bar as unknown as { scrollWidth: number; clientWidth: number; ownerDocument: StyledDocument };
      return [scrollWidth > clientWidth, ownerDocument.defaultView.getComputedStyle(bar)['textOverflow']];
    })).toEqual([true, 'ellipsis']);
    expect(await long.getAttribute('title')).toBe(text.replace(/\s+/g, ' '));
    const { x, y } = (await long.boundingBox())!;
    expect(await page.evaluate(`document.elementFromPoint(${x + 40}, ${y + 10}).className`)).toBe('bar');
  });

  it('shows the lines of a code block one below the other, without an indent', async () => {
    const description = '```\none\nold\n```\n\nand `code` in a text';
    const { url } = await servedPreview(previewOf({ ...liveState, fields: { ...liveState.fields, description } }, null));
    const { page } = await open(url);
    const lefts = await page.evaluate<number[]>(`[...document.querySelector('.prose pre code').firstChild.data.matchAll(/o/g)].map(({ index }) => {
      const range = document.createRange();
      range.setStart(document.querySelector('.prose pre code').firstChild, index);
      range.setEnd(document.querySelector('.prose pre code').firstChild, index + 1);
      return range.getBoundingClientRect().left;
    })`);
    expect(lefts).toHaveLength(2);
    expect(new Set(lefts).size).toBe(1);
  });

  it('has swatches in the old and the new color beside the changed values', async () => {
    const { url, show } = await servedPreview(both);
    const { page } = await open(url);
    const swatches = () => page.locator('.values .swatch').evaluateAll((all) => all.map((one) => {
      const { width, height } = one.getBoundingClientRect();
      const { backgroundColor } = (one.ownerDocument as unknown as StyledDocument).defaultView.getComputedStyle(one);
      return [backgroundColor, width > 10 && height > 10];
    }));
    expect(await swatches()).toEqual([['rgb(231, 94, 64)', true], ['rgb(18, 53, 91)', true], ['rgb(255, 255, 255)', true], ['rgb(255, 255, 255)', true]]);
    show(previewOf(liveState, { ...liveState, fields: { ...liveState.fields, message_background_color: '#005500' } }));
    await page.getByText('Updated.').waitFor();
    await expect.poll(swatches).toEqual([['rgb(231, 94, 64)', true], ['rgb(0, 85, 0)', true]]);
  });

  it('shows the changed lines of a long text one below the other', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url);
    const [removed, added] = [page.locator('.diff del').first(), page.locator('.diff ins').first()];
    expect([await removed.textContent(), await added.textContent()]).toEqual(['- Welcome to **Acme**.', '+ ## Welcome']);
    const [above, below] = [(await removed.boundingBox())!, (await added.boundingBox())!];
    expect(below.y).toBeCloseTo(above.y + above.height, 0);
    expect(below.x).toBe(above.x);
  });

  it('loads every image', async () => {
    const { url } = await servedPreview(previewOf({ ...liveState, images: { ...noImages, favicon: pngImage } }, nextState));
    const { page } = await open(url);
    const widths = await page.locator('main img').evaluateAll((all) => all.map((one) => (one as unknown as { naturalWidth: number }).naturalWidth));
    expect(widths.length).toBeGreaterThan(8);
    expect(widths.filter((width) => width === 0)).toEqual([]);
  });

  it('puts the states below each other on a narrow screen without scripts, without scrolling sideways', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url, { viewport: narrow, javaScriptEnabled: false });
    const scene = page.locator('.scene').first();
    const [above, below] = [(await scene.locator('.before').boundingBox())!, (await scene.locator('.after').boundingBox())!];
    expect(below.y).toBeGreaterThan(above.y + above.height);
    expect(await scene.locator('.before .brand-title').isVisible()).toBe(true);
    expect(await scene.locator('.after .brand-title').isVisible()).toBe(true);
    expect(await page.locator('.sides').isVisible()).toBe(false);
    expect(above.x + above.width).toBeLessThan(narrow.width);
  });

  it.each([['light', 400], ['light', 1280], ['dark', 400], ['dark', 1280]] as const)(
    'has no accessibility problem in %s at %i pixels', async (colorScheme, width) => {
      const { url, show } = await servedPreview(both);
      const { page } = await open(url, { colorScheme, viewport: { width, height: 900 } });
      expect(await violations(page)).toEqual([]);
      show(previewOf(liveState, { ...nextState, fields: { ...nextState.fields, description: '# One\n\n```\ncode\n```\n\n'.repeat(10) } }, {
        checks: warnings, problem: { message: 'appearance.yaml:3: unknown key', hint: 'fix it' },
      }));
      await page.waitForSelector('[role=alert]');
      await page.evaluate('for (const fold of document.querySelectorAll("details")) fold.open = true');
      expect(await violations(page)).toEqual([]);
      show(previewOf(nextState, null));
      await page.waitForSelector('.after', { state: 'detached' });
      expect(await violations(page)).toEqual([]);
    });

  it('takes pictures in light and dark that differ', async () => {
    const { url } = await servedPreview(both);
    const pictures = await Promise.all((['light', 'dark'] as const).map(async (colorScheme) => {
      const { page } = await open(url, { colorScheme });
      return page.screenshot({ fullPage: true });
    }));
    for (const picture of pictures) {
      expect((await fileTypeFromBuffer(picture))?.mime).toBe('image/png');
      expect(picture.readUInt32BE(16)).toBe(1280);
      expect(picture.readUInt32BE(20)).toBeGreaterThan(1500);
      expect(picture.length).toBeGreaterThan(50_000);
    }
    expect(pictures[0]!.equals(pictures[1]!)).toBe(false);
  });
});

describe('long guidelines in the preview', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);
  const long = (text: string) => previewOf(liveState, { ...nextState, fields: { ...nextState.fields, new_project_guidelines: text } });
  const whole = long(lines.join('\n\n'));

  it('unfold with the keyboard, even without scripts', async () => {
    const { url } = await servedPreview(whole);
    const { page } = await open(url, { javaScriptEnabled: false });
    const fold = page.locator('.after details');
    const [summary, last] = [fold.locator('summary'), fold.getByText('line 40')];
    expect(await summary.textContent()).toBe('67 more of 79 lines');
    expect(await last.isVisible()).toBe(false);
    expect(await page.locator('.after').getByText('line 6').isVisible()).toBe(true);
    await summary.focus();
    await page.keyboard.press('Enter');
    expect(await last.isVisible()).toBe(true);
  });

  it('stay unfolded and keep the focus when the document changes', async () => {
    const { url, show } = await servedPreview(whole);
    const { page } = await open(url);
    await page.locator('.after summary').focus();
    await page.keyboard.press('Space');
    show(long([...lines, 'line 41'].join('\n\n')));
    await page.locator('.after').getByText('69 more of 81 lines').waitFor();
    expect(await page.locator('.after').getByText('line 41').isVisible()).toBe(true);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('69 more of 81 lines');
  });
});

describe('the switch between live and after on a narrow screen', () => {
  const shownSides = async (page: Page) => {
    const scene = page.locator('.scene').first();
    const [before, after] = [await scene.locator('.before .brand-title').isVisible(), await scene.locator('.after .brand-title').isVisible()];
    return [...before ? ['before'] : [], ...after ? ['after'] : []];
  };

  it('shows one of them, first the one after the document', async () => {
    const { url } = await servedPreview(both);
    const { page, watched } = await open(url, { viewport: narrow });
    expect(await shownSides(page)).toEqual(['after']);
    await page.locator('.sides').getByLabel('Live').check();
    expect(await shownSides(page)).toEqual(['before']);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(narrow.width);
    expect(watched.errors).toEqual([]);
  });

  it('works with the keyboard and moves nothing else on the page', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url, { viewport: narrow });
    await page.locator('#side-after').focus();
    await page.evaluate('scrollTo(0, document.querySelector("#profile").offsetTop)');
    const places = () => page.evaluate('[scrollY, ...[...document.querySelectorAll("h2")].map((one) => one.getBoundingClientRect().top)]');
    const earlier = await places();
    await page.keyboard.press('ArrowLeft');
    expect(await shownSides(page)).toEqual(['before']);
    expect(await places()).toEqual(earlier);
    await page.keyboard.press('ArrowRight');
    expect(await shownSides(page)).toEqual(['after']);
  });

  it('stays when the document changes and when the page is loaded again', async () => {
    const { url, show } = await servedPreview(both);
    const { page } = await open(url, { viewport: narrow });
    await page.locator('#side-before').check({ force: true });
    show(withTitle('Acme Works'));
    await page.getByText('Updated.').waitFor();
    expect(await shownSides(page)).toEqual(['before']);
    await page.reload();
    expect(await shownSides(page)).toEqual(['before']);
  });

  it('hides the other one from the keyboard and from assistive technology', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url, { viewport: narrow });
    expect(await page.getByRole('heading', { name: /^Live/ }).count()).toBe(0);
    expect(await page.getByRole('heading', { name: /^After/ }).count()).toBe(4);
  });

  it('hides nothing of the changed values', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url, { viewport: narrow });
    const visibilities = () => page.evaluate(
      '[...document.querySelectorAll(".values .swatch")].map((one) => getComputedStyle(one).visibility)');
    for (const side of ['Live', 'After']) {
      await page.locator('.sides').getByLabel(side).check();
      expect(await visibilities(), side).toEqual(['visible', 'visible', 'visible', 'visible']);
    }
  });

  it('covers no heading that a link leads to', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url, { viewport: narrow, reducedMotion: 'reduce' });
    await page.getByRole('link', { name: 'Email' }).click();
    const { y, height } = (await page.locator('.toolbar').boundingBox())!;
    expect((await page.locator('#email').boundingBox())!.y).toBeGreaterThanOrEqual(y + height);
  });

  it('is not there on a wide screen or without a document', async () => {
    const { url, show } = await servedPreview(both);
    const { page } = await open(url);
    expect(await page.locator('.sides').isVisible()).toBe(false);
    expect(await shownSides(page)).toEqual(['before', 'after']);
    show(previewOf(liveState, null));
    await page.reload();
    await page.setViewportSize(narrow);
    expect(await shownSides(page)).toEqual(['before']);
    expect(await page.locator('.sides').count()).toBe(0);
  });
});

describe('the color scheme of the preview', () => {
  const ground = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const [lightGround, darkGround] = ['rgb(244, 245, 247)', 'rgb(21, 24, 29)'];

  it('is the one of the system until another one is chosen', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url, { colorScheme: 'dark' });
    expect(await ground(page)).toBe(darkGround);
    await page.getByLabel('Light').check();
    expect(await ground(page)).toBe(lightGround);
    await page.getByLabel('System').check();
    expect(await ground(page)).toBe(darkGround);
  });

  it('stays when the page is loaded again', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url, { colorScheme: 'light' });
    await page.getByLabel('Dark').check();
    await page.reload();
    expect(await ground(page)).toBe(darkGround);
  });
});

describe('the keyboard on the preview page', () => {
  const focused = (page: Page) => page.evaluate<string>(
    'document.activeElement === document.body ? "body" : document.activeElement.id || document.activeElement.textContent');

  it('reaches every control once, in the order of the page, and then leaves it', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url);
    const order: string[] = [];
    for (let step = 0; step < 9; step++) {
      await page.keyboard.press('Tab');
      order.push(await focused(page));
    }
    expect(order).toEqual(['Skip to the preview', 'scheme-system', 'Sign-in page', 'New project page', 'Profile page', 'Email',
      'Changed values', 'body', 'Skip to the preview']);
  });

  it('shows the focus', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url);
    const outline = () => page.evaluate(
      'getComputedStyle(document.activeElement.matches("input") ? document.activeElement.nextSibling : document.activeElement).outlineStyle');
    for (let step = 0; step < 7; step++) {
      await page.keyboard.press('Tab');
      expect(await outline(), await focused(page)).toBe('solid');
    }
  });

  it('skips to the preview, jumps to a page and chooses the color scheme', async () => {
    const { url } = await servedPreview(both);
    const { page } = await open(url);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('content');
    await page.locator('#scheme-system').focus();
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('scheme-light');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.url()).toBe(`${url}#new-project`);
  });
});

describe('a change of the document', () => {
  const shownTitle = (page: Page) => page.locator('.after .brand-title').textContent();

  it('is shown without loading the page again', async () => {
    const { url, show } = await servedPreview(both);
    const { page } = await open(url);
    await page.evaluate('window.isSamePage = true; scrollTo(0, 400)');
    await page.getByLabel('Dark').check();
    show(withTitle('Acme Works'));
    await page.getByText('Acme Works', { exact: true }).first().waitFor();
    expect(await page.locator('#status').textContent()).toBe('Updated.');
    expect(await page.evaluate('[window.isSamePage, scrollY, document.activeElement.id]')).toEqual([true, 400, 'scheme-dark']);
  });

  it('shows new colors and images', async () => {
    const { url, show } = await servedPreview(both);
    const { page } = await open(url);
    const { fields } = nextState;
    show(previewOf(liveState, { fields: { ...fields, message_background_color: '#005500' }, images: { ...nextState.images, logo: pngImage } }));
    await expect.poll(() => page.evaluate('getComputedStyle(document.querySelector(".after .bar")).backgroundColor')).toBe('rgb(0, 85, 0)');
    await expect.poll(() => page.evaluate('document.querySelector(".after .logo").naturalWidth')).toBe(1);
  });

  it('that breaks it is reported until it is fixed, with the last good state', async () => {
    const { url, show } = await servedPreview(both);
    const { page } = await open(url);
    show({ ...both, problem: { message: 'appearance.yaml:3: unknown key "titel"', hint: null } });
    await page.waitForSelector('[role=alert]');
    expect(await page.locator('[role=alert]').textContent()).toContain('appearance.yaml:3: unknown key "titel"');
    expect(await shownTitle(page)).toBe('Acme Forge');
    show(both);
    await page.waitForSelector('[role=alert]', { state: 'detached' });
  });

  it('can no longer be shown after the command has stopped, and the page says so', async () => {
    const { url, close } = await servedPreview(both);
    const { page } = await open(url);
    await close();
    await page.getByText('The preview command has stopped').waitFor();
    expect(await shownTitle(page)).toBe('Acme Forge');
  });
});

/** The page loaded nothing from elsewhere, ran no script of others, showed no dialog and is still itself. */
const expectHarmless = async (page: Page, watched: Watched, url: string) => {
  await page.waitForResponse(/\/version$/);
  expect(await page.evaluate('window.canary')).toBeUndefined();
  const { origin } = new URL(url);
  expect(watched.requests.filter((one) => new URL(one).origin !== origin)).toEqual([]);
  expect({ dialogs: watched.dialogs, popups: watched.popups, errors: watched.errors }).toEqual({ dialogs: [], popups: [], errors: [] });
  expect(page.url()).toBe(url);
  expect(await page.locator('h1').textContent()).toBe('Appearance preview');
  expect(await page.locator('main a, main iframe, main object, main form, main script, main style, main svg, main [style]').count()).toBe(0);
};

const svgWith = (text: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="90" height="30" onload="window.canary = 1; top.canary = 1">
<script>window.canary = 1; top.canary = 1; fetch('https://evil.invalid/svg')</script><image href="https://evil.invalid/a.png" width="9" height="9"/>
<foreignObject width="90" height="30"><body xmlns="http://www.w3.org/1999/xhtml">${text.replace(/[<&]/g, ' ')}<img src="x" onerror="window.canary = 1"/></body></foreignObject></svg>`);

const hostileState = (text: string): typeof nextState => {
  const svg = image(text, svgWith(text), 'image/svg+xml');
  return {
    fields: { ...Object.fromEntries(Object.keys(nextState.fields).map((name) => [name, text])), email_header_and_footer_enabled: true },
    images: { logo: svg, header_logo: svg, favicon: image(text, images.exe, 'image/png') },
  };
};

describe('hostile values in the preview', () => {
  const pairs = injections.flatMap((text, at) => at % 2 === 0 ? [[text, injections[at + 1] ?? text] as const] : []);

  it.each(pairs)('do nothing in every field and file name: %j and %j', async (live, next) => {
    const [before, after] = [hostileState(live), hostileState(next)];
    const { url } = await servedPreview(previewOf(before, null, {
      service: next, document: { name: live, after }, differences: previewOf(before, after).differences,
      checks: [{ level: 'error', message: live }], problem: { message: next, hint: live },
    }));
    const { page, watched } = await open(url);
    for (const link of await page.locator('main .screen .link, main a').all()) await link.click();
    await expectHarmless(page, watched, url);
  });

  it('do nothing all at once, when they arrive with a change of the document', async () => {
    const { url, show } = await servedPreview(both);
    const { page, watched } = await open(url);
    show(previewOf(liveState, hostileState(injections.join('\n\n'))));
    await page.getByText('Updated.').waitFor();
    await expectHarmless(page, watched, url);
  });

  it('do nothing in an SVG that is opened by itself', async () => {
    const { url } = await servedPreview(previewOf(hostileState('logo'), null));
    const { page } = await open(url);
    const address = new URL((await page.locator('img.logo').first().getAttribute('src'))!, url).href;
    const opened = await open(address);
    await opened.page.waitForLoadState('networkidle');
    expect(await opened.page.evaluate('window.canary')).toBeUndefined();
    expect(opened.watched.requests).toEqual([address]);
    expect(opened.watched.dialogs).toEqual([]);
  });
});

describe('other pages in the browser', () => {
  it('can neither read the preview nor put it into a frame', async () => {
    const { url } = await servedPreview(both);
    const other = createServer((_, response) => response.setHeader('content-type', 'text/html').end('<title>other</title>'));
    onTestFinished(() => { other.close(); other.closeAllConnections(); });
    await new Promise<void>((resolve) => { other.listen(0, '127.0.0.1', resolve); });
    const { page } = await open(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const read = await page.evaluate(`fetch(${JSON.stringify(url)}).then((response) => response.text(), () => 'refused')`);
    expect(read).toBe('refused');
    const opaque = await page.evaluate(`fetch(${JSON.stringify(url)}, { mode: 'no-cors' }).then(() => 'loaded', () => 'refused')`);
    expect(opaque).toBe('refused');
    const framed = await page.evaluate(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.onload = () => resolve(frame.contentDocument);
      frame.src = ${JSON.stringify(url)};
      document.body.append(frame);
    })`);
    expect(framed).toBeNull();
    expect(await page.frames()[1]!.content()).not.toContain('Appearance preview');
  });
});
