import { expect, it } from 'vitest';
import { codeBlock } from '../../src/markdown/code.js';
import { suggestionBlocks } from '../../src/markdown/suggestions.js';

/** The blocks of a body: lines above and below, the text, and the part of the body that each one takes. */
const blocksOf = (body: string) =>
  suggestionBlocks(body).map(({ above, below, text, start, end }) => [above, below, text, body.slice(start, end)]);

it.each([
  ['```suggestion\na\n```', [[0, 0, 'a\n', '```suggestion\na\n```']]],
  ['```suggestion:-1+2\na\n\nb\n```', [[1, 2, 'a\n\nb\n', '```suggestion:-1+2\na\n\nb\n```']]],
  ['````suggestion\n```\n````', [[0, 0, '```\n', '````suggestion\n```\n````']]],
  ['~~~suggestion:-0+0\n~~~', [[0, 0, '', '~~~suggestion:-0+0\n~~~']]],
  ['text\r\n```suggestion\r\na\r\n```\r\n', [[0, 0, 'a\n', '```suggestion\r\na\r\n```\r\n']]],
  ['```suggestion\n\n```', [[0, 0, '', '```suggestion\n\n```']]], ['```suggestion\n \t\n\n```', [[0, 0, '', '```suggestion\n \t\n\n```']]],
  ['```suggestion\n\na\n\n```', [[0, 0, '\na\n\n', '```suggestion\n\na\n\n```']]],
  ['```suggestion\na\n```\n```suggestion\nb\n```',
    [[0, 0, 'a\n', '```suggestion\na\n```\n'], [0, 0, 'b\n', '```suggestion\nb\n```']]],
  ['```md\n```suggestion\n```', []], ['```suggestions\na\n```', []], ['```Suggestion\na\n```', []], ['    ```suggestion\na', []],
  ['a suggestion', []], ['a\n~~~\nb\n~~~\nsuggestion', []],
])('the blocks of %j', (body, blocks) => {
  expect(blocksOf(body)).toEqual(blocks);
});

it.each([
  ['suggestion:-1', [1, 0]], ['suggestion:+1', [0, 1]], [' suggestion:-2+3 ', [2, 3]], ['suggestion -1+2', [1, 2]], ['suggestion:-1000+0', [1000, 0]],
  ['suggestion:+1-1', [0, 0]], ['suggestion:', [0, 0]], ['suggestion of Ada', [0, 0]],
])('the range of %j', (info, [above, below]) => {
  expect(suggestionBlocks(`\`\`\`${info}\na\n\`\`\``)).toMatchObject([{ above, below, text: 'a\n' }]);
});

it.each([
  ['an item of a list', '- Use:\n\n  ```suggestion\n      return 3\n  ```\n', '    return 3\n'],
  ['a numbered item, with spaces of its own', '1. Use:\n\n     ```suggestion\n     a\n       b\n     ```', 'a\n  b\n'],
  ['an item whose first line it is', '1. ```suggestion\n    a\n   ```', ' a\n'],
  ['a quote', '> ```suggestion\n>   a\n> ```', '  a\n'], ['an item in a quote', '> - ```suggestion\n>   a\n>   ```\n> b', 'a\n'],
  ['spaces before its fences', '  ```suggestion\n    a\n b\n  ```', '  a\nb\n'],
  ['a text that ends without its fence', 'Use:\n\n```suggestion\na', 'a\n'], ['a quote that ends without its fence', '> ```suggestion\n> a\nb', 'a\n'],
  ['a quote above other code', '> ```suggestion\n> a\n    b', 'a\n'], ['a quote that is empty, above other code', '> ```suggestion\n    b', ''],
  ['its fences above other code', '```suggestion\na\n```\n    b', 'a\n'], ['an item, behind a part of a tab', '- ```suggestion\n\ta\n  ```', '  a\n'],
])('the text of a block in %s', (_, body, text) => {
  expect(suggestionBlocks(body)).toMatchObject([{ text }]);
});

it.each([
  ['a comment', '<!--\n```suggestion\na\n```\n-->'], ['HTML up to a blank line', '<details>\n```suggestion\na\n```\n\n</details>'],
])('no block is in %s', (_, body) => {
  expect(suggestionBlocks(`${body}\n\n\`\`\`suggestion\nb\n\`\`\``)).toMatchObject([{ text: 'b\n' }]);
});

it('are what codeBlock made, also after the service has deleted carriage returns', () => {
  const text = 'x\n`\r``\n/close';
  expect(suggestionBlocks(codeBlock(text, 'suggestion').replaceAll('\r', ''))).toMatchObject([{ text: 'x\n```\n/close\n' }]);
});

it('a fence of 300,000 spaces is read without delay', () => {
  const spaces = ' '.repeat(300_000);
  for (const fence of [`suggestion${spaces}a`, `suggestion:${spaces}-1${spaces}a`, `${spaces}suggestion`]) {
    expect(suggestionBlocks(`\`\`\`${fence}\na\n\`\`\``)).toMatchObject([{ above: 0, below: 0, text: 'a\n' }]);
  }
});
