import { expect, it } from 'vitest';
import { ranIn } from '../../../../support/app.js';
import { patch, pushService } from '../../../../support/pushes.js';

it('a thread of an older version is below its line of today, else below its file', async () => {
  const service = await pushService();
  await service.comment({ new_line: 2 }, 'on a changed line');
  await service.comment({ old_line: 3, new_line: 3 }, 'on a moved line');
  await service.push({ diff: patch('x.ts', '@@ -1,4 +1,5 @@', '+zero', ' one', '-two', '+II', ' three', ' four') });
  await service.push({ diff: patch('x.ts', '@@ -1,2 +1,3 @@', '+zero', ' one', '-two', '+II'), base_sha: 'a'.repeat(40) });
  await service.push({ diff: patch('x.ts', '@@ -1,4 +1,5 @@', '+zero', ' one', '-two', '+II', ' three', ' four'), head_sha: 'e'.repeat(40) });
  let page = '';
  const edit = (text: string) => page = text;
  await ranIn({ service, terminal: true, edit }, 'discussions', 'review', '!1');
  const lines = page.split('\n').map((line) => line.replace(/^> /, '')).filter((line) => /^(?:diff|[ +-]|# thread|#   on)/.test(line));
  expect(lines.slice(lines.indexOf('diff --git a/x.ts b/x.ts')).map((line) => line.replace(/^# thread \S+/, '# thread'))).toEqual([
    'diff --git a/x.ts b/x.ts', '# thread [open] on x.ts:2 of an older version', '#   on a changed line',
    '+zero', ' one', '-two', '+II', ' three', '# thread [open] on x.ts:4 of an older version', '#   on a moved line', ' four',
  ]);
});
