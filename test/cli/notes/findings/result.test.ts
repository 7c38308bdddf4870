import { describe, expect, it } from 'vitest';
import { findingOf } from '../../../../src/cli/notes/findings/finding.js';
import { printFingerprint } from '../../../../src/cli/notes/findings/fingerprint.js';
import type { EarlierThread } from '../../../../src/cli/notes/findings/earlier.js';
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
  file: 'b.js', line: 5, marker: { key: 'lint' }, finding: null, level: null, isAccepted: false,
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
  expect(countsOf(postResultOf([]))).toBe('no findings');
});

describe('the printed result', () => {
  const printed = async (outcomes: readonly PostOutcome[], flags: GlobalFlags = {}, options: WorldOptions = {}) => {
    const { app, texts } = written((await testApp(options)).app);
    await resultPrinter(app, flags)(postResultOf(outcomes));
    return texts.out;
  };

  it('has a row for each finding and thread', async () => {
    expect(await printed([skipped, created, resolved])).toBe(
      'created\ta.js:2\terror\tr1\t9\tno\nresolved\tb.js:5\t\t\t7\t\nskipped\ta.js:2\terror\tr1\t\thidden\n');
    expect(await printed([created], { output: 'id' })).toBe('9\n');
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
