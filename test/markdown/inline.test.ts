import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definitionAt, externalLabelsIn, htmlParts, inlineParts, type InlineOptions } from '../../src/markdown/inline.js';

const options: InlineOptions = { isHtml: true, externalLabels: new Set(['LOGO']) };

/** The parts of a text with what they replace, and with what, if they replace it. */
const parts = (text: string, more: Partial<InlineOptions> = {}) =>
  inlineParts(text, { ...options, ...more }).map(({ from, to, kind, next }) => [kind, text.slice(from, to), ...next === undefined ? [] : [next]]);

describe('the parts of a paragraph', () => {
  it.each<[what: string, text: string, parts: string[][]]>([
    ['code between the same number of backticks', 'a `b` `` c`d `` e', [['code', '`b`'], ['code', '`` c`d ``']]],
    ['no code without an end, nor after a backslash', '`a ``b` c \\`d`', [['code', '`a ``b`']]],
    ['the address of a link, with its angle brackets', '[a](b "c") [d](<e f>)', [['target', 'b'], ['target', '<e f>']]],
    ['an address with balanced parentheses', '[a](b(c)d)', [['target', 'b(c)d']]],
    ['no address behind a space or without an end', '[a] (b) [c](d', []],
    ['autolinks', '<https://h/a> <a@b.io>', [['target', '<https://h/a>'], ['target', '<a@b.io>']]],
    ['addresses in the text, without the punctuation behind them', 'see https://h/a_b. Or (www.h.io/c)!', [['target', 'https://h/a_b'], ['target', 'www.h.io/c']]],
    ['addresses without an entity at their end', 'https://h/a&amp; b', [['target', 'https://h/a']]],
    ['addresses without several entities at their end', 'https://h/&amp;&lt;&amp; https://h/?a&b;&amp;.', [['target', 'https://h/'], ['target', 'https://h/?a']]],
    ['no address in a word', 'awww.h.io', []],
    ['a mail address', 'ada@h.io and @ada', [['target', '@h.io']]],
    ['tags and comments', '<b>a</b> <!-- c --> <?d?> <![CDATA[e]]>',
        [['tag', '<b>'], ['tag', '</b>'], ['tag', '<!-- c -->'], ['tag', '<?d?>'], ['tag', '<![CDATA[e]]>']]],
    ['no tag that has no end', 'a < b <!-- c', []],
  ])('are %s', (_, text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  it('escape tags where the text has no HTML, and leave autolinks', () => {
    expect(parts('<b> <https://h/>', { isHtml: false })).toEqual([['tag', '<', '&lt;'], ['target', '<https://h/>']]);
  });

  it.each<[what: string, text: string, parts: string[][]]>([
    ['of another host becomes a link', '![a](https://h/b)', [['tag', '!', ''], ['target', 'https://h/b']]],
    ['without a scheme but with a host', '![a](//h/b)', [['tag', '!', ''], ['target', '//h/b']]],
    ['of this host stays', '![a](/b)', [['target', '/b']]],
    ['with a label of another host', '![a][logo] ![Logo] ![b][c]', [['tag', '!', ''], ['tag', '!', '']]],
    ['in a link leaves its text', '[![a](https://h/b)](/c)', [['tag', '![', ''], ['tag', '](https://h/b)', ''], ['target', '/c']]],
    ['in HTML becomes a link', '<img src="https://h/a.png" alt="b">', [['tag', '<img src="https://h/a.png" alt="b">', '<a href="https://h/a.png">image</a>']]],
    ['in HTML of this host stays', '<img src="/a">', [['tag', '<img src="/a">']]],
    ['in HTML with several addresses is escaped', '<img src="/a" srcset="//h/b 2x">', [['tag', '<', '&lt;']]],
    ['of a tag that loads something is escaped', '<iframe src="/a">', [['tag', '<', '&lt;']]],
  ])('an image %s', (_, text, expected) => {
    expect(parts(text)).toEqual(expected);
  });

  it('are in order, inside the text, and do not overlap', () => {
    const piece = fc.constantFrom('a', ' ', '`', '``', '[', ']', '(', ')', '!', '![', '](', '](/x)', '](https://h/)', '<', '>', '<b>', '<!--', '-->', '\\', '@h.io', 'https://h/',
      'www.h', '"', '<img src="//h">', '\n', '&amp;');
    fc.assert(fc.property(fc.array(piece, { maxLength: 25 }).map((pieces) => pieces.join('')), (text) => {
      const found = inlineParts(text, options);
      expect(found.filter(({ from, to }) => from < 0 || to > text.length || from > to)).toEqual([]);
      expect(found.map(({ from }) => from)).toEqual(found.map(({ from }) => from).toSorted((one, other) => one - other));
      expect(found.filter(({ from }, i) => i > 0 && from < found[i - 1]!.to)).toEqual([]);
    }), { numRuns: 2_000 });
  });

  it('can start behind the beginning, as behind a definition', () => {
    const text = '`a` `b`';
    expect(inlineParts(text, options, 4).map(({ from, to }) => text.slice(from, to))).toEqual(['`b`']);
  });
});

describe('the parts of a block of HTML', () => {
  it('are its tags and comments: Markdown is text there', () => {
    const text = '<div>\n`a` [b](c) <b> <!-- d --> < e\n</div>';
    expect(htmlParts(text).map(({ from, to }) => text.slice(from, to))).toEqual(['<div>', '<b>', '<!-- d -->', '</div>']);
  });

  it('escape a tag that asks for a suggestion, however its name is written', () => {
    expect(htmlParts('<pre lang="suggestion">').map(({ next }) => next)).toEqual(['&lt;']);
    expect(htmlParts('<pre class="&#115;uggestion">').map(({ next }) => next)).toEqual(['&lt;']);
    expect(htmlParts('<pre title="x">').map(({ next }) => next)).toEqual([undefined]);
  });
});

describe('the definition of a reference', () => {
  it.each([
    ['[a]: b', 'b', ''], ['[a]: <b c> "d"\nnext', '<b c>', 'next'], ['[a]:\nb\n\'c\'\nd', 'b', 'd'], ['[a]: b "c" d', null, null],
    ['[a]: b\n"c" d', 'b', '"c" d'],
    ['[^1]: b', null, null], ['[ ]: b', null, null], ['[a] : b', null, null], ['[a]:', null, null], ['a', null, null],
  ])('of %j has the address %j', (text, address, rest) => {
    const found = definitionAt(text, 0);
    expect([found && text.slice(found.from, found.end), found && text.slice(found.to)]).toEqual([address, rest]);
  });
});

it('the labels with addresses of other hosts are those of any line, in any case', () => {
  const text = '[a]: https://h/\n  [B  c]: //h\n[d]: /local\ne [f]: https://h/\n[g]: \\/\\/h\n[h]: &#104;ttps://h/\n[i]:j:k';
  expect(externalLabelsIn(text)).toEqual(['A', 'B C', 'G', 'H', 'I']);
});
