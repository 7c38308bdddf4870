import { expect, it } from 'vitest';
import { suggestionBlocks } from '../../src/markdown/code.js';

/** In the lines of the body from `start` to before `end`, with its fences. */
const block = (above: number, below: number, text: string, [start, end]: readonly [start: number, end: number]) =>
  ({ above, below, text, start, end });

it.each([
  ['```suggestion\na\n```', [block(0, 0, 'a\n', [0, 3])]],
  ['```suggestion:-1+2\na\n\nb\n```', [block(1, 2, 'a\n\nb\n', [0, 5])]],
  ['````suggestion\n```\n````', [block(0, 0, '```\n', [0, 3])]],
  ['~~~suggestion:-0+0\n~~~', [block(0, 0, '', [0, 2])]],
  ['text\r\n```suggestion\r\na\r\n```\r\n', [block(0, 0, 'a\n', [1, 4])]],
  ['```suggestion\na\n```\n```suggestion\nb\n```', [block(0, 0, 'a\n', [0, 3]), block(0, 0, 'b\n', [3, 6])]],
  ['```md\n```suggestion\n```', []], ['```suggestions\na\n```', []], ['    ```suggestion\na', []], ['```suggestion\nopen', []],
  ['```suggestion:-1000+0\na\n```', [{ above: 1000, below: 0, text: 'a\n', start: 0, end: 3 }]], ['a suggestion', []],
])('the blocks of %j', (body, blocks) => {
  expect(suggestionBlocks(body)).toEqual(blocks);
});
