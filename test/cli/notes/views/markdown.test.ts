import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { painter } from '../../../../src/cli/terminal/io/style.js';
import { markdownText } from '../../../../src/cli/notes/views/markdown.js';

const addressOf = (href: string) => href.startsWith('http') ? href : href.startsWith('/uploads/') ? `https://a.example/p${href}` : null;
const plain = async (source: string, width = 60) => markdownText(source, width, { paint: await painter(0), links: false, resolveLink: addressOf });
const rich = async (source: string, width = 40) => markdownText(source, width, { paint: await painter(1), links: true, resolveLink: addressOf });

/** The program's own sequences: colors by number, and links with matching ends. */
const own = /\x1b\[\d+m|\x1b\]8;;[\x21-\x7e]*\x1b\\/g;
const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/u;

describe('Markdown on a terminal', () => {
  it.each([
    ['# Title', '# Title'], ['a  \nb', 'a\nb'], ['**a** _b_ ~~c~~ `d`', '**a** _b_ ~~c~~ `d`'],
    ['- a\n  - b\n- [x] c\n- [ ] d', '- a\n  - b\n- [x] c\n- [ ] d'], ['3. a\n4. b', '3. a\n4. b'], ['- a\n\n- b', '- a\n\n- b'],
    ['> a\n> > b', '│ a\n│\n│ │ b'], ['```ts\nconst x;\n\n  y\n```', '    ts\n    const x;\n\n      y'],
    ['| a | b |\n|---|---|\n| 漢字 | c |', 'a     b\n----  -\n漢字  c'], ['---', '────────────────────'],
    ['[a](https://b.example/c)', 'a (https://b.example/c)'], ['<https://b.example>', 'https://b.example'], ['[a](b.md)', 'a (b.md)'],
    ['![a](/uploads/1/a.png)', 'image: a (https://a.example/p/uploads/1/a.png)'], ['&lt;b&gt; &amp;amp; &copy; &#65; &nope;', '<b> &amp; © A &nope;'],
    ['<details><summary>More</summary>\n\ninside <br>next <!-- hidden -->\n\n</details>\n\nafter', '▸ More (1 line folded)\n\nafter'],
    ['a\n<details>\n<summary>The <b>log</b> of\nx</summary>\n\n```\none\n\ntwo\n```\n\n</details>\n\nb', 'a\n\n▸ The log of x (4 lines folded)\n\nb'],
    ['<details>\n\none\n<details><summary>Two</summary>\n\nthree\n\n</details>\n\n</details>', '▸ Details (4 lines folded)'],
    ['<details open><summary>Shown</summary>\n\n- one\n\n</details>', 'Shown\n\n- one'], ['<details>never closed\n\n# a', '▸ Details (2 lines folded)'],
    ['<details></details>', '▸ Details'], ['```\n<details>\n```', '    <details>'], ['</details>a', 'a'],
    ['a <!-- marker -->', 'a'], ['\\*a\\*', '*a*'], ['[a]: https://b.example\n\nb [a]', 'b a (https://b.example)'], ['', ''],
  ])('%j becomes %j', async (source, text) => {
    expect(await plain(source)).toBe(text);
  });

  it('has colors and links if they are enabled', async () => {
    expect(await rich('**a** `b` [c](https://d.example) [e](f.md)')).toBe(
      '\x1b[1ma\x1b[22m \x1b[36mb\x1b[39m \x1b]8;;https://d.example/\x1b\\\x1b[4mc\x1b[24m\x1b]8;;\x1b\\ e (f.md)');
  });

  it('is wrapped to the width, except for URLs', async () => {
    const text = await plain(`${'word '.repeat(40)}\n\n- ${'漢字'.repeat(40)}\n\n> ${'long '.repeat(30)}`, 40);
    expect(text.split('\n').length).toBeGreaterThan(10);
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(40);
    expect(await plain(`see https://a.example/${'x'.repeat(60)} there`)).toContain(`https://a.example/${'x'.repeat(60)}`);
  });

  it('escapes control characters, those from character references included', async () => {
    expect(await plain('a\x1b[31m &#27;[31m &#x9b; &#x202e; &#xd800; &#0;')).toBe('a\\u001b[31m \\u001b[31m \\u009b \\u202e � �');
    const unit = fc.constantFrom('\x1b', '\x9b', '\u202e', '&#27;', '&#x1b;', '*', '_', '`', '[', ']', '(', ')', '<', '>', '!', '|', '\n', '- ', '#', 'a', '漢', '~', 'https://a.b/', '\\', '&', ';', '\ud83d');
    await fc.assert(fc.asyncProperty(fc.string({ unit, maxLength: 60 }), async (source) => {
      expect((await rich(source)).replace(own, '')).not.toMatch(acting);
      expect(await plain(source)).not.toMatch(acting);
    }));
  });

  it.each([
    ['quotes in quotes', '>'.repeat(19_000)], ['brackets', '['.repeat(19_000)], ['stars', '*a '.repeat(6_000)], ['a line of 200,000', 'x'.repeat(200_000)],
  ])('accepts %s', async (_, source) => {
    expect((await plain(source)).length).toBeGreaterThan(10_000);
  });
});
