import { describe, expect, it } from 'vitest';
import { icon, pageHtml, script } from '../../../../../src/cli/appearance/preview/page.js';
import { pageStyles } from '../../../../../src/page/styles.js';
import { liveState, nextState, noImages, partsFor, previewOf } from '../../../../support/preview.js';

/** A page with everything that pages can have. */
const everything = '# One\n\n## Two\n\n### Three\n\n[link](https://a.example) ![picture](a.png) `code`\n\n| a |\n|---|\n| b |\n';
const full = async (images: typeof noImages | typeof liveState.images, url: string | null) => {
  const preview = previewOf(
    { fields: { ...nextState.fields, title: '', description: '', message_font_color: '#000' }, images },
    { fields: { ...nextState.fields, description: `${everything}\n${'- more\n'.repeat(20)}`, header_message: '[a](https://a.example)' }, images: liveState.images },
    { checks: [{ level: 'error', message: 'a' }, { level: 'warning', message: 'b' }], problem: { message: 'a', hint: 'b' } },
  );
  return pageHtml(preview, await partsFor(preview, url));
};
const page = await full(liveState.images, 'images/x') + await full(noImages, null);

const classesIn = (html: string) => new Set([...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, names]) => names!.split(' ')));

describe('the styles of the page', () => {
  it('are for classes and elements that pages have', () => {
    const selectors = pageStyles.replace(/\{[^{}]*\}/g, '{}').replace(/@[^{]*\{/g, '');
    const styled = new Set([...selectors.matchAll(/\.([a-z][a-z0-9-]*)/g)].map(([, name]) => name!));
    const known = classesIn(page);
    expect([...styled].filter((name) => !known.has(name))).toEqual([]);
    const ids = [...selectors.matchAll(/#([a-z][a-z-]+)\b(?=[:\s{,])/g)].map(([, id]) => id!);
    expect(ids.filter((id) => !page.includes(`id="${id}"`))).toEqual([]);
  });

  it('come with an icon that loads nothing', () => {
    expect(icon).not.toMatch(/href|<script|<style/);
  });
});

it('the script refers to elements that the page has', () => {
  const ids = [...script.matchAll(/getElementById\('([^']+)'\)/g)].map(([, id]) => id!);
  expect(ids.length).toBeGreaterThan(2);
  for (const id of ids) expect(page, id).toContain(`id="${id}"`);
  expect(page).toContain('name="scheme"');
  expect(page).toContain('data-version="');
});
