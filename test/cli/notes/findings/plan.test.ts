import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EarlierThread } from '../../../../src/cli/notes/findings/earlier.js';
import { findingOf, levels } from '../../../../src/cli/notes/findings/finding.js';
import { findingDigest, identify } from '../../../../src/cli/notes/findings/fingerprint.js';
import { changes, countedFindings, planPosts, type PlanOptions, type PostStep, type WantedFinding } from '../../../../src/cli/notes/findings/plan.js';
import { findingText, withName } from '../../../../src/cli/notes/findings/text.js';

const options: PlanOptions = { keys: ['lint'], max: 30, isComplete: true, job: null };

/** Findings on lines of one file, each line with a text of its own. */
const wantedOn = (...lines: number[]): WantedFinding[] => {
  return identify(lines.map((line) => findingOf({ file: 'a.js', line, rule: 'r', message: 'no' })), (_, line) => `line ${line}`)
    .map(({ finding, fingerprint }) => ({ key: 'lint', finding, fingerprint, text: 'no', skip: null }));
};

const threadOf = ({ key, fingerprint, text, finding }: WantedFinding, parts: Partial<EarlierThread> = {}): EarlierThread => ({
  id: `t${finding.line}`, note: finding.line!, key, fingerprint, text, state: 'open', resolvedBy: null, answeredBy: null, isChanged: false,
  file: finding.file, line: finding.line, isFormer: false, marker: { key }, finding: findingDigest(finding), level: finding.level,
  isAccepted: (parts.resolvedBy ?? null) !== null, jobs: [], ...parts,
});

const [one, two] = wantedOn(10, 20) as [WantedFinding, WantedFinding];
const actions = (steps: readonly PostStep[]) => steps.map((step) => 'reason' in step ? `${step.action}: ${step.reason}` : step.action);
const planned = (wanted: readonly WantedFinding[], threads: readonly EarlierThread[], parts: Partial<PlanOptions> = {}) =>
  actions(planPosts(wanted, threads, { ...options, ...parts }));

