import { expect, it } from 'vitest';
import { applySuggestions, headFiles } from '../../../../src/cli/notes/suggestions/apply.js';
import { suggestionsIn } from '../../../../src/cli/notes/suggestions/suggested.js';
import { listed } from '../../../../src/cli/service/targets/threads.js';
import { suggestionWorld } from '../../../support/suggestions.js';
import { openTarget } from '../../../support/targets.js';

const opened = async () => {
  const { repo, options } = await suggestionWorld([{ line: 5, text: 'FIFTH\nand more\n' }, { line: 12, text: 'twelfth\n' }, { line: 3, text: '' }]);
  const { app, target } = await openTarget('!1', options);
  const [first, second, third] = (await listed(target).all()).flatMap(suggestionsIn);
  return { repo, app, head: await headFiles(app, target), first: first!, second: second!, third: third! };
};

it('applies one after the other to a file that differs from the head by the earlier ones alone', async () => {
  const { repo, app, head, first, second, third } = await opened();
  expect(await applySuggestions(app, head, [first])).toEqual({ paths: ['src/a.txt'], commit: null });
  await expect(applySuggestions(app, head, [second])).rejects.toThrow('src/a.txt differs from the head of mr/1');
  await applySuggestions(app, head, [second], { earlier: [first] });
  await applySuggestions(app, head, [third], { earlier: [first, second] });
  expect(repo.read('src/a.txt').split('\n').slice(0, 12)).toEqual([
    'line 1', 'line 2', 'line 4', 'FIFTH', 'and more', 'line 6', 'line 7', 'line 8', 'line 9', 'line 10', 'line 11', 'twelfth']);
});

it('waits for another commit of the same files, and then leaves them alone', async () => {
  const { repo, app, head, first, second } = await opened();
  const both = await Promise.allSettled([[first], [second]].map((ones) => applySuggestions(app, head, ones, { commit: true })));
  expect(both.map((end) => end.status === 'rejected' && (end.reason as Error).message)).toEqual([false, 'src/a.txt differs from the head of mr/1']);
  expect([repo.git('status', '--porcelain'), repo.git('log', '--oneline').split('\n').length]).toEqual(['', 3]);
  expect(repo.read('src/a.txt')).toContain('FIFTH');
});

it('applies nothing to a file with other changes too', async () => {
  const { repo, app, head, first, second } = await opened();
  await applySuggestions(app, head, [first]);
  repo.write({ 'src/a.txt': repo.read('src/a.txt').replace('line 20', 'mine') });
  await expect(applySuggestions(app, head, [second], { earlier: [first] })).rejects.toThrow('differs from the head');
  expect(repo.read('src/a.txt')).toContain('line 12');
});

it('keeps the line ends of a file that git checks out with others', async () => {
  const { repo, app, head, first } = await opened();
  repo.write({ 'src/a.txt': repo.read('src/a.txt').replaceAll('\n', '\r\n') });
  await applySuggestions(app, head, [first]);
  expect(repo.read('src/a.txt')).toContain('line 4\r\nFIFTH\r\nand more\r\nline 6\r\n');
});
