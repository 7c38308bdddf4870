import { describe, expect, it } from 'vitest';
import { findingOf } from '../../../../src/cli/notes/findings/finding.js';
import { printFingerprint } from '../../../../src/cli/notes/findings/fingerprint.js';
import type { EarlierThread } from '../../../../src/cli/notes/findings/earlier.js';
import type { Level } from '../../../../src/cli/notes/findings/finding.js';
import type { WantedFinding } from '../../../../src/cli/notes/findings/plan.js';
import { countsOf, postProblem, resultFields, postResultOf, resultPrinter, type PostOutcome } from '../../../../src/cli/notes/findings/result.js';
import type { GlobalFlags } from '../../../../src/cli/command-line/flags.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { written } from '../../../support/written.js';

const fingerprint = { line: 'a', before: 'b', after: 'c', message: 'd', count: 0 };
const wanted: WantedFinding = {
  key: 'lint', finding: findingOf({ file: 'a.js', line: 2, level: 'error', rule: 'r1', message: 'no' }), fingerprint, text: 'no', skip: null,
};
const thread: EarlierThread = {
  id: 't1', note: 7, key: 'lint', fingerprint, text: 'no', state: 'open', resolvedBy: null, answeredBy: null, isChanged: false, isFormer: false,
  file: 'b.js', line: 5, marker: { key: 'lint' }, finding: null, level: null, isAccepted: false, jobs: [],
};
const found = { key: 'lint', fingerprint: printFingerprint(fingerprint), file: 'a.js', line: 2, level: 'error', rule: 'r1', message: 'no' };
const fixed = { ...found, file: 'b.js', line: 5, level: null, rule: null, message: null };
const created: PostOutcome = { step: { action: 'create', wanted }, status: 'done', result: { created: { discussion_id: 'new', note_id: 9 } } };
const resolved: PostOutcome = { step: { action: 'resolve', thread }, status: 'done', result: {} };
const skipped: PostOutcome = { step: { action: 'skip', wanted, reason: 'hidden' }, status: 'done' };

describe('the result of a run', () => {
  it('has the findings and threads by what happened to them', () => {
    expect(postResultOf([created, resolved, skipped, { step: { action: 'keep', wanted, thread }, status: 'done' }])).toEqual({
      created: [{ ...found, discussion_id: 'new', note_id: 9 }], resolved: [{ ...fixed, discussion_id: 't1', note_id: 7 }],
      skipped: [{ ...found, discussion_id: null, note_id: null, reason: 'hidden' }], kept: [{ ...found, discussion_id: 't1', note_id: 7 }],
      updated: [], reopened: [], left: [], summarized: 0, failed: [],
    });
  });

  it('has the level, rule and text of a fixed finding from the text of its thread, unless a person changed that', () => {
    const resolve = (text: string, others: Partial<EarlierThread> = {}) => {
      const [{ level, rule, message } = found] = postResultOf([
        { step: { action: 'resolve', thread: { ...thread, text, level: 'warning', ...others } }, status: 'done' }]).resolved;
      return [level, rule, message];
    };
    expect(resolve('**warning** · `r1` · lint\n\nno such\nname')).toEqual(['warning', 'r1', 'no such\nname']);
    expect(resolve('**warning** · `` a`b `` · lint\n\nno\n\n```\ndetails\n```')).toEqual(['warning', 'a`b', 'no']);
    expect(resolve('**warning** · lint\n\nno')).toEqual(['warning', null, 'no']);
    expect(resolve('**warning** · `b.js:5`\n\nno'), 'the place').toEqual(['warning', null, 'no']);
    expect(resolve('**warning** · `b.js:5`\n\nno', { file: null }), 'the place').toEqual(['warning', null, 'no']);
    expect(resolve('**warning** · `r1` · lint\n\nmine', { isChanged: true })).toEqual(['warning', null, null]);
  });

  it('says of what a person answered or changed whether the finding is gone', () => {
    const reasons = (found: WantedFinding | null) => ['answered by bob', 'changed by hand', 'resolved by eve', 'not in a partial report'].map((reason) =>
      postResultOf([{ step: { action: 'leave', wanted: found, thread, reason }, status: 'done' }]).left[0]!.reason);
    expect(reasons(wanted)).toEqual(['answered by bob', 'changed by hand', 'resolved by eve', 'not in a partial report']);
    expect(reasons(null)).toEqual(
      ['answered by bob; the finding is gone', 'changed by hand; the finding is gone', 'resolved by eve', 'not in a partial report']);
  });

  it('has the file of a fixed finding from the title of its thread if that has no position', () => {
    const placeOf = (text: string, others: Partial<EarlierThread> = {}) => {
      const [{ file, line, rule } = found] = postResultOf([
        { step: { action: 'resolve', thread: { ...thread, file: null, line: 12, text, ...others } }, status: 'done' }]).resolved;
      return [file, line, rule];
    };
    expect(placeOf('**error** · `r1` · lint · `src/a.js:12`\n\nno')).toEqual(['src/a.js', 12, 'r1']);
    expect(placeOf('**error** · `r1` · lint · `src/a.js`\n\nno', { line: null })).toEqual(['src/a.js', null, 'r1']);
    expect(placeOf('**error** · `r1` · lint\n\nno', { line: null })).toEqual([null, null, 'r1']);
    expect(placeOf('**error** · `r1` · lint · `src/a.js:12`\n\nmine', { file: 'b.js', line: 3 }), 'a position').toEqual(['b.js', 3, 'r1']);
    expect(placeOf('**error** · `r1` · lint · `src/a.js:12`\n\nmine', { isChanged: true }), 'a changed text').toEqual([null, 12, null]);
  });

  it('has what failed with the reason, as a whole or after the thread was created', () => {
    const problem = new Error('no position');
    const outcomes: PostOutcome[] = [
      { step: { action: 'create', wanted }, status: 'failed', error: new Error('422') },
      { ...created, result: { ...created.result, problem } },
    ];
    expect(outcomes.map(postProblem)).toEqual([new Error('422'), problem]);
    expect(postResultOf(outcomes)).toMatchObject({ created: [], failed: [
      { discussion_id: null, note_id: null, error: '422' }, { discussion_id: 'new', note_id: 9, error: 'no position' }] });
  });

  it('counts the findings of the comment, and has no file for those without one', () => {
    const homeless = { ...wanted, finding: { ...wanted.finding, file: '' } };
    expect(postResultOf([{ step: { action: 'summarize', wanted }, status: 'done' }, { step: { action: 'create', wanted: homeless }, status: 'planned' }]))
      .toMatchObject({ summarized: 1, created: [{ file: null, discussion_id: null }] });
  });

  it('has the fields that its JSON has', () => {
    expect(resultFields.toSorted()).toEqual(Object.keys(postResultOf([])).toSorted());
  });
});