describe('a plan', () => {
  it('creates threads for new findings and keeps those of known ones', () => {
    expect(planned([one, two], [threadOf(one)])).toEqual(['keep', 'create']);
  });

  it('updates a thread whose text changed', () => {
    expect(planned([{ ...one, text: 'other' }], [threadOf(one)])).toEqual(['update']);
  });

  it('keeps a thread whose text differs only in the address of the rule, as those of earlier versions, and knows it after an answer', () => {
    const withUrl = (ruleUrl?: string): WantedFinding => {
      const finding = { ...one.finding, ...ruleUrl !== undefined && { ruleUrl } };
      return { ...one, finding, text: findingText(withName(finding, 'lint'), { isRaw: false, line: 10 }) };
    };
    const [none, first, second] = [withUrl(), withUrl('https://lint.example.com/1/r'), withUrl('https://lint.example.com/2/r')];
    for (const [wanted, stored] of [[first, none], [none, first], [second, first]] as const) {
      expect(planned([wanted], [threadOf(stored)])).toEqual(['keep']);
      const moved = threadOf({ ...stored, fingerprint: { ...one.fingerprint, line: 'f'.repeat(12) } }, { answeredBy: 'bob' });
      expect(planned([wanted], [moved])).toEqual(['leave: answered by bob']);
    }
    expect(planned([{ ...first, text: `${first.text}!` }], [threadOf(none)])).toEqual(['update']);
  });

  it('resolves the threads of fixed findings, unless the report is partial', () => {
    expect(planned([], [threadOf(one)])).toEqual(['resolve']);
    expect(planned([], [threadOf(one)], { isComplete: false })).toEqual(['leave: not in a partial report']);
    expect(planned([], [threadOf(one, { state: 'resolved' })])).toEqual([]);
    expect(planned([], [threadOf(one, { state: 'not resolvable' })])).toEqual(['leave: fixed, but the thread cannot be resolved']);
  });

  it('leaves the threads of tests that did not run', () => {
    const unrun = new Set(['A > adds', 'A > gen()[]']);
    const threadFor = (rule: string, parts: Partial<EarlierThread> = {}) =>
      threadOf({ ...one, text: `${findingText(withName({ ...one.finding, rule }, 'lint'), { isRaw: false, line: 10 })}` }, parts);
    expect(['A > adds', 'A > gen()[1]', 'A > gen()', 'A > adds[1]', 'B > adds'].map((rule) => planned([], [threadFor(rule)], { unrun })[0]))
      .toEqual(['leave: the test did not run', 'leave: the test did not run', 'resolve', 'resolve', 'resolve']);
    expect(planned([], [threadFor('A > adds', { state: 'resolved' })], { unrun })).toEqual([]);
    expect(['A > adds', 'A.B > adds', 'B > A > adds', 'A'].map((rule) => planned([], [threadFor(rule)], { unrun: new Set(['A > *']) })[0]))
      .toEqual(['leave: the test did not run', 'resolve', 'resolve', 'resolve']);
    expect(planned([], [threadFor('A > adds')])).toEqual(['resolve']);
  });

  it('reads the shorter digests of earlier versions, and takes no part of one for a digest', () => {
    const accepted = (digits: number) => threadOf(one, { state: 'resolved', resolvedBy: 'bob', finding: findingDigest(one.finding).slice(0, digits) });
    expect([32, 12, 11, 0].map((digits) => planned([one], [accepted(digits)])))
      .toEqual([['leave: resolved by bob'], ['leave: resolved by bob'], ['create'], ['create']]);
  });

  it('reopens a thread that this user resolved, if the finding returns', () => {
    expect(planned([one], [threadOf(one, { state: 'resolved' })])).toEqual(['reopen']);
  });

  it('leaves a thread that a person resolved, or answered while it is open', () => {
    expect(planned([one], [threadOf(one, { state: 'resolved', resolvedBy: 'bob' })])).toEqual(['leave: resolved by bob']);
    expect(planned([one], [threadOf(one, { answeredBy: 'bob' })])).toEqual(['leave: answered by bob']);
    expect(planned([], [threadOf(one, { answeredBy: 'bob' })])).toEqual(['leave: answered by bob']);
    const both = threadOf(one, { answeredBy: 'bob', state: 'resolved', resolvedBy: 'eve' });
    expect(planned([{ ...one, text: 'new' }], [both])).toEqual(['leave: resolved by eve']);
  });

  it('reopens a thread that was answered or changed after this user had resolved it, or that a person resolved which does not count', () => {
    const resolved = { state: 'resolved' } as const;
    for (const parts of [{ answeredBy: 'bob' }, { isChanged: true }, { resolvedBy: 'bob', isAccepted: false }]) {
      expect(planned([one], [threadOf(one, { ...resolved, ...parts })])).toEqual(['reopen']);
      expect(planned([{ ...one, skip: 'hidden' }], [threadOf(one, { ...resolved, ...parts })])).toEqual(['skip: hidden']);
    }
  });

  it('starts a thread beside an accepted one for another level or message, under another identity if the fingerprint is the same', () => {
    const accepted = threadOf(one, { state: 'resolved', resolvedBy: 'bob', note: 7 });
    const raised = { ...one, finding: { ...one.finding, level: 'error' as const } };
    const other = { ...one, finding: { ...one.finding, message: 'yes' }, fingerprint: { ...one.fingerprint, message: 'f'.repeat(12) } };
    expect(planPosts([raised], [accepted], options)).toMatchObject([{ action: 'create', beside: 7 }]);
    expect(planPosts([other], [accepted], options)).toEqual([{ action: 'create', wanted: other }]);
    expect(planned([raised, one], [accepted])).toEqual(['leave: resolved by bob', 'create']);
  });

  it('does not look at threads with other keys', () => {
    expect(planned([], [threadOf(one, { key: 'other' })])).toEqual([]);
    expect(planned([one], [threadOf(one, { key: 'other' })])).toEqual(['create']);
  });

  it('keeps the thread of a finding that a filter hides, and neither creates nor reopens one', () => {
    const hidden = { ...one, skip: 'below --level error' };
    expect(planned([hidden], [threadOf(one)])).toEqual(['keep']);
    expect(planned([hidden], [])).toEqual(['skip: below --level error']);
    expect(planned([hidden], [threadOf(one, { state: 'resolved' })])).toEqual(['skip: below --level error']);
  });

  it('gives the most severe findings the threads that --max leaves', () => {
    const all = wantedOn(10, 20, 30, 40).map((each, i) =>
      ({ ...each, finding: { ...each.finding, level: i === 2 ? 'error' as const : 'warning' as const } }));
    expect(planned(all, [threadOf(all[0]!)], { max: 2 })).toEqual(['keep', 'summarize', 'create', 'summarize']);
    expect(planned(all, [], { max: 0 })).toEqual(['summarize', 'summarize', 'summarize', 'summarize']);
  });

  it('resolves the copies of a thread', () => {
    expect(planned([one], [threadOf(one), threadOf(one, { id: 'copy', note: 99 })])).toEqual(['keep', 'resolve']);
  });
});

