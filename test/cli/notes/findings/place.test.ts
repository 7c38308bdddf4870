import { describe, expect, it } from 'vitest';
import { findingOf, type Finding } from '../../../../src/cli/notes/findings/finding.js';
import { placeFindings, type PostFilter } from '../../../../src/cli/notes/findings/place.js';
import type { FileDiff } from '../../../../src/contract/lookups/shapes.js';
import { json, unknownRoute } from '../../../support/answers.js';
import type { WorldOptions } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';
import { openTarget } from '../../../support/targets.js';
import { written } from '../../../support/written.js';
import { diff, refs } from '../../../support/worlds.js';

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

  it('do not include those at the old path of a renamed file, which may be another file in the job', async () => {
    expect(await placed([at('old.txt', 2)])).toEqual(['old.txt is not in the diff of mr/1']);
    expect(await placed([at('old.txt', 2)], 'file')).toEqual(['old.txt is not in the diff of mr/1']);
  });

  it('include those at an absolute path of another machine that may be a changed file', async () => {
    const paths = [at('/builds/x/app.js', 2), at('/builds/x/app.js', 3), at('/builds/x/myapp.js', 2)];
    expect(await placed(paths)).toEqual(['no position', outside, outside]);
    expect(await placed(paths, 'added', '!1', { files: { '/builds/x/app.js': '' } }), 'another file of this machine').toEqual([outside, outside, outside]);
  });

  it('include those at an offset in a changed file, in threads without a line', async () => {
    const offsets = [at('app.js'), at('other.js')].map((one) => ({ ...one, isAnyLine: true }));
    expect(await placed(offsets)).toEqual(['no position', unchanged]);
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

  it('include errors in no file, of which nobody can tell whether the merge request adds them', async () => {
    const levelsIn = (filter: PostFilter) => placed((['error', 'warning', 'note'] as const).map((level) => ({ ...at(''), level })), filter);
    expect(await levelsIn('added')).toEqual(['no position', unnamed, unnamed]);
    expect(await levelsIn('diff')).toEqual(['no position', unnamed, unnamed]);
  });

  it('are all on a noteable without a diff, where only --filter all is accepted', async () => {
    expect(await placed(all, undefined, '#1')).toEqual(all.map(() => 'no position'));
    expect(await placed(all, 'all', '#1')).toEqual(all.map(() => 'no position'));
    await expect(placed(all, 'added', '#1')).rejects.toMatchObject({
      code: 'usage', message: 'issue/1 has no diff', hint: 'use --filter all, or choose a merge request or commit' });
  });

  it('include findings of several lines, on the first one that passes the filter', async () => {
    const lines = (file: string, line: number, endLine: number) => ({ ...at(file, line), endLine });
    const ranges = [lines('app.js', 1, 4), lines('app.js', 3, 4), lines('app.js', 5, 9), lines('app.js', 1, 999_999_999), lines('new.txt', 1, 3),
      lines('other.js', 1, 9)];
    const none = ['line 3 of app.js is not an added line', 'line 5 of app.js is not in the diff'];
    expect(await placed(ranges)).toEqual(['app.js:2', ...none, 'no position', 'new.txt:2', unchanged]);
    expect(await placed(ranges, 'diff')).toEqual(['app.js:1', 'app.js:3', none[1], 'app.js:1', 'new.txt:1', unchanged]);
    const long = Array.from({ length: 3_000 }, () => lines('app.js', 5, 1_005));
    expect(new Set(await placed(long)), 'in little time').toEqual(new Set([none[1]]));
    expect(await placed(ranges, 'all')).toEqual(['app.js:1', 'app.js:3', 'no position', 'app.js:1', 'new.txt:1', 'no position']);
  });

  it('have no position if the commits of the diff are not known; other filters need them', async () => {
    expect(await placed([at('app.js', 2)], 'all', '!2')).toEqual(['no position']);
    for (const filter of [undefined, 'added', 'diff', 'file'] as const) {
      await expect(placed([at('app.js', 2)], filter, '!2')).rejects.toThrow('the diff of mr/2 is still being prepared');
    }
  });

  it('may be on any line if no source has the diff: the service decides', async () => {
    const answer: WorldOptions['answer'] = ({ target }) => /\/(diffs|versions\/\d+)(\?|$)/.test(target) ? unknownRoute : undefined;
    expect(await placed([at('app.js', 99), at('other.js', 1)], 'added', '!1', { answer })).toEqual(['app.js:99', 'other.js:1']);
    const { app, target } = await openTarget('!1', { answer });
    const guesses = await placeFindings(app, {}, target, [at('app.js', 9), { ...at('app.js', 9), endLine: 12 }], 'added');
    expect(guesses.map(({ guess }) => guess)).toEqual([{ skip: 'line 9 of app.js is not in the diff' }, { skip: null }]);
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

describe('findings in files that the service leaves out of the diff', () => {
  const shas = { head_commit_sha: refs.head, base_commit_sha: refs.base, start_commit_sha: refs.start };
  const version = { id: 50, ...shas, created_at: '2024-05-01T11:00:00.000Z', merge_request_id: 50, state: 'collected', real_size: '1' };
  const file = (change: Partial<FileDiff> = {}): FileDiff => ({
    old_path: 'app.js', new_path: 'app.js', a_mode: '100644', b_mode: '100644', diff: '@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n', new_file: false,
    renamed_file: false, deleted_file: false, collapsed: false, too_large: false, ...change });
  /** The service shows app.js alone. */
  const showing = (change: object, diffs = [file()], inList = change): NonNullable<WorldOptions['answer']> => ({ target }) => {
    if (/\/versions(\?|$)/.test(target)) return json(200, [{ ...version, ...inList }]);
    return /\/versions\/\d+$/.test(target) ? json(200, { ...version, ...change, commits: [], diffs }) : undefined;
  };
  const findings = [at('app.js', 2), at('app.js', 1), at('new.txt', 2), at('other.js', 7), at('other.js')];
  const unchanged = 'line 1 of app.js is not an added line';
  const cut = ['app.js:2', unchanged, 'no position', 'no position', 'no position'];
  const limits: readonly (readonly [name: string, change: object, diffs?: FileDiff[]])[] = [
    ['a state of overflow', { state: 'overflow' }],
    ['a state of overflow by lines', { state: 'overflow_diff_lines_limit' }],
    ['a state of a timeout', { state: 'timeout' }],
    ['a state that nobody knows', { state: 'partial' }],
    ['a size with a plus', { real_size: '1+' }],
    ['fewer files than counted', { real_size: '3' }],
    ['a size that is no number', { real_size: 'many' }],
    ['no file at all', { real_size: '3' }, []],
  ];

  it('count, as general threads', async () => {
    await everyRow(limits, ([name]) => name, async ([, change, diffs]) => {
      const answer = showing(change, diffs);
      expect(await placed(findings, 'added', '!1', { answer })).toEqual(diffs ? findings.map(() => 'no position') : cut);
      if (!diffs) expect(await placed(findings, 'file', '!1', { answer })).toEqual(['app.js:2', 'app.js:1', 'no position', 'no position', 'no position']);
    });
  });

  it('count if only one of the two records of the version says that it is cut', async () => {
    const answers = [{ state: 'overflow' }, { real_size: '2+' }].flatMap((change) => [showing(change, [file()], {}), showing({}, [file()], change)]);
    for (const answer of answers) expect(await placed(findings, 'added', '!1', { answer })).toEqual(cut);
  });

  it('count if a file has no name, and may be any', async () => {
    const odd = (change: object) => file(change);
    const nameless = [{ old_path: null, new_path: null }, { old_path: '', new_path: '' }, { old_path: 5, new_path: {} },
      { new_path: null, renamed_file: true }, { old_path: undefined, renamed_file: true }];
    await everyRow(nameless, (change) => JSON.stringify(change), async (change) => {
      expect(await placed(findings, 'added', '!1', { answer: showing({}, [file(), odd(change)]) })).toEqual(cut);
    });
    for (const change of [{ old_path: null }, { new_path: null }]) {
      expect((await placed(findings, 'added', '!1', { answer: showing({}, [odd(change)]) })).slice(0, 3))
        .toEqual(['app.js:2', unchanged, 'new.txt is not in the diff of mr/1']);
    }
  });

  it('are looked up elsewhere if the service does not know whether it left out the lines of a renamed file', async () => {
    const renamed = { ...file({ diff: '', renamed_file: true, old_path: 'old.txt', new_path: 'new.txt' }), collapsed: null, too_large: null };
    const git = { diff: async () => diff };
    expect(await placed([at('new.txt', 2)], 'added', '!1', { answer: showing({}, [renamed as unknown as FileDiff]), git })).toEqual(['new.txt:2']);
  });

  it('are outside of a diff that is complete', async () => {
    const outside = (path: string) => `${path} is not in the diff of mr/1`;
    for (const change of [{}, { real_size: '0' }, { state: 'without_files' }, { real_size: undefined, state: undefined }]) {
      expect(await placed(findings, 'added', '!1', { answer: showing(change) }))
        .toEqual(['app.js:2', unchanged, outside('new.txt'), outside('other.js'), outside('other.js')]);
    }
  });

  it('are in the diff that git has, where the work tree has its commits', async () => {
    const asked: unknown[] = [];
    const git = { diff: async (...words: unknown[]) => { asked.push(words); return diff; } };
    await everyRow(limits, ([name]) => name, async ([, change, diffs]) => {
      expect(await placed(findings, 'added', '!1', { answer: showing(change, diffs), git }))
        .toEqual(['app.js:2', unchanged, 'new.txt:2', 'other.js is not in the diff of mr/1', 'other.js is not in the diff of mr/1']);
    });
    expect(asked[0]).toEqual([refs.base, refs.head, []]);
  });

  it('count where a file is taken for a binary one, by the service or, for its attributes, by git', async () => {
    const binary = 'diff --git a/app.js b/app.js\nindex 1..2 100644\nBinary files a/app.js and b/app.js differ\n';
    const git = { diff: async () => binary };
    const rows: readonly (readonly [name: string, options: WorldOptions])[] = [
      ['git', { answer: showing({ real_size: '2+' }), git }],
      ['the service', { answer: showing({}, [file({ diff: '' })]) }],
      ['the service, with words', { answer: showing({}, [file({ diff: 'Binary files a/app.js and b/app.js differ\n' })]) }],
      ['the service, a new file', { answer: showing({}, [file({ diff: '', a_mode: '0', new_file: true })]) }],
    ];
    await everyRow(rows, ([name]) => name, async ([, options]) => {
      expect(await placed([at('app.js', 2)], 'added', '!1', options)).toEqual(['no position']);
    });
    const collapsed = { answer: showing({}, [file({ diff: '', collapsed: true })]), git };
    expect(await placed([at('app.js', 2)], 'added', '!1', collapsed)).toEqual(['app.js:2']);
    const moved = { answer: showing({}, [file({ diff: '', renamed_file: true, old_path: 'old.js' })]) };
    expect(await placed([at('app.js', 2)], 'added', '!1', moved)).toEqual(['line 2 of app.js is not in the diff']);
  });

  it('count without a line where the file may be a new one, whose lines nobody has', async () => {
    const rows: readonly (readonly [name: string, change: Partial<FileDiff>, expected: string])[] = [
      ['a new binary file', { diff: '', new_file: true, a_mode: '0' }, 'no position'],
      ['a new binary file, with words', { diff: 'Binary files /dev/null and b/app.js differ\n', new_file: true, a_mode: '0' }, 'no position'],
      ['a new file that is too large', { diff: '', new_file: true, too_large: true }, 'no position'],
      ['a changed binary file', { diff: '' }, 'names no line'],
      ['a changed file that is too large', { diff: '', too_large: true }, 'names no line'],
    ];
    await everyRow(rows, ([name]) => name, async ([, change, expected]) => {
      expect(await placed([at('app.js')], 'added', '!1', { answer: showing({}, [file(change)]) })).toEqual([expected]);
    });
  });

  it('count at the path of a link or submodule that changes, and below it: a tool reads other files there', async () => {
    const modes = ['120000', '160000'].flatMap((b_mode) => [{ b_mode }, { b_mode, a_mode: b_mode }, { b_mode, a_mode: '0', new_file: true }]);
    await everyRow(modes, (mode) => JSON.stringify(mode), async (mode) => {
      const answer = showing({}, [file({ ...mode, old_path: 'lib', new_path: 'lib', diff: '@@ -0,0 +1 @@\n+../other\n' })]);
      expect(await placed([at('lib', 9), at('lib/a.js', 3), at('lib/a.js'), at('library.js', 1)], 'added', '!1', { answer }))
        .toEqual(['no position', 'no position', 'no position', 'library.js is not in the diff of mr/1']);
    });
    const link = 'diff --git a/lib b/lib\nnew file mode 120000\n--- /dev/null\n+++ b/lib\n@@ -0,0 +1 @@\n+../other\n\\ No newline at end of file\n';
    const git = { diff: async () => link };
    expect(await placed([at('lib/a.js', 3)], 'added', '!1', { answer: showing({ real_size: '2+' }), git })).toEqual(['no position']);
  });

  it('are looked up elsewhere where the diff of the file is cut, or is none', async () => {
    const git = { diff: async () => diff };
    const cutDiffs = ['@@ -1,2 +1,2 @@\n one\n', '@@ -1,2 +1,2 @@\n', '+zwei\n', 'the diff is too large'];
    await everyRow(cutDiffs, (text) => text, async (text) => {
      const answer = showing({}, [file({ diff: text })]);
      expect(await placed([at('app.js', 2), at('app.js', 1)], 'added', '!1', { answer, git })).toEqual(['app.js:2', unchanged]);
    });
  });

  it('are noticed by the count of the merge request where the service lists no versions', async () => {
    const service = await testService();
    const { body } = await service.get<object>('/projects/20/merge_requests/1');
    const without = (changes_count: string): NonNullable<WorldOptions['answer']> => ({ target }) => {
      if (/\/versions(\?|\/|$)/.test(target)) return unknownRoute;
      if (/\/diffs(\?|$)/.test(target)) return json(200, [file()]);
      return /\/merge_requests\/1$/.test(target) ? json(200, { ...body, changes_count }) : undefined;
    };
    for (const count of ['1000+', '3']) expect(await placed(findings, 'added', '!1', { answer: without(count) })).toEqual(cut);
    expect((await placed(findings, 'added', '!1', { answer: without('1') }))[2]).toBe('new.txt is not in the diff of mr/1');
  });

  it('are reported once, and only if there are some', async () => {
    const { app: given, target } = await openTarget('!1', { answer: showing({ state: 'overflow' }) });
    const { app, texts } = written(given);
    await placeFindings(app, {}, target, findings, undefined);
    await placeFindings(app, { quiet: true }, target, findings, undefined);
    await placeFindings(app, {}, target, findings.slice(0, 2), undefined);
    expect(texts.err).toBe('the service does not show the whole diff of mr/1: '
      + '3 findings in what it leaves out count, and get threads without a line\n');
  });
});
