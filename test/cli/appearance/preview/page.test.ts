import { describe, expect, it } from 'vitest';
import { differenceText } from '../../../../src/cli/appearance/values.js';
import { contentHtml, pageHtml, type Preview } from '../../../../src/cli/appearance/preview/page.js';
import { injections } from '../../../support/injections.js';
import { textOf } from '../../../support/markup.js';
import { liveState, nextState, partsFor, previewOf } from '../../../support/preview.js';

const content = async (preview: Preview) => contentHtml(preview, await partsFor(preview)).markup;
const page = async (preview: Preview) => pageHtml(preview, await partsFor(preview));
const withFields = (fields: Partial<typeof liveState.fields>) => ({ ...liveState, fields: { ...liveState.fields, ...fields } });

describe('the content of the page', () => {
  it('has its version, and both states of every scene', async () => {
    const text = await content(previewOf(liveState, nextState));
    expect(text).toMatch(/^<div data-version="v1">/);
    expect(text.match(/<figure class="before">/g)).toHaveLength(4);
    expect(text.match(/<figure class="after">/g)).toHaveLength(4);
  });

  it('counts and names the changed fields, and where they are visible', async () => {
    const text = await content(previewOf(liveState, withFields({ title: 'New' })));
    expect(text).toContain('<p>1 field changes: title.</p>');
    expect(text.match(/class="badge changed">changed: title</g)).toHaveLength(3);
    expect(text.match(/class="badge">unchanged</g)).toHaveLength(1);
  });

  it('lists the checks, or says that there are no problems', async () => {
    expect(await content(previewOf(liveState, nextState))).toContain('The checks found no problems.');
    const text = await content(previewOf(liveState, nextState, { checks: [{ level: 'error', message: 'a <b>' }, { level: 'warning', message: 'c' }] }));
    expect(text).toContain('<li class="error"><strong>Error:</strong> a &lt;b&gt;</li><li class="warning"><strong>Warning:</strong> c</li>');
  });

  it('says that it is approximate, and what it does not show as the service does', async () => {
    for (const preview of [previewOf(liveState, nextState), previewOf(liveState, null)]) {
      const text = textOf(await content(preview)).replaceAll('\n', ' ');
      expect(text).toContain('This preview is approximate It shows texts, colors and images, but not the layout, fonts and sizes of the service.');
      for (const what of ['Mentions', 'references', 'Links', 'images within texts', 'app icon']) expect(text).toContain(what);
    }
  });

  it('shows the problem with the document and that the state is an earlier one', async () => {
    const text = await content(previewOf(liveState, null, { problem: { message: 'bad', hint: null } }));
    expect(text).toContain('<p><strong>bad</strong></p>\n\n<p>This page shows the last state that could be read.</p>');
    expect(await content(previewOf(liveState, null))).not.toContain('role="alert"');
  });
});

describe('the changed values', () => {
  const shown = async (before: typeof liveState, after: typeof liveState) =>
    /<dl class="differences">(.*)<\/dl>/s.exec(await content(previewOf(before, after)))![1]!.trim();

  it('are those that `appearance diff` prints, for texts, colors, switches and images', async () => {
    const description = (middle: string) => `zero\none\ntwo\nthree\n${middle}\nfive\nsix\nseven\n`;
    const before = withFields({ description: description('four'), message_font_color: '#fff' });
    const after = { ...nextState, fields: { ...nextState.fields, description: description('FOUR "<b>"\u202e'), message_font_color: '' } };
    const preview = previewOf(before, after);
    const printed = await differenceText(preview.differences, (_, text) => text);
    expect(printed).toContain('description:\n    …\n    two\n    three\n  - four\n  + FOUR');
    expect(textOf(await shown(before, after))).toBe(printed.replaceAll(/^ {2}/gm, '').trimEnd());
  });

  it('have an element for what is removed and for what is added', async () => {
    expect(await shown(liveState, withFields({ description: 'Welcome\nto **Acme**.' }))).toBe(
      '<div><dt>description:</dt>\n<dd><pre class="diff"><del>- Welcome to **Acme**.</del>\n<ins>+ Welcome</ins>\n<ins>+ to **Acme**.</ins></pre></dd></div>');
  });

  it('have a swatch for each color, old and new, but not for a text that is not a color', async () => {
    expect(await shown(liveState, withFields({ message_background_color: 'teal' }))).toContain(
      '<dd><span class="swatch before message_background_color"></span><span dir="auto">&quot;#E75E40&quot;</span> → '
      + '<span class="swatch after message_background_color"></span><span dir="auto">&quot;teal&quot;</span></dd>');
    expect(await shown(liveState, withFields({ message_font_color: 'url(x)' }))).not.toContain('swatch after');
    expect(await shown(liveState, withFields({ title: 'teal' }))).not.toContain('swatch');
  });

  it('are not there without a document, and can be none', async () => {
    expect(await content(previewOf(liveState, null))).not.toContain('Changed values');
    expect(await content(previewOf(liveState, liveState))).toContain('<p>There are none.</p>');
  });
});

describe('the whole page', () => {
  it('links to all its sections', async () => {
    const text = await page(previewOf(liveState, nextState));
    const targets = [...text.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!);
    expect(targets).toEqual(['content', 'sign-in', 'new-project', 'profile', 'email', 'values']);
    for (const id of targets) expect(text.split(` id="${id}"`), id).toHaveLength(2);
  });

  it('has each id once', async () => {
    const ids = [...(await page(previewOf(liveState, nextState))).matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
  });

  it.each(injections)('has the name of the service as text: %j', async (text) => {
    const tags = [...(await page(previewOf(liveState, null, { service: text }))).matchAll(/<(script|meta|link|title)\b/g)].map(([, tag]) => tag);
    expect(tags).toEqual(['meta', 'meta', 'meta', 'title', 'link', 'link', 'link', 'script']);
  });
});
