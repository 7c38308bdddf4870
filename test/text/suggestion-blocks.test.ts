import { expect, it } from 'vitest';
import { suggestionBlocks } from '../../src/text/suggestion-blocks.js';

const block = (above: number, below: number, text: string) => ({ above, below, text });

it.each([
  ['```suggestion\na\n```', [block(0, 0, 'a\n')]],
  ['```suggestion:-1+2\na\n\nb\n```', [block(1, 2, 'a\n\nb\n')]],
  ['````suggestion\n```\n````', [block(0, 0, '```\n')]],
  ['~~~suggestion:-0+0\n~~~', [block(0, 0, '')]],
  ['text\r\n```suggestion\r\na\r\n```\r\n', [block(0, 0, 'a\n')]],
  ['```suggestion\na\n```\n```suggestion\nb\n```', [block(0, 0, 'a\n'), block(0, 0, 'b\n')]],
  ['```md\n```suggestion\n```', []], ['```suggestions\na\n```', []], ['    ```suggestion\na', []], ['```suggestion\nopen', []],
  ['```suggestion:-1000+0\na\n```', []], ['a suggestion', []],
])('the blocks of %j', (body, blocks) => {
  expect(suggestionBlocks(body)).toEqual(blocks);
});
