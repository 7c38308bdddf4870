import { describe, expect, it } from 'vitest';
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
