import { expect, it } from 'vitest';
import { lineFile } from '../../../../../src/cli/service/recording/record.js';

it('lines that come together share a write, in their order, and are written when they resolve', async () => {
  const written: string[] = [];
  const { add, counts } = lineFile((text) => { written.push(text); }, () => undefined);
  await Promise.all(['a', 'b', 'c'].map(async (line) => {
    await add(line);
    expect(written.join('')).toContain(line);
  }));
  await add('d');
  expect([written, counts]).toEqual([['abc', 'd'], { written: 4, failed: 0 }]);
});

it('the first line that cannot be written is reported once, and the others are still tried', async () => {
  const reported: string[] = [];
  const written: string[] = [];
  let space = 1;
  const append = (text: string) => {
    if (text.length > space) throw new Error(`no space for ${text}`);
    space -= text.length;
    written.push(text);
  };
  const { add, counts } = lineFile(append, ({ message }) => { reported.push(message); });
  await Promise.all(['a', 'b', 'c'].map(add));
  space = 9;
  await add('d');
  expect([reported, written, counts]).toEqual([['no space for b'], ['a', 'd'], { written: 2, failed: 2 }]);
});
