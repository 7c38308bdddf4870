import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tableCells, readLeaves } from '../../src/markdown/blocks.js';

/** The leaves of a document: the kind with the text of each line behind the markers of quotes and lists. */
const leaves = (text: string, isHtml = true) => readLeaves(text, isHtml).map(({ kind, lines }) => [kind, ...lines.map(({ content }) => content)]);

/** The same with the markers alone. */
const prefixes = (text: string) => readLeaves(text, true).flatMap(({ lines }) => lines.map(({ prefix }) => prefix));

const written = (text: string, isHtml = true) =>
  readLeaves(text, isHtml).flatMap(({ lines }) => lines.map(({ prefix, content, end }) => prefix + content + end)).join('');

describe('the leaves of a document', () => {
  it.each<[what: string, text: string, leaves: string[][]]>([
    ['paragraphs between blank lines', 'a\nb\n\nc', [['paragraph', 'a', 'b'], ['rule', ''], ['paragraph', 'c']]],
    ['a heading, which ends a paragraph', 'a\n# b\nc', [['paragraph', 'a'], ['heading', '# b'], ['paragraph', 'c']]],
    ['no heading without a space or with seven marks', '#a\n\n####### b', [['paragraph', '#a'], ['rule', ''], ['paragraph', '####### b']]],
    ['an underlined heading', 'a\n===\nb', [['paragraph', 'a'], ['rule', '==='], ['paragraph', 'b']]],
    ['rules of three marks', '***\n- - -\n__', [['rule', '***'], ['rule', '- - -'], ['paragraph', '__']]],
    ['a block of code between fences', '```js\n# a\n\n```\nb', [['open', '```js'], ['code', '# a', ''], ['close', '```'], ['paragraph', 'b']]],
    ['a fence that a shorter or another one does not close', '~~~~\n```\n~~~\n~~~~~', [['open', '~~~~'], ['code', '```', '~~~'], ['close', '~~~~~']]],
    ['a fence that is open at the end, closed', '```\na', [['open', '```'], ['code', 'a'], ['close', '```']]],
    ['no fence with a backtick behind it', '``` a`b\nc', [['paragraph', '``` a`b', 'c']]],
    ['indented code, which cannot interrupt a paragraph', '    a\n\nb\n    c', [['code', 'a', ''], ['paragraph', 'b', 'c']]],
    ['a block of HTML up to a blank line', '<div>\n*a*\n\nb', [['html', '<div>', '*a*'], ['rule', ''], ['paragraph', 'b']]],
    ['a comment up to its end', '<!-- a\n\nb -->\nc', [['html', '<!-- a', '', 'b -->'], ['paragraph', 'c']]],
    ['a script in lower or upper case', '<SCRIPT>\n\n</script>\nc', [['html', '<SCRIPT>', '', '</script>'], ['paragraph', 'c']]],
    ['a tag of its own line, which cannot interrupt a paragraph', '<x-y a="b">\nc\n\nd\n<x-y>',
        [['html', '<x-y a="b">', 'c'], ['rule', ''], ['paragraph', 'd', '<x-y>']]],
    ['a table', 'a | b\n--|:-:\nc | d\n\ne', [['row', 'a | b'], ['rule', '--|:-:'], ['row', 'c | d'], ['rule', ''], ['paragraph', 'e']]],
    ['a table behind other lines of a paragraph', 'x\na | b\n-|-\n', [['paragraph', 'x'], ['row', 'a | b'], ['rule', '-|-']]],
    ['no table with another number of columns', 'a | b\n-|-|-\n', [['paragraph', 'a | b', '-|-|-']]],
    ['none of a blank text', '', []],
  ])('are %s', (_, text, expected) => {
    expect(leaves(text)).toEqual(expected);
  });

  it('have no HTML if the text has none', () => {
    expect(leaves('<div>\na', false)).toEqual([['paragraph', '<div>', 'a']]);
  });

  it.each<[what: string, text: string, prefixes: string[], leaves: string[][]]>([
    ['a quote', '> a\n>b\n> > c', ['> ', '>', '> > '], [['paragraph', 'a', 'b'], ['paragraph', 'c']]],
    ['a quote that goes on without its mark', '> a\nb', ['> ', ''], [['paragraph', 'a', 'b']]],
    ['no quote behind a blank line', '> a\n\nb', ['> ', '', ''], [['paragraph', 'a'], ['rule', ''], ['paragraph', 'b']]],
    ['items of lists', '- a\n  b\n1. c', ['- ', '  ', '1. '], [['paragraph', 'a', 'b'], ['paragraph', 'c']]],
    ['no item in a paragraph that does not start with one', 'a\n2. b', ['', ''], [['paragraph', 'a', '2. b']]],
    ['code in an item in a quote', '> - ```\n>   a\n>   ```', ['> - ', '>   ', '>   '], [['open', '```'], ['code', 'a'], ['close', '```']]],
    ['indented code in an item', '-     a', ['-     '], [['code', 'a']]],
    ['a fence that ends with its quote', '> ```\na', ['> ', ''], [['open', '```'], ['rule'], ['paragraph', 'a']]],
  ])('stand in %s', (_, text, marks, expected) => {
    expect([prefixes(text), leaves(text)]).toEqual([marks, expected]);
  });

  it('are in at most twenty quotes: deeper marks are text', () => {
    const [line] = readLeaves(`${'>'.repeat(25)} a`, true)[0]!.lines;
    expect(line).toMatchObject({ prefix: '>'.repeat(20), content: '>>>>> a' });
  });

  it('are the document, with a closing fence if the last block of code has none', () => {
    const part = fc.constantFrom('a', 'b c', '\n', '\n\n', '\r\n', '\r', '    ', '\t', ' ', '> ', '- ', '1. ', '# ',
        '```', '~~~', '`', '<div>', '</div>', '<!--',
      '-->', '|', '-|-', '---', '===', '*');
    fc.assert(fc.property(fc.array(part, { maxLength: 30 }).map((parts) => parts.join('')), fc.boolean(), (text, isHtml) => {
      const all = written(text, isHtml);
      expect(all.startsWith(text)).toBe(true);
      expect(all.slice(text.length)).toMatch(/^(?:\n?(?:`{3,}|~{3,})(?:\r\n|\r|\n)?)?$/);
    }), { numRuns: 2_000 });
  });
});

describe('the cells of a row', () => {
  it.each([
    ['a | b', ['a ', ' b']], ['| a | b |', [' a ', ' b ']], ['|a||b|', ['a', '', 'b']], ['a \\| b | c', ['a \\| b ', ' c']], ['a | b \\|', ['a ', ' b \\|']],
    ['a', ['a']], ['|', ['']], ['', ['']], ['  | a |  ', [' a ']],
  ])('of %j are %j', (row, cells) => expect(tableCells(row)).toEqual(cells));
});