it('one line counts what happened', () => {
  expect(countsOf(postResultOf([
    created, created, skipped, { step: { action: 'summarize', wanted }, status: 'done' },
  ]))).toBe('created 2, skipped 1, summarized 1');
  expect(countsOf(postResultOf([created, { step: { action: 'summarize', wanted }, status: 'done' }]), 'https://x.example/1#note_3'))
    .toBe('created 1, summarized 1 in https://x.example/1#note_3');
  expect(countsOf(postResultOf([created]), 'https://x.example/1#note_3')).toBe('created 1');
  expect(countsOf(postResultOf([]))).toBe('no findings');
  const left = ['resolved by eve', 'answered by bob', 'answered by eve', 'changed by hand'].map((reason): PostOutcome =>
    ({ step: { action: 'leave', wanted, thread, reason }, status: 'done' }));
  expect(countsOf(postResultOf([...left, resolved])), 'the words of the rows').toBe('resolved 1, accepted 1, answered 2, left 1');
});

describe('the printed result', () => {
  const said = async (outcomes: readonly PostOutcome[], flags: GlobalFlags = {}, options: WorldOptions = {}) => {
    const { app, texts } = written((await testApp(options)).app);
    await resultPrinter(app, flags)(postResultOf(outcomes));
    return [texts.out, texts.err];
  };
  const printed = async (...given: Parameters<typeof said>) => (await said(...given))[0]!;

  it('has a row for each finding and thread in the formats for programs', async () => {
    expect(await printed([skipped, created, resolved], { output: 'tsv' })).toBe(
      'created\ta.js:2\terror\tr1\t9\tno\nresolved\tb.js:5\t\t\t7\t\nskipped\ta.js:2\terror\tr1\t\thidden\n');
    expect(await printed([created], { output: 'id' })).toBe('9\n');
  });

  it('has for people one row for the findings of the comment', async () => {
    const summarized: PostOutcome = { step: { action: 'summarize', wanted }, status: 'done' };
    expect(await printed([summarized, created, summarized])).toBe(
      'created\ta.js:2\terror\tr1\t9\tno\nsummarized\t\t\t\t\t2 findings in one comment\n');
    expect(await printed([summarized])).toBe('summarized\t\t\t\t\t1 finding in one comment\n');
    expect(await printed([summarized], { output: 'tsv' }), 'for programs').toBe('');
  });

  it('has levels and actions in color in a table, and never in a pipe', async () => {
    const colorOf = (text: string, word: string) => new RegExp(`\\u001b\\[(\\d+)m${word}\\u001b\\[\\d+m`).exec(text)?.[1];
    const step = (action: 'create' | 'update' | 'keep' | 'reopen', level: Level): PostOutcome =>
      ({ step: { action, wanted: { ...wanted, finding: { ...wanted.finding, level } }, thread }, status: 'done' });
    const left = (reason: string): PostOutcome => ({ step: { action: 'leave', wanted, thread, reason }, status: 'done' });
    const outcomes = [step('create', 'warning'), step('reopen', 'note'), step('update', 'error'), step('keep', 'error'), resolved, left('resolved by eve'),
      left('answered by bob'), { ...created, status: 'failed' as const, error: new Error('no') }];
    const table = await printed(outcomes, { output: 'table' }, { colors: 1 });
    expect(['error', 'warning', 'note'].map((level) => colorOf(table, level))).toEqual(['31', '35', '2']);
    expect(['created', 'reopened', 'updated', 'kept', 'resolved', 'accepted', 'answered', 'failed'].map((action) => colorOf(table, action)))
      .toEqual(['35', '35', '35', '2', '32', '32', '2', '31']);
    expect(await printed(outcomes, {}, { colors: 1 })).toBe(await printed(outcomes));
    expect(await printed(outcomes, { output: 'table' })).not.toContain('\x1b');
  });

  it('counts what was skipped by its reason for people, at a terminal and in a log', async () => {
    const outside = (file: string, line: number): PostOutcome => ({ ...skipped, step: {
      action: 'skip', wanted: { ...wanted, finding: { ...wanted.finding, file, line } }, reason: `line ${line} of ${file} is not an added line` } });
    const outcomes = [skipped, outside('a.js', 1), created, outside('b.js', 7)];
    const counts = 'skipped 2 findings: not an added line (a.js:1, b.js:7)\nskipped 1 finding: hidden (a.js:2)\n';
    expect(await said(outcomes)).toEqual(['created\ta.js:2\terror\tr1\t9\tno\n', counts]);
    expect(await said(outcomes, {}, { terminal: true })).toEqual([expect.stringMatching(/^ACTION .*\ncreated .* no\n$/), counts]);
    expect(await said([skipped], {}, { terminal: true })).toEqual(['', 'skipped 1 finding: hidden (a.js:2)\n']);
    const homeless = outside('', 1);
    expect(await said([homeless])).toEqual(['', expect.stringMatching(/^skipped 1 finding: [^(]*\n$/)]);
    const many = ['a.js', 'a.js', 'b.js', 'c.js', 'd.js', 'e.js'].map((file) => outside(file, 1));
    expect((await said(many))[1]).toBe('skipped 6 findings: not an added line (a.js:1, b.js:1, c.js:1 and 2 more)\n');
    expect(await said(outcomes, { quiet: true })).toEqual(['created\ta.js:2\terror\tr1\t9\tno\n', '']);
  });

  it('says for people who accepted or answered what was left, after its text', async () => {
    const left = (reason: string): PostOutcome => ({ step: { action: 'leave', wanted, thread, reason }, status: 'done' });
    const outcomes = ['resolved by eve', 'answered by bob', 'changed by hand'].map(left);
    expect((await printed(outcomes)).replaceAll('\ta.js:2\terror\tr1\t7\t', ' ')).toBe(
      'accepted no (resolved by eve)\nanswered no (answered by bob)\nleft no (changed by hand)\n');
    expect(await printed([left('resolved by eve')], { output: 'csv' })).toContain('\nleft,a.js:2,error,r1,7,resolved by eve\n');
  });

  it('says for people what was found if a change fails, and why, unless all fail for one reason, which the error says', async () => {
    const failed = (line: number, error: string): PostOutcome => ({
      step: { action: 'create', wanted: { ...wanted, finding: { ...wanted.finding, line } } }, status: 'failed', error: new Error(error) });
    const row = (line: number, text: string) => `failed\ta.js:${line}\terror\tr1\t\t${text}\n`;
    expect(await printed([failed(2, '422'), failed(3, '422')])).toBe(row(2, 'no') + row(3, 'no'));
    expect(await printed([failed(2, '422')])).toBe(row(2, 'no'));
    expect(await printed([failed(2, '422'), failed(3, '500')])).toBe(row(2, 'no (422)') + row(3, 'no (500)'));
    expect(await printed([created, failed(3, '422')])).toContain(row(3, 'no (422)'));
    expect(await printed([failed(2, '422')], { output: 'tsv' }), 'for programs').toBe(row(2, '422'));
  });

  it('does not repeat for people why a run changed nothing', async () => {
    const stale: PostOutcome = { ...skipped, step: { action: 'skip', wanted, reason: 'stale: pipeline 12, which is newer, has posted already' } };
    expect(await said([stale])).toEqual(['', 'skipped 1 finding: stale (a.js:2)\n']);
    expect(await printed([stale], { output: 'tsv' }), 'for programs').toContain('stale: pipeline 12');
  });

  it('prints nothing for people if there is nothing, which the line above it says', async () => {
    expect(await said([])).toEqual(['', '']);
    expect(await said([], { output: 'table' }, { terminal: true })).toEqual(['', '']);
  });

  it('has the lists in JSON and YAML, or those that are chosen', async () => {
    const picked = { created: [{ ...found, discussion_id: 'new', note_id: 9 }], summarized: 0 };
    expect(JSON.parse(await printed([created], { json: 'created,summarized' }))).toEqual(picked);
    expect(await printed([created], { output: 'yaml' })).toMatch(/^created:\n {2}- key: lint\n/);
    expect(await printed([created], { jq: '.created|length' })).toBe('1\n');
  });

  it('is rejected before any request for an unknown field', async () => {
    await expect(printed([], { json: 'unheard' })).rejects.toThrow('unheard');
  });
});
