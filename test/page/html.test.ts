import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownRenderer } from '../../src/page/html.js';
import { runsOf } from '../support/extent.js';
import { injections } from '../support/injections.js';
import { elementsIn } from '../support/markup.js';

const { blocks, line } = await markdownRenderer();

const harmlessTags = /^(b|br|code|del|em|i|kbd|s|strong|sub|sup|span|div|blockquote|details|hr|summary|li|ol|p|pre|table|tbody|td|th|thead|tr|ul)$/;
const harmlessAttributes = /^(className|title|role|ariaLevel|start)$/;
const activeParts = (markup: string) => elementsIn(markup).filter(([tag, ...attributes]) =>
  !harmlessTags.test(tag) || attributes.some((name) => !harmlessAttributes.test(name)));

describe('Markdown in the preview', () => {
  it('is rendered', () => {
    expect(blocks('**Welcome** to `Acme`\n\n- one\n- two').markup)
      .toBe('<p><strong>Welcome</strong> to <code>Acme</code></p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n');
  });

  it('shows the address of a link that cannot be activated', () => {
    expect(blocks('[status](https://status.example.com)').markup)
      .toBe('<p><span class="link" title="https://status.example.com">status</span></p>\n');
    expect(line('[x](javascript:alert(1))').markup).toBe('<span class="link">x</span>');
  });

  it('shows the description of an image and does not load it', () => {
    expect(blocks('![our office](https://example.com/a.png)').markup)
      .toBe('<p><span class="picture">Image: our office</span></p>\n');
  });

  it('fits headings into the outline of the page', () => {
    expect(blocks('# One').markup).toBe('<div class="heading h1" role="heading" aria-level="4">One</div>\n');
    expect(blocks('#').markup).toBe('<div></div>\n');
  });

  it('has no blocks in a text of one line', () => {
    expect(line('# not *a* heading').markup).toBe('# not <em>a</em> heading');
    expect(line('<h1>big</h1> ![a](b.png)').markup).toBe('big ');
  });

  it('shows control and direction characters as escapes', () => {
    expect(blocks('a\u202eb\u0007').markup).toBe('<p>a\\u202eb\\u0007</p>\n');
  });

  it('shows a text that is nested too deeply as it is', () => {
    expect(blocks('>'.repeat(40_000)).markup).toMatch(/^<pre>(&gt;)+<\/pre>$/);
  });

  it('is cut if it is very long', () => {
    const nested = Array.from({ length: 1_000 }, (_, level) => `${' '.repeat(2 * level)}- a\n`).join('');
    expect(nested.length).toBeGreaterThan(1_000_000);
    expect(blocks(nested).markup).toMatch(/<p>… and 953000 characters<\/p>$/);
    expect(line('a'.repeat(50_000)).markup).toBe('a'.repeat(50_000));
  });

  it.each(injections)('has no active element for %j', (text) => {
    expect(activeParts(blocks(text).markup)).toEqual([]);
    expect(activeParts(line(text).markup)).toEqual([]);
  });

  it('has no active element for any mix of markup', () => {
    const pieces = fc.array(fc.oneof(fc.constantFrom(...injections), fc.string(), fc.constantFrom(
      '<', '>', 'a=b', '"', "'", '`', '\n', '<!--', '-->',
      '<![CDATA[', ']]>', '<math>', '<svg>', '<mtext>', '<style>', '<table>', '<p id=x onclick=y>', '[', '](', ')',
    )), { maxLength: 8 });
    fc.assert(fc.property(pieces, (parts) => {
      expect(activeParts(blocks(parts.join('')).markup)).toEqual([]);
      expect(activeParts(line(parts.join('')).markup)).toEqual([]);
    }), { numRuns: runsOf(1_000) });
  });
});
