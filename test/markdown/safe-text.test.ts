import fc from 'fast-check';
import { Marked, type Token, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { inertInCode, neutralized, neutralText, withoutCommands } from '../../src/markdown/safe-text.js';
import { suggestionBlocks } from '../../src/markdown/suggestions.js';
import { runsOf } from '../support/extent.js';

const visible = (text: string) => text.replaceAll('\u2060', '');
const markdown = new Marked({ gfm: true });

/** The code and the addresses of links in a document, as marked reads them. */
const keptOf = (text: string): { readonly code: string[]; readonly hrefs: string[] } => {
  const kept = { code: [] as string[], hrefs: [] as string[] };
  const tables = (token: Token) => token.type === 'table'
    ? [...(token as Tokens.Table).header, ...(token as Tokens.Table).rows.flat()].flatMap(({ tokens }) => tokens) : [];
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === 'code' || token.type === 'codespan') kept.code.push((token as Tokens.Code).text);
      if (token.type === 'link') kept.hrefs.push((token as Tokens.Link).href);
      walk([...(token as Tokens.Generic).tokens ?? [], ...((token as Tokens.List).items ?? []), ...tables(token)]);
    }
  };
  walk(markdown.lexer(text));
  return kept;
};

/** What a page shows outside code and links. */
const shownOf = (text: string): string => (markdown.parse(text, { async: false }))
  .replace(/<pre>[^]*?<\/pre>|<code>[^]*?<\/code>|<a [^]*?<\/a>/g, '\ufffc').replace(/<[^>]*>/g, '')
  .replace(/&#(?:(\d+)|x([\da-f]+));/gi, (_, decimal: string, hex: string) => String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16)))
  .replace(/&(commat|num|excl|dollar|percnt|sol|quot|lt|gt);/g, (_, name: string) =>
    ({ commat: '@', num: '#', excl: '!', dollar: '$', percnt: '%', sol: '/', quot: '"', lt: '<', gt: '>' })[name]!)
  .replaceAll('&amp;', '&');

const active = /@["\w]|[#!$%&]\d|~\w|\bGL-\d|^[ \t]*\/[a-z]/im;

describe('neutralText', () => {
  it.each([
    ['/close', '\u2060/close'], ['a\n  /label', 'a\n  \u2060/label'], ['a\r/close', 'a\n\u2060/close'],
    ['ask @ada', 'ask @\u2060ada'], ['@"a group"', '@\u2060"a group"'], ['fixes #12', 'fixes #\u206012'],
    ['acme/app!5', 'acme/app!\u20605'], ['&7 and $3', '&\u20607 and $\u20603'], ['GL-12', 'GL\u2060-12'],
    ['%1 ~bug', '%\u20601 ~\u2060bug'], ['[work_item:acme/12]', '[work_item:\u2060acme/12]'],
    ['&#x40;root', '&#x40;\u2060root'], ['&#0000064;ada', '&#0000064;\u2060ada'], ['&commat;all', '&commat;\u2060all'],
    ['&num;7 &excl;5 &dollar;3 &percnt;2 &amp;7', '&num;\u20607 &excl;\u20605 &dollar;\u20603 &percnt;\u20602 &amp;\u20607'],
    ['@&#114;oot #&#49;', '@\u2060&#114;oot #\u2060&#49;'], ['&#47;close', '\u2060&#47;close'], ['&sol;close', '\u2060&sol;close'],
    ['\\@root \\#1', '\\@\u2060root \\#\u20601'], ['@\\_x @&lowbar;x', '@\u2060\\_x @\u2060&lowbar;x'], ['@<b>root</b>', '@\u2060<b>root</b>'],
    ['&#64root &#x40root', '&#\u206064root &#\u2060x40root'], ['<div>\n&#64;ada &amp7\n</div>', '<div>\n&#64;\u2060ada &\u2060amp7\n</div>'],
    ['[^1]: @root', '[^1]: @\u2060root'], ['https://h/?a&amp;&lt;&amp; @ada', 'https://h/?a&amp;&lt;&amp; @\u2060ada'],
  ])('changes %j', (text, expected) => {
    expect(neutralText(text)).toBe(expected);
  });

  it.each([
    'a / b', '/* comment */', '//', 'a@', 'C# and F#', 'x & y', '$HOME', '1/2', '50 %', '&amp;commat;x', '&unknown; &copy;',
    'https://h/a/-/issues/12', 'see https://h.io/@x/#1, and www.h.io/@y', '<http://h/@a#1>', 'mail a@b.io', '[t](/u@x#1 "t")', '[t](<a #1>)',
    '[t]\n\n[t]: /u@x#1', '`npm i @scope/x`', '``a ` @b``', '~~~\n@x\n~~~', '```js\n@x #1\n```', '> - ```\n>   @x\n>   ```', '    @x #1', '- a\n\n      @x',
    '| a | b |\n|---|---|\n| `@x` | c |', '```\n/close\n```', '![a](/uploads/a.png)', '<a href="/@x#1">t</a>',
  ])('leaves %j', (text) => {
    expect(neutralText(text)).toBe(text);
  });

  it.each([
    ['| a | b |\n|---|---|\n| `@x | ` |', '| a | b |\n|---|---|\n| `@\u2060x | ` |'], ['`a\n\n@x`', '`a\n\n@\u2060x`'],
    ['\\`@x`', '\\`@\u2060x`'], ['https://h/` @x`', 'https://h/` @\u2060x`'], ['[a](b @x', '[a](b @\u2060x'], ['<a @x', '<a @\u2060x'],
  ])('is not misled by %j, which is not code and no link', (text, expected) => {
    expect(neutralText(text)).toBe(expected);
  });

  it.each([
    ['```suggestion:-0+0\nx\n```', '```\nx\n```'], ['~~~~ Suggestion\nx\n~~~~', '~~~~\nx\n~~~~'],
    ['> ```&#115;uggestion\n> x', '> ```\n> x'], ['```suggestion\nx', '```\nx\n```'], ['- `````suggestion:-1+2\n  x\n  `````', '- `````\n  x\n  `````'],
    ['```suggestion\u2028\nx', '```\nx\n```'],
    ['<pre lang="suggestion"><code>x</code></pre>', '&lt;pre lang="suggestion"><code>x</code></pre>'],
    ['<!--\n```suggestion\nx\n```\n-->', '<!--\n```\nx\n```\n-->'], ['<iframe>\n> 1. ~~~ suggestion\nx', '&lt;iframe>\n> 1. ~~~\nx'],
    ['<img src=//h>\n```suggestion:-1\nx\n```', '<a href="//h">image</a>\n```\nx\n```'],
    ['>>>\n~~~\n>>>\n```suggestion:+1\nx\n```\n~~~', '>>>\n~~~\n>>>\n```\nx\n```\n~~~'],
  ])('makes plain code of the suggestion %j', (text, expected) => {
    expect(neutralText(text)).toBe(expected);
  });

  it.each([
    ['![a](https://evil.test/a.png)', '[a](https://evil.test/a.png)'], ['![a](//evil.test/a)', '[a](//evil.test/a)'], ['!![a](http://h/)', '!\u2060[a](http://h/)'],
    ['![a](<h&#116;tp://h/>)', '[a](<h&#116;tp://h/>)'], ['![a][B]\n\n[b]: http://h/', '[a][B]\n\n[b]: http://h/'], ['![b]\n\n[b]: \\/\\/h', '[b]\n\n[b]: \\/\\/h'],
    ['[![a](http://h/i.png)](http://y/)', '[a](http://y/)'], ['<img src="http://h/a.png" alt=x>', '<a href="http://h/a.png">image</a>'],
    ["<img alt=\" src='/a'\" src=//h/a>", '<a href="//h/a">image</a>'], ['<div>\n<img/src="http://h">\n</div>', '<div>\n&lt;img/src="http://h">\n</div>'],
    ['<video src="http://h/a">', '&lt;video src="http://h/a">'], ['<img src="/a" srcset="//h/a 2x">', '&lt;img src="/a" srcset="//h/a 2x">'],
  ])('loads nothing for %j', (text, expected) => {
    expect(neutralText(text)).toBe(expected);
  });

  it.each([
    ['`a\n/close`', '`a /close`'], ['````\n/close\n````', '```\n/close\n```'], ['```\n/close', '```\n/close\n```'],
    ['~~~\n/close\n~~~\n\ntext', '```\n/close\n```\n\ntext'], ['```\nx\n```\n\n```\n/close\n```', '```\nx\n```\n\n```\n/close\n```'],
  ])('keeps the code of %j where a service would run its lines', (text, expected) => {
    expect(neutralText(text)).toBe(expected);
  });

  it.each([
    ['````\n```\n/close\n````', '````\n```\n\u2060/close\n````'], ['~~~\n```\n/close\n~~~', '~~~\n```\n\u2060/close\n~~~'],
    ['```\n```\n\n```\n/close\n```', '```\n```\n\n```\n\u2060/close\n```'], ['`` a`b ``\n\n```\nx\n```\n', '`` a`b ``\n\n```\nx\n```\n'],
    ['<x>\n\n```\n</y>\n/close\n```\n', '<x>\n\n```\n</y>\n\u2060/close\n```\n'], ['```\r\n/close\r\n```\r\n', '```\r\n\u2060/close\r\n```\r\n'],
  ])('changes a command in the code of %j that a service which reads lines would run', (text, expected) => {
    expect(neutralText(text)).toBe(expected);
  });

  it.each([
    ['see [docs](@all) and [this](#1)', 'see [docs](@\u2060all) and [this](#\u20601)'], ['[a](<acme/app!2>)', '[a](<acme/app!\u20602>)'],
    ['[y][z]\n\n[z]: @all', '[y][z]\n\n[z]: @\u2060all'], ['[a](%40all "t")', '[a](%\u206040all "t")'], ['[a](&#64;all)', '[a](&#64;\u2060all)'],
    ['<a href="@all">x</a>', '&lt;a href="@\u2060all">x</a>'], ['<a href="%40all">x</a>', '&lt;a href="%\u206040all">x</a>'],
  ])('makes no reference of the address of a link in %j', (text, expected) => {
    expect(neutralText(text)).toBe(expected);
  });

  it.each([
    ['-\n    @all', '-\n    @\u2060all'], ['[x]: /u\n===\n    @all', '[x]: /u\n===\n    @\u2060all'],
    ['[x]: /u\n---\n    @all', '[x]: /u\n---\n    @\u2060all'],
    ['a <!-- @all > b', 'a <!-- @\u2060all > b'], ['a <![CDATA[ @all > b', 'a <![CDATA[ @\u2060all > b'],
    ['a <!-- ![i](https://h/a.png) > b', 'a <!-- [i](https://h/a.png) > b'], ['a <!-- b -- @all --> c', 'a <!-- b -- @\u2060all --> c'],
    ['<iframe>\n![x](https://h/a.png) `@x`\n</iframe>', '&lt;iframe>\n[x](https://h/a.png) `@\u2060x`\n&lt;/iframe>'],
    ['<pre\nlang="suggestion">\n\n```\n</pre>\n```\n\n@bob', '&lt;pre\nlang="suggestion">\n\n```\n</pre>\n```\n\n@\u2060bob\n```'],
    ['<img src=//h>\n```\n\n```\n@all\n```', '<a href="//h">image</a>\n```\n\n```\n@\u2060all\n```'],
    ['> <img src=//h>\n    @all', '> <a href="//h">image</a>\n    @\u2060all'],
    ['<form>```\n<a b="x ```@root">', '&lt;form>```\n<a b="x ```@\u2060root">'],
    ['> <form>\n[x]: ![a](https://h/a)', '> &lt;form>\n[x]: [a](https://h/a)'], ['<pre>\n</textarea>\n```\n</pre>\n@x\n```', '<pre>\n</textarea>\n```\n</pre>\n@\u2060x\n```'],
    ['<textarea>\n\n![x](https://h/a.png)\n</textarea>', '<textarea>\n\n[x](https://h/a.png)\n</textarea>'],
    ['<!x\n\n~~~\n>\n@all\n~~~', '<!x\n\n~~~\n>\n@\u2060all\n~~~'],
    ['a <!b `> @all `', 'a <!b `> @\u2060all `'], ['``` `a` `@all `', '``` `a` `@\u2060all `'], ['[x]: (`\n===\n\n    @all', '[x]: (`\n===\n\n    @\u2060all'],
    ['1. a\n</pre>\n10)     @all', '1. a\n</pre>\n10)     @\u2060all'], ['- \n  \n    @all', '- \n  \n    @\u2060all'],
  ])('finds in %j the text that any version of Markdown shows', (text, expected) => {
    expect(neutralText(text)).toBe(expected);
  });

  it.each([
    ['see[^1] ![y]\n\n[^1]: a\n\n    [y]: https://h/x.png\n\n    @root\n', 'see[^1] [y]\n\n[^1]: a\n\n    [y]: https://h/x.png\n\n    @\u2060root\n'],
    ['---\n~~~\n---\n\n/merge\n\n@all\n\n~~~\n', '---\n~~~\n---\n\n\u2060/merge\n\n@\u2060all\n\n~~~\n'],
    ['term\n\n: details\n\n    @all', 'term\n\n: details\n\n    @\u2060all'],
    ['>>>\n```\n>>>\n\n@all\n\n```\n', '>>>\n```\n>>>\n\n@\u2060all\n\n```\n'], ['``cost $x`y$ @all `z``', '``cost $x`y$ @all `z``'],
    ['cost $x`y$ @all `z', 'cost $x`y$ @\u2060all `z'],
    ['```json:table\n{"markdown":true,"items":[{"a":"@root"}]}\n```', '```\n{"markdown":true,"items":[{"a":"@root"}]}\n```'],
    ['<pre lang="json:table">\n@x\n</pre>', '&lt;pre lang="json:table">\n@\u2060x\n</pre>'],
  ])('leaves nothing active in %j, which services read in more ways than Markdown', (text, expected) => {
    expect(neutralText(text)).toBe(expected);
  });

  it('leaves nothing active after the service has deleted carriage returns', () => {
    expect(neutralText('a\n/\rclose\r\n@\rall #\r7\n``\r`suggestion\nx')).toBe('a\n/\nclose\r\n@\nall #\n7\n``\n`suggestion\nx');
    expect(neutralText('@\rall', { isInline: true })).toBe('@ all');
    expect([withoutCommands('a\n/\rclose'), inertInCode('a\n/\rclose\n```')]).toEqual(['a\n/\nclose', 'a\n/\nclose\n```']);
  });

  it('closes a block of code at the end, so that text after it stays outside', () => {
    expect([neutralText('```\n@x'), neutralText('~~~~'), neutralText('- ```\n  @x')]).toEqual(['```\n@x\n```', '~~~~\n~~~~', '- ```\n  @x']);
  });

  it('reads no blocks in a text that goes into a line', () => {
    expect([neutralText('    @x', { isInline: true }), neutralText('~~~ @x `@y`', { isInline: true })]).toEqual(['    @\u2060x', '~~~ @\u2060x `@y`']);
  });

  it('escapes tags in a text without HTML, outside code and links', () => {
    expect(neutralText('a <b> `<c>` <http://h/> <img src=//h>', { isHtml: false })).toBe('a &lt;b> `<c>` <http://h/> &lt;img src=//h>');
  });

  const words = ['@root', '#7', '!12', '&3', '$5', '%4', '~bug', 'GL-3', '/close', '&#x40;root', '&commat;all', '&num;7', '&#0064;ada', '\n&#47;close',
    '\\@root', '\\#1', 'word', '(', ')', '[', '](', ']', '*', '**', '_', '|', '\\', '"', 'é', '<b>', '</b>', '<!-- @x -->'];
  const kept = ['`npm i @scope/x`', '`` a`@b ``', '[t](/x@y "t")', '[t](<a b#1>)', '<http://h/@a#1>',
    ' https://h.io/a/-/issues/12 ', ' www.h.io/#1 ', ' a@b.io ', '[a]'];
  const blocks = ['\n', '\n\n', '\n```js\n@x #1\n```\n', '\n~~~\n/close\n~~~\n', '\n\n    @x #1\n\n', '\n> ', '\n- ', '\n1. ', '\n# ',
    '\n\n[a]: /u#1\n\n', '`', '``', '  ', ' ',
    '\n\n| a | b |\n|---|---|\n| `@x` | #1 |\n\n', '\n````\n@x\n````\n', '\n```suggestion:-0+0\n@x\n```\n'];
  const documents = fc.array(fc.constantFrom(...words, ...kept, ...blocks, ' ', ' '), { maxLength: 12 }).map((parts) => parts.join(''));

  it('keeps the code and the addresses that marked reads, shows the same, and changes nothing when it is repeated', () => {
    fc.assert(fc.property(documents, (text) => {
      const neutral = neutralText(text);
      expect(visible(JSON.stringify(keptOf(neutral)))).toBe(JSON.stringify(keptOf(text)));
      // Versions of Markdown differ in what is code where a backtick or a dollar is shown, or an item begins with a blank line.
      if (!/[`$]/.test(shownOf(text)) && !/^[ >]*(?:-|1\.) *$/m.test(text)) expect(keptOf(neutral)).toEqual(keptOf(text));
      expect(neutralText(neutral)).toBe(neutral);
    }), { numRuns: runsOf(3_000), seed: 1 });
  }, 30_000);

  it('leaves nothing active in what a page shows', () => {
    const separated = fc.array(fc.constantFrom(...words.filter((word) => !/[<[\]()]/.test(word)), ...kept), { maxLength: 12 }).map((parts) => parts.join(' '));
    fc.assert(fc.property(separated, (text) => {
      expect(shownOf(neutralText(text))).not.toMatch(active);
    }), { numRuns: runsOf(3_000), seed: 1 });
  }, 30_000);

  it('leaves no block that the service would apply', () => {
    const parts = fc.constantFrom('```suggestion', '~~~ suggestion:-1', '````suggestion:+1', '```', '~~~', '\n', '\n\n', '> ', '- ', '1. ',
      '    ', '\t', 'x', '<!--', '-->', '<div>', '<img src=//h>', '<iframe>', '<pre lang="suggestion">', '</pre>', '>>>');
    fc.assert(fc.property(fc.array(parts, { maxLength: 15 }).map((all) => all.join('')), fc.boolean(), (text, isHtml) => {
      expect(suggestionBlocks(neutralText(text, { isHtml }))).toEqual([]);
    }), { numRuns: runsOf(3_000), seed: 1 });
  });

  it('changes nothing that can be seen in plain text', () => {
    fc.assert(fc.property(fc.stringMatching(/^[\n /@#&$"a1:.-]{0,30}$/), (text) => {
      expect(visible(neutralText(text))).toBe(text);
    }));
  });
});

describe('withoutCommands', () => {
  it.each([
    ['a\n\n```\n/close @x\n```', null], ['```\nx\n```\n/close', '```\nx\n```\n\u2060/close'],
    ['<details>\n\n```text\n<x>\n</x>\n/close\n```\n\n</details>', '<details>\n\n```text\n<x>\n</x>\n\u2060/close\n```\n\n</details>'],
    ['>>>\n/close\n>>>', null], ['>>>\n/close', '>>>\n\u2060/close'], ['`` a`b `` c\n\n```\n/close\n```\n\n`d`', null],
    ['`a\n\n```\n/close\n```', null], ['`` ` ``\n\n`x\n```\n/close\n```', null],
  ])('changes in %j what a service which reads lines would run', (text, expected) => {
    expect(withoutCommands(text)).toBe(expected ?? text);
  });

  it('takes linear time', () => {
    for (const piece of ['<a>\n</b> x\n', '<\n', '```\n', '`\n/a\n', '\n</', '>>>\n', '/a\n']) {
      expect(visible(withoutCommands(piece.repeat(100_000)))).toBe(piece.repeat(100_000));
    }
  });
});

describe('the effects that a text lost', () => {
  it.each([
    ['plain `@x` https://h/@x', {}], ['@ada @"a group"', { mentions: 2 }], ['/close\n/label ~bug', { commands: 2, references: 1 }],
    ['see #1, !2 and GL-3', { references: 3 }], ['```suggestion\nx\n```\n', { suggestions: 1 }],
    ['# @ada\n\n| @bob | #1 |\n|---|---|\n', { mentions: 2, references: 1 }], ['`a\n/close`', { commands: 1 }],
    ['````\n```\n/close\n~~~\n````\n', { commands: 1 }], ['<div>\n@ada\n</div>', { mentions: 1 }],
  ])('of %j are %j', (text, expected) => {
    const none = { mentions: 0, commands: 0, references: 0, suggestions: 0 };
    expect(neutralized(text)).toEqual({ text: neutralText(text), effects: { ...none, ...expected } });
  });

  it('are counted in a line, too', () => {
    expect(neutralized('@ada fixes #1', { isInline: true }).effects).toMatchObject({ mentions: 1, references: 1 });
  });
});