const wanted = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 12 }).chain((lines) =>
  fc.tuple(...lines.map((line) => fc.record({
    line: fc.constant(line), skip: fc.constantFrom(null, null, 'hidden'), level: fc.constantFrom(...levels), text: fc.constantFrom('no', 'other'),
  })))).map((parts) => parts.map(({ line, skip, level, text }): WantedFinding => {
  const [each] = wantedOn(line);
  return { ...each!, skip, text, finding: { ...each!.finding, level } };
}));

const threads = fc.uniqueArray(fc.record({
  line: fc.integer({ min: 1, max: 60 }), state: fc.constantFrom('open' as const, 'resolved' as const, 'not resolvable' as const),
  person: fc.constantFrom(null, 'bob'), answeredBy: fc.constantFrom(null, null, 'bob'), text: fc.constantFrom('no', 'other'),
}), { maxLength: 12, selector: ({ line }) => line }).map((all) => all.map(({ line, state, person, answeredBy, text }) =>
  threadOf(wantedOn(line)[0]!, { state, answeredBy, text, resolvedBy: state === 'resolved' ? person : null })));

/** A simple model of the service: the threads after the steps of a plan. */
const applied = (steps: readonly PostStep[], before: readonly EarlierThread[]): EarlierThread[] => {
  const after = new Map(before.map((thread) => [thread.id, thread]));
  for (const step of steps) {
    if (step.action === 'create') after.set(`new ${step.wanted.finding.line}`, threadOf(step.wanted, { id: `new ${step.wanted.finding.line}` }));
    if (step.action === 'update') after.set(step.thread.id, { ...step.thread, text: step.wanted.text });
    if (step.action === 'reopen') {
      const { answeredBy, text } = step.thread;
      after.set(step.thread.id, { ...step.thread, text: answeredBy === null ? step.wanted.text : text, state: 'open' });
    }
    if (step.action === 'resolve') after.set(step.thread.id, { ...step.thread, state: 'resolved' });
  }
  return [...after.values()];
};

describe('a finding whose line changed', () => {
  const changed = (line: number, around: readonly string[] = []): WantedFinding => {
    const text = Array.from({ length: 60 }, (_, i) => around[i] ?? `line ${i + 1}`).with(line - 1, 'new');
    const [identified] = identify([findingOf({ file: 'a.js', line, rule: 'r', message: 'no' })], (_, number) => text[number - 1]);
    return { ...identified!, key: 'lint', text: '**warning** · `r`\n\nno', skip: null };
  };
  const answered = (parts: Partial<EarlierThread> = {}) => threadOf(one, { text: '**warning** · `r`\n\nno', answeredBy: 'bob', ...parts });

  it('keeps the thread that a person answered', () => {
    expect(planned([changed(10)], [answered()])).toEqual(['leave: answered by bob']);
    expect(planned([changed(10)], [answered({ line: 99 })])).toEqual(['leave: answered by bob']);
    expect(planned([changed(10)], [answered({ text: '**warning** · `r` · `a.js:10`\n\nno', line: null, file: null })])).toEqual(['leave: answered by bob']);
    for (const title of ['**warning** · `r` · lint', '**warning** · `r` · lint · `a.js:10`']) {
      expect(planned([changed(10)], [answered({ text: `${title}\n\nno` })]), title).toEqual(['leave: answered by bob']);
    }
  });

  it('gets a thread of its own without an answer, with another rule, in another place, or after the thread was resolved', () => {
    expect(planned([changed(10)], [threadOf(one, { text: '**warning** · `r`\n\nno' })])).toEqual(['create', 'resolve']);
    const others: Partial<EarlierThread>[] = [
      { text: '**warning** · `r2`\n\nno' }, { file: 'b.js' }, { state: 'resolved', resolvedBy: 'bob' },
      { text: '**warning** · `r` · `a.js:11`\n\nno', file: null, line: null },
    ];
    for (const parts of others) expect(planned([changed(10)], [answered(parts)])[0]).toBe('create');
    expect(planned([changed(30)], [answered()])[0]).toBe('create');
  });

  it('does not take the thread of a finding that is still there', () => {
    expect(planned([one, changed(30)], [answered()])).toEqual(['leave: answered by bob', 'create']);
  });
});

