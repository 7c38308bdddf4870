import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unsentTexts } from '../../../../../src/cli/notes/triage/state.js';
import { press } from '../../../../../src/cli/notes/triage/transitions.js';
import { pressed, triageState } from '../../../../support/triage.js';

const place = (...words: string[]) => pressed(triageState(), ...words)[0].at;

describe('a key of a triage', () => {
  it('goes to another thread, never past the ends', () => {
    expect([place('n'), place('n', 'n', 'n', 'n'), place('p'), place('n', 'p')]).toEqual([1, 2, 0, 0]);
    expect([place('g', ':3', 'enter'), place('g', ':0', 'enter'), place('g', ':4', 'enter'), place('g', ':1e0', 'enter'), place('g', ':3', 'escape')])
      .toEqual([2, 0, 0, 0, 0]);
  });

  it('causes an effect on the thread that is shown', () => {
    expect(['x', 'a', 'E', 'o'].map((key) => pressed(triageState(), 'n', key)[1])).toEqual([
      { kind: 'resolve', thread: 'b' }, { kind: 'apply' }, { kind: 'edit file' }, { kind: 'browse' },
    ]);
    expect(pressed(triageState(), 'n', 'R', ':Yes', 'enter')[1])
      .toEqual({ kind: 'send', writing: { kind: 'reply', thread: 'b', resolves: true }, text: 'Yes' });
    expect(pressed(triageState(), 'n', 'e', ':!', 'enter')[1])
      .toEqual({ kind: 'send', writing: { kind: 'edit', thread: 'b', note: 3 }, text: 'mine!' });
    expect(pressed(triageState(), 'r', ':Hm', 'ctrl-e')[1])
      .toEqual({ kind: 'compose', writing: { kind: 'reply', thread: 'a', resolves: false }, text: 'Hm' });
  });

  it('that has nothing to act on says so', () => {
    const message = (...words: string[]) => pressed(triageState(), ...words)[0].message?.text;
    expect([message('e'), message('c'), message('u'), message('Z'), message('r', 'enter')]).toEqual([
      'none of these notes is yours', 'no lines of the diff are shown here', 'nothing to undo', 'no such key: Z; ? shows all keys',
      'the text is empty; Esc goes back',
    ]);
  });

  it('is not one of those that are pasted outside of a text', () => {
    expect(pressed(triageState(), ':x')).toEqual([triageState(), null]);
  });

  it('that closes the help also does what it says, except for pasted text, q and the key of the help', () => {
    expect(pressed(triageState(), '?', 'r')).toEqual(pressed(triageState(), 'r'));
    expect(pressed(triageState(), '?', 'x')[1]).toEqual({ kind: 'resolve', thread: 'a' });
    for (const key of ['?', 'q', 'escape', ':rx', 'enter']) expect(pressed(triageState(), '?', key)).toEqual([triageState(), null]);
  });

  it('is not a text of several characters, after the help neither', () => {
    for (const before of [[], ['?']]) {
      const [state, effect] = press(pressed(triageState(), ...before)[0], { name: 'text', text: 'x Good point é' });
      expect([state.mode.name, state.message?.text, effect]).toEqual(['read', 'text is typed after r, R, e or c; ? shows all keys', null]);
    }
  });

  it.each(['q', 'ctrl-d'])('%s ends it', (key) => {
    expect(pressed(triageState(), key)[0].mode.name).toBe('ended');
  });

  it('that leaves a note as it was leaves nothing to send', () => {
    const left = (...words: string[]) => {
      const [state] = pressed(triageState(), 'n', 'e', ...words);
      return [state.message?.text, unsentTexts(state).map(({ text }) => text)];
    };
    expect(left('escape')).toEqual([undefined, []]);
    expect(left()).toEqual([undefined, []]);
    expect(left(':!', 'escape')).toEqual(['not sent; the same key shows the text again', ['mine!']]);
  });

  it('loses no text, whatever is pressed, until it is sent', () => {
    const keys = fc.array(fc.constantFrom('n', 'p', 'g', '?', 'escape', 'r', 'R', 'e', 'c', 'u', 'enter', 'left'), { maxLength: 20 });
    fc.assert(fc.property(keys, (words) => {
      const [state] = pressed(triageState(), 'r', ':kept text', 'escape', ...words);
      expect(unsentTexts(state).find(({ writing }) => writing.thread === 'a')?.text).toContain('kept');
    }));
  });
});
