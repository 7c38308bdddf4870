import { describe, expect, it } from 'vitest';
import { afterResult } from '../../../../../src/cli/notes/triage/transitions.js';
import type { Effect, Undo } from '../../../../../src/cli/notes/triage/state.js';
import { noteOf, pressed, threadWith, triageState } from '../../../../support/triage.js';

const undo: Undo = { kind: 'note', thread: 'b', note: 9, after: 'Hm' };
const sending = (...words: string[]) => {
  const [state, effect] = pressed(triageState(), 'n', ...words);
  return { state, effect: effect! };
};

describe('the result of an effect', () => {
  it('keeps the text after a failure', () => {
    const { state, effect } = sending('r', ':Hm', 'enter');
    const [next, more] = afterResult(state, effect, { kind: 'failed', message: '500' });
    expect([next, more]).toEqual([{ ...state, message: { text: '500', isError: true } }, null]);
  });

  it('adds the note that was sent, and then resolves the thread', () => {
    const { state, effect } = sending('R', ':Hm', 'enter');
    const [next, more] = afterResult(state, effect, { kind: 'sent', note: noteOf(9, 'Hm'), undo });
    expect(next.threads[1]!.notes.map(({ id }) => id)).toEqual([2, 3, 9]);
    expect([next.undo, next.mode.name, next.unsent.size, more]).toEqual([[undo], 'read', 0, { kind: 'resolve', thread: 'b' }]);
    const resolved = threadWith('b', { ...noteOf(2, 'two', 2), resolved: true });
    const [last] = afterResult(next, more!, { kind: 'resolved', thread: resolved });
    expect([last.at, last.undo, last.message?.text]).toEqual([2, [undo, { kind: 'resolve', thread: 'b' }], 'resolved the thread before; u reopens it']);
  });

  it('leaves nothing to reopen if the thread was resolved before the reply', () => {
    const { state, effect } = sending('R', ':Hm', 'enter');
    const resolved = threadWith('b', { ...noteOf(2, 'two', 2), resolved: true });
    const before = { ...state, threads: state.threads.map((thread) => thread.id === 'b' ? resolved : thread) };
    const [next, more] = afterResult(before, effect, { kind: 'sent', note: { ...noteOf(9, 'Hm'), resolved: true }, undo });
    const [last] = afterResult(next, more!, { kind: 'resolved', thread: resolved });
    expect([last.at, last.undo, last.message?.text]).toEqual([2, [undo], 'sent; the thread before was resolved already']);
  });

  it('shows notes that arrived above the text', () => {
    const { state, effect } = sending('r', ':Hm', 'enter');
    const thread = threadWith('b', noteOf(2, 'two', 2), noteOf(3, 'mine'), noteOf(8, 'wait', 2));
    const [next] = afterResult(state, effect, { kind: 'arrived', thread });
    expect([next.threads[1], next.mode, next.message?.text]).toEqual([thread, state.mode, '1 new note above; Enter sends yours anyway']);
  });

  it('shows the changed note above the text that replaces it', () => {
    const { state, effect } = sending('e', ':!', 'enter');
    const thread = threadWith('b', noteOf(2, 'two', 2), noteOf(3, 'theirs'));
    const [next] = afterResult(state, effect, { kind: 'changed', thread });
    expect([next.threads[1], next.mode, next.message]).toEqual([thread, state.mode,
      { text: 'the note was changed, see above; Enter sends yours anyway', isError: true }]);
  });

  it('of an undo goes to its thread, and drops what cannot be undone', () => {
    const start = { ...triageState(), undo: [undo] };
    const effect: Effect = { kind: 'undo', step: undo };
    const [done] = afterResult(start, effect, { kind: 'undone', thread: null, message: 'gone' });
    const [kept] = afterResult(start, effect, { kind: 'kept', message: 'stays' });
    const [failed] = afterResult(start, effect, { kind: 'failed', message: '500' });
    expect([done, kept, failed].map(({ at, undo: left, message }) => [at, left.length, message?.isError]))
      .toEqual([[1, 0, false], [1, 0, true], [0, 1, true]]);
  });
});