describe('a thread with the former key', () => {
  const former = (of: WantedFinding, parts: Partial<EarlierThread> = {}) => threadOf(of, { isFormer: true, ...parts });

  it('gets the new key if its finding is known', () => {
    expect(planned([one], [former(one)])).toEqual(['update']);
    expect(planned([one], [former(one, { state: 'resolved' })])).toEqual(['reopen']);
    expect(planned([one], [former(one, { answeredBy: 'bob' })])).toEqual(['leave: answered by bob']);
    expect(planned([{ ...one, skip: 'hidden' }], [former(one)])).toEqual(['keep']);
  });

  it('is resolved if its finding is fixed, unless there are threads with the new key', () => {
    expect(planned([], [former(one)])).toEqual(['resolve']);
    expect(planned([two], [former(one), threadOf(two)])).toEqual(['keep']);
    expect(planned([one, two], [former(one), threadOf(two)])).toEqual(['update', 'keep']);
  });

  it('is not taken in place of one with the new key', () => {
    expect(planned([one], [former(one, { note: 1 }), threadOf(one, { note: 2, id: 'new' })])).toEqual(['keep']);
  });
});

describe('every plan', () => {
  const max = fc.integer({ min: 0, max: 15 });

  it('never changes a thread that a person resolved, and of one that a person answered only its state', () => {
    fc.assert(fc.property(wanted, threads, fc.boolean(), max, (all, before, isComplete, most) => {
      const steps = changes(planPosts(all, before, { ...options, isComplete, max: most }));
      const changed = steps.flatMap((step) => 'thread' in step ? [step] : []);
      expect(changed.filter(({ thread }) => thread.resolvedBy !== null)).toEqual([]);
      expect(changed.filter(({ action, thread }) => action !== 'reopen' && thread.answeredBy !== null)).toEqual([]);
    }));
  });

  it('names each finding once, and each thread at most once', () => {
    fc.assert(fc.property(wanted, threads, max, (all, before, most) => {
      const steps = planPosts(all, before, { ...options, max: most });
      expect(new Set(steps.flatMap((step) => 'wanted' in step && step.wanted ? [step.wanted] : []))).toEqual(new Set(all));
      const named = steps.flatMap((step) => 'thread' in step ? [step.thread.id] : []);
      expect(new Set(named).size).toBe(named.length);
    }));
  });

  it('changes nothing when it is made again', () => {
    fc.assert(fc.property(wanted, threads, max, (all, before, most) => {
      const after = applied(planPosts(all, before, { ...options, max: most }), before);
      expect(changes(planPosts(all, after, { ...options, max: most }))).toEqual([]);
    }));
  });

  it('resolves nothing if the report is partial', () => {
    fc.assert(fc.property(wanted, threads, (all, before) => {
      expect(actions(planPosts(all, before, { ...options, isComplete: false }))).not.toContain('resolve');
    }));
  });

  it('creates no thread if the findings have more than --max open ones then', () => {
    fc.assert(fc.property(wanted, threads, max, (all, before, most) => {
      const steps = planPosts(all, before, { ...options, max: most });
      const open = applied(steps, before).filter(({ id, state }) => state !== 'resolved'
        && steps.some((step) => 'wanted' in step && step.wanted !== null
          && ('thread' in step ? step.thread.id === id : `new ${step.wanted.finding.line}` === id)));
      const creates = steps.some(({ action }) => action === 'create');
      expect(creates ? open.length : 0).toBeLessThanOrEqual(most);
    }));
  });

  it('does not count accepted findings among the threads of --max', () => {
    const accepted = wantedOn(1, 2, 3).map((each) => threadOf(each, { state: 'resolved', resolvedBy: 'bob' }));
    expect(planned(wantedOn(1, 2, 3, 4), accepted, { max: 1 }).at(-1)).toBe('create');
  });
});

describe('the findings that count', () => {
  const error = { ...one, finding: { ...one.finding, level: 'error' as const } };
  const reached = (steps: PostStep[]) => countedFindings(steps, 'error').length > 0;

  it('are new, known and summarized findings that pass the filters', () => {
    expect(reached(planPosts([error], [], options))).toBe(true);
    expect(reached(planPosts([error], [threadOf(error)], options))).toBe(true);
    expect(reached(planPosts([error], [], { ...options, max: 0 }))).toBe(true);
    expect(reached(planPosts([error], [threadOf(error, { answeredBy: 'bob' })], options))).toBe(true);
  });

  it('are not weaker, hidden, fixed and accepted ones', () => {
    expect(reached(planPosts([one], [], options))).toBe(false);
    expect(reached(planPosts([{ ...error, skip: 'hidden' }], [threadOf(error)], options))).toBe(false);
    expect(reached(planPosts([], [threadOf(error)], options))).toBe(false);
    expect(reached(planPosts([error], [threadOf(error, { state: 'resolved', resolvedBy: 'bob' })], options))).toBe(false);
  });
});
