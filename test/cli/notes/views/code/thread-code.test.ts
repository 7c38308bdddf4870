import { describe, expect, it } from 'vitest';
import { lineCode } from '../../../../../src/diff/lines.js';
import { ranIn } from '../../../../support/app.js';
import { patch, pushService, second } from '../../../../support/pushes.js';

const shown = async (verb: 'get' | 'view', ...words: readonly string[]) => {
  const service = await pushService();
  const id = await service.comment({ old_line: 4, new_line: 4 }, 'Why?');
  await service.push({ diff: patch('x.ts', '@@ -1,2 +1,2 @@', ' one', '-two', '+2') });
  await service.push({ diff: second });
  const { code, out, err } = await ranIn({ service }, 'discussions', verb, '!1', ...verb === 'get' ? [id] : [], ...words);
  expect([code, err]).toEqual([0, '']);
  return out;
};

describe('the code of a thread on an older version', () => {
  it.each(['get', 'view'] as const)('is that of its version, then that of today: %s', async (verb) => {
    expect(await shown(verb)).toContain([
      '  2   -two', '    2 +2', '  3 3  three', '> 4 4  four', '', 'now', '  2   -two', '    3 +2', '  3 4  three', '> 4 5  four', ''].join('\n'));
  });

  it('is both in Markdown, too', async () => {
    expect(await shown('view', '-o', 'markdown')).toContain('+2\n three\n four\n```\n\nNow:\n\n```diff\n-two\n+2\n three\n four\n```\n');
  });
});

it('the code of a thread on several lines has the same lines after a push, whose numbers are others', async () => {
  const service = await pushService();
  const end = (oldLine: number, newLine: number) => ({ line_code: lineCode('x.ts', { oldLine, newLine }), type: 'new' });
  await service.comment({ old_line: 4, new_line: 4, line_range: { start: end(3, 3), end: end(4, 4) } }, 'Why?');
  await service.push({ diff: patch('x.ts', '@@ -1,4 +1,6 @@', '+a', '+b', ' one', '-two', '+2', ' three', ' four') });
  for (const [words, text] of [
    [['view', '!1'], 'on x.ts:5-6 [open]\n\n  1 3  one\n  2   -two\n    4 +2\n> 3 5  three\n> 4 6  four\n'],
    [['list', '!1'], '\tx.ts:5-6\tWhy?\n'], [['check', '!1'], 'x.ts:5-6: '],
  ] as const) {
    const { out, err } = await ranIn({ service }, 'discussions', ...words);
    expect(`${out}${err}`).toContain(text);
  }
});
