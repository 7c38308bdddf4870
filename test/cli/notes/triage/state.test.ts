import { describe, expect, it } from 'vitest';
import { unsentTexts, withUnsent, writingKey, type TextTarget } from '../../../../src/cli/notes/triage/state.js';
import { pressed, triageState } from '../../../support/triage.js';

const reply: TextTarget = { kind: 'reply', thread: 'a', resolves: false };

describe('texts that are not sent', () => {
  it('are the ones that were left, and the one on the screen', () => {
    const [state] = pressed(triageState(), 'r', ':one', 'escape', 'n', 'r', ':two');
    expect(unsentTexts(state).map(({ text }) => text)).toEqual(['one', 'two']);
  });

  it('are one for each thread, whether it resolves or not', () => {
    expect(writingKey(reply)).toBe(writingKey({ ...reply, resolves: true }));
    const state = withUnsent(withUnsent(triageState(), reply, 'one'), { ...reply, resolves: true }, 'two');
    expect(unsentTexts(state).map(({ text }) => text)).toEqual(['two']);
    expect(unsentTexts(withUnsent(state, reply, ' \n'))).toEqual([]);
  });
});
