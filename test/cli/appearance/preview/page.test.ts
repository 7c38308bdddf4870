import { describe, expect, it } from 'vitest';
import { contentHtml, pageHtml } from '../../../../src/cli/appearance/preview/page.js';
import { markdownRenderer } from '../../../../src/cli/appearance/preview/markdown.js';
import type { Preview } from '../../../../src/cli/appearance/preview/state.js';
import { injections } from '../../../support/injections.js';
import { liveState, nextState, pngImage, previewOf } from '../../../support/preview.js';

const parts = { version: 'v1', markdown: await markdownRenderer(), imageUrl: () => null };
const content = (preview: Preview) => contentHtml(preview, parts).markup;
const withFields = (fields: Partial<typeof liveState.fields>) => ({ ...liveState, fields: { ...liveState.fields, ...fields } });

describe('the content of the page', () => {
  it('has its version, and both states of every scene', () => {
    const text = content(previewOf(liveState, nextState));
    expect(text).toMatch(/^<div data-version="v1">/);
    expect(text.match(/<figure class="before">/g)).toHaveLength(4);
    expect(text.match(/<figure class="after">/g)).toHaveLength(4);
  });

  it('counts and names the changed fields, and where they are visible', () => {
    const text = content(previewOf(liveState, withFields({ title: 'New' })));
    expect(text).toContain('<p>1 field changes: title.</p>');
    expect(text.match(/class="badge changed">changed: title</g)).toHaveLength(3);
    expect(text.match(/class="badge">unchanged</g)).toHaveLength(1);
  });

  it('lists the checks, or says that there are no problems', () => {
    expect(content(previewOf(liveState, nextState))).toContain('The checks found no problems.');
    const text = content(previewOf(liveState, nextState, { checks: [{ level: 'error', message: 'a <b>' }, { level: 'warning', message: 'c' }] }));
    expect(text).toContain('<li class="error"><strong>Error:</strong> a &lt;b&gt;</li><li class="warning"><strong>Warning:</strong> c</li>');
  });

  it('shows the problem with the document and that the state is an earlier one', () => {
    const text = content(previewOf(liveState, null, { problem: { message: 'bad', hint: null } }));
    expect(text).toContain('<p><strong>bad</strong></p>\n\n<p>This page shows the last state that could be read.</p>');
    expect(content(previewOf(liveState, null))).not.toContain('role="alert"');
  });
});

describe('the table of changed values', () => {
  const row = (before: typeof liveState, after: typeof liveState) => /<tbody>(.*)<\/tbody>/s.exec(content(previewOf(before, after)))![1]!;

  it('has the values before and after, and says which are empty', () => {
    expect(row(liveState, withFields({ title: '' }))).toBe(
      '<tr><th scope="row">title</th>\n<td><span dir="auto">Acme</span></td><td><span class="absent">empty</span></td></tr>');
  });

  it('has the names and sizes of images', () => {
    const after = { ...liveState, images: { ...liveState.images, logo: pngImage, favicon: { filename: 'f.ico', bytes: null, type: null } } };
    expect(row(liveState, after)).toContain(`logo.png (${pngImage.bytes!.length} bytes)`);
    expect(row(liveState, after)).toContain('f.ico (not readable)');
  });

  it('has the start of long texts, without half characters', () => {
    expect(row(liveState, withFields({ title: '😀'.repeat(161) }))).toContain(`>${'😀'.repeat(160)}…<`);
    expect(row(liveState, withFields({ title: '😀'.repeat(160) }))).toContain(`>${'😀'.repeat(160)}<`);
  });

  it('is not there without a document, and says that there are no changes', () => {
    expect(content(previewOf(liveState, null))).not.toContain('Changed values');
    expect(content(previewOf(liveState, liveState))).toContain('<p>There are none.</p>');
  });
});

describe('the whole page', () => {
  it('links to all its sections', () => {
    const text = pageHtml(previewOf(liveState, nextState), parts);
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
    expect(targets).toEqual(['content', 'sign-in', 'new-project', 'profile', 'email', 'values']);
    for (const id of targets) expect(text.split(` id="${id}"`), id).toHaveLength(2);
  });

  it('has each id once', () => {
    const ids = [...pageHtml(previewOf(liveState, nextState), parts).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it.each(injections)('has the name of the service as text: %j', (text) => {
    const page = pageHtml(previewOf(liveState, null, { service: text }), parts);
    const tags = [...page.matchAll(/<(script|meta|link|title)\b/g)].map(([, tag]) => tag);
    expect(tags).toEqual(['meta', 'meta', 'meta', 'title', 'link', 'link', 'link', 'script']);
  });
});
