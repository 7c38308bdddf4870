import { spawnSync } from 'node:child_process';
import { chromium as engine, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { chromium } from './browser-programs.js';

/** What a page did besides showing itself. */
export interface Watched {
  /** Every URL that it requested, except those that the content security policy blocked. */
  readonly requests: string[];
  /** Errors, among them violations of the content security policy. */
  readonly errors: string[];
  readonly dialogs: string[];
  readonly popups: string[];
}

/** A headless Chromium for the tests of a file. No request leaves this machine. */
export const useBrowser = () => {
  let browser: Browser;
  beforeAll(async () => {
    const name = chromium()!;
    const executablePath = spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim();
    // Chromium has no sandbox for root, as which CI runs.
    browser = await engine.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  }, 60_000);
  afterAll(() => browser.close());

  /** Opens a page until the test ends. */
  return async (url: string, options: BrowserContextOptions = {}): Promise<{ page: Page; watched: Watched }> => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(40_000);
    const watched: Watched = { requests: [], errors: [], dialogs: [], popups: [] };
    await context.route((asked) => asked.hostname !== '127.0.0.1', (route) => route.abort());
    context.on('requestfinished', (request) => watched.requests.push(request.url()));
    context.on('requestfailed', (request) => {
      if (request.failure()?.errorText !== 'csp') watched.requests.push(`${request.url()} ${request.failure()?.errorText}`);
    });
    page.on('console', (message) => { if (message.type() === 'error') watched.errors.push(message.text()); });
    page.on('pageerror', (error) => watched.errors.push(error.message));
    page.on('dialog', (dialog) => {
      watched.dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('popup', (popup) => watched.popups.push(popup.url()));
    await page.goto(url);
    return { page, watched };
  };
};
