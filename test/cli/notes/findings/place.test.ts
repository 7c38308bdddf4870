import { describe, expect, it } from 'vitest';
import { findingOf, type Finding } from '../../../../src/cli/notes/findings/finding.js';
import { placeFindings, type PostFilter } from '../../../../src/cli/notes/findings/place.js';
import { unknownRoute } from '../../../support/answers.js';
import type { WorldOptions } from '../../../support/app.js';
import { openTarget } from '../../../support/targets.js';

const at = (file: string, line: number | null = null): Finding => findingOf({ file, line, message: 'no' });

/** The line of the diff that each finding gets, `no position`, or why it gets no note. */
const placed = async (findings: readonly Finding[], filter?: PostFilter, word = '!1', options: WorldOptions = {}) => {
  const { app, target } = await openTarget(word, options);
  return (await placeFindings(app, {}, target, findings, filter)).map(({ position, skip }) => {
    const { new_path, new_line }: { new_path?: string | null; new_line?: number | null } = { ...position };
    return skip ?? (position === undefined ? 'no position' : `${new_path}:${new_line}`);
  });
};

const all = [
  at('app.js', 2), at('app.js', 3), at('app.js', 99), at('app.js'), at('new.txt', 2), at('other.js', 1), at('other.js'), at('/etc/passwd', 1), at(''),
];
const [outside, unnamed] = ['the file is outside of the repository', 'names no file'];
const unchanged = 'other.js is not in the diff of mr/1';

describe('the findings that get threads', () => {
  it.each<[PostFilter | undefined, string[]]>([
    [undefined, ['app.js:2', 'line 3 of app.js is not an added line', 'line 99 of app.js is not in the diff', 'names no line', 'new.txt:2',
      unchanged, unchanged, outside, unnamed]],
    ['added', ['app.js:2', 'line 3 of app.js is not an added line', 'line 99 of app.js is not in the diff', 'names no line', 'new.txt:2',
      unchanged, unchanged, outside, unnamed]],
    ['diff', ['app.js:2', 'app.js:3', 'line 99 of app.js is not in the diff', 'names no line', 'new.txt:2', unchanged, unchanged, outside, unnamed]],
    ['file', ['app.js:2', 'app.js:3', 'no position', 'no position', 'new.txt:2', unchanged, unchanged, outside, unnamed]],
    ['all', ['app.js:2', 'app.js:3', 'no position', 'no position', 'new.txt:2', 'no position', 'no position', 'no position', 'no position']],
  ])('with --filter %s', async (filter, expected) => {
    expect(await placed(all, filter)).toEqual(expected);
  });

  it('include failing tests wherever they are, in threads on the diff where that is possible', async () => {
    const tests = all.map((one) => ({ ...one, isAnywhere: true }));
    const general = 'no position';
    const expected = ['app.js:2', general, general, general, 'new.txt:2', general, general, general, general];
    expect(await placed(tests)).toEqual(expected);
    expect(await placed(tests, 'added')).toEqual(expected);
    expect(await placed(tests, 'diff')).toEqual(expected.with(1, 'app.js:3'));
    expect(await placed(tests, 'file')).toEqual(expected.with(1, 'app.js:3'));
    expect(await placed(tests, undefined, '!2')).toEqual(tests.map(() => general));
  });

  it('are all on a noteable without a diff, where only --filter all is accepted', async () => {
    expect(await placed(all, undefined, '#1')).toEqual(all.map(() => 'no position'));
    expect(await placed(all, 'all', '#1')).toEqual(all.map(() => 'no position'));
    await expect(placed(all, 'added', '#1')).rejects.toMatchObject({
      code: 'usage', message: 'issue/1 has no diff', hint: 'use --filter all, or choose a merge request or commit' });
  });

  it('have no position if the commits of the diff are not known; other filters need them', async () => {
    expect(await placed([at('app.js', 2)], 'all', '!2')).toEqual(['no position']);
    for (const filter of [undefined, 'added', 'diff', 'file'] as const) {
      await expect(placed([at('app.js', 2)], filter, '!2')).rejects.toThrow('cannot determine the commits of the diff of mr/2');
    }
  });

  it('may be on any line if no source has the diff: the service decides', async () => {
    const answer: WorldOptions['answer'] = ({ target }) => /\/(diffs|versions\/\d+)(\?|$)/.test(target) ? unknownRoute : undefined;
    expect(await placed([at('app.js', 99), at('other.js', 1)], 'added', '!1', { answer })).toEqual(['app.js:99', 'other.js:1']);
  });
});

it('a request that fails is not taken for a missing diff', async () => {
  const answer: WorldOptions['answer'] = ({ target }) => {
    if (target.includes('/versions')) throw new TypeError('broken');
    return undefined;
  };
  await expect(placed([at('app.js', 2)], 'all', '!1', { answer })).rejects.toThrow('broken');
});

it('the diff is requested once for all findings, and not at all for none', async () => {
  const { app, target, sent } = await openTarget('!1');
  await placeFindings(app, {}, target, [], undefined);
  expect(sent).toEqual([]);
  await placeFindings(app, {}, target, [at('app.js', 2)], undefined);
  const first = sent.map((request) => request.target);
  expect(first).toEqual([expect.stringContaining('/versions?per_page=1'), expect.stringMatching(/\/versions\/\d+$/)]);
  await placeFindings(app, {}, target, all, undefined);
  // Which version is the newest can change, but not the files of one.
  expect(sent.map((request) => request.target)).toEqual([...first, first[0]]);
});
