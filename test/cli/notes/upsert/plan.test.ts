import { describe, expect, it } from 'vitest';
import { keyNotesOf, nextStep, type WantedComment } from '../../../../src/cli/notes/upsert/plan.js';
import { bodyLimit } from '../../../../src/contract/conventions.js';
import { isAsWritten, readMarker, withMarker, type Marker } from '../../../../src/wire/note-text.js';
import { note } from '../../../support/notes.js';

type KeyNote = Parameters<typeof keyNotesOf>[0][number];

/** A note with the key, as it is stored. */
const stored = (id: number, body: string, answers = 0): KeyNote => {
  const { text, marker, isVisible } = readMarker(body);
  const one = note({ id, body });
  const notes = [one, ...Array.from({ length: answers }, (_, i) => note({ id: 1_000 + i, body: 'Why?' }))];
  return { note: one, discussion: { id: `t${id}`, individual_note: answers === 0, notes }, marker: marker!, text, isVisible, isAsWritten: isAsWritten(body) };
};
const own = (id: number, text: string, marker: Marker = {}, answers = 0) => stored(id, withMarker(text, { key: 'lint', ...marker }), answers);
const changed = (id: number) => stored(id, withMarker('Old.', { key: 'lint' }).replace('Old.', 'By hand.'));
const old = (id: number) => stored(id, withMarker('Old.', { key: 'lint' }).replace(/ hash=\w{16}/, ''));

const wanted = (parts: Partial<WantedComment> = {}): WantedComment =>
  ({ key: 'lint', text: 'New.', mode: 'replace', version: null, run: 'job1', overflow: 'cut', isVisible: false, ...parts });
const version = (value: string, project = '20') => ({ value, project });
const step = (parts: Partial<WantedComment>, notes: readonly KeyNote[], isStored = false) => nextStep(wanted(parts), keyNotesOf(notes, new Set()), isStored);

describe('the notes with a key', () => {
  const ids = (notes: readonly KeyNote[], written: readonly number[] = []) => {
    const found = keyNotesOf(notes, new Set(written));
    const [copies, others] = [found.copies, found.changed].map((all) => all.map((one) => one.note.id));
    return { first: copies![0], copies: copies!.toSorted((a, b) => a - b), changed: others };
  };

  it('are those of programs, and those that a person changed', () => {
    expect(ids([own(1, 'Old.'), changed(2), own(3, 'Old.')])).toEqual({ first: 1, copies: [1, 3], changed: [2] });
    expect(ids([changed(2)])).toEqual({ first: undefined, copies: [], changed: [2] });
  });

  it('count as written if this run wrote them, whatever the service made of the text', () => {
    expect(ids([changed(2)], [2])).toEqual({ first: 2, copies: [2], changed: [] });
  });

  it('start with a new one rather than the one that it replaced', () => {
    expect(ids([own(1, 'Old.'), own(5, 'New.', { id: '1' })]).first).toBe(5);
  });

  it('start with one that is known to be unchanged rather than one that may have changed', () => {
    expect(ids([old(1), own(2, 'Old.')]).first).toBe(2);
  });
});

describe('the next step', () => {
  it('creates the comment where there is none, beside those that a person changed', () => {
    expect(step({}, [])).toEqual({ do: 'create', content: { text: 'New.', marker: { key: 'lint' }, isVisible: false } });
    expect(step({}, [changed(7), changed(9)])).toMatchObject({ do: 'create', content: { marker: { key: 'lint', id: '9' } } });
  });

  it('updates it, and does nothing for the same text', () => {
    expect(step({}, [own(1, 'Old.')])).toMatchObject({ do: 'update', isSameText: false, content: { text: 'New.' } });
    expect(step({}, [own(1, 'New.')])).toEqual({ do: 'nothing', reason: 'unchanged' });
  });

  it('deletes it for a blank text, and does nothing where there is none', () => {
    expect([step({ text: ' \n' }, [own(1, 'Old.')]), step({ text: '' }, []), step({ text: '' }, [changed(1)])])
      .toEqual([{ do: 'delete' }, { do: 'nothing', reason: 'unchanged' }, { do: 'nothing', reason: 'unchanged' }]);
  });

  it('makes the marker visible, and leaves it so', () => {
    expect(step({ text: 'Old.', isVisible: true }, [own(1, 'Old.')])).toMatchObject({ do: 'update', isSameText: true, content: { isVisible: true } });
    const visible = stored(1, withMarker('Old.', { key: 'lint' }, { isVisible: true }));
    expect(step({}, [visible])).toMatchObject({ do: 'update', content: { isVisible: true } });
    expect(step({ text: 'Old.' }, [visible])).toMatchObject({ do: 'nothing' });
  });

  it('is an error for a text that is too long, if wanted', () => {
    expect(() => step({ text: 'x'.repeat(bodyLimit), overflow: 'error' }, [])).toThrow('the limit is');
  });
});

describe('the next step of ordered runs', () => {
  const newer = (value: string) => ({ newer: value, project: '20' });

  it('leaves the text of a newer run, even if a copy has it', () => {
    expect(step({ version: version('5') }, [own(1, 'Old.', newer('6'))])).toEqual({ do: 'nothing', reason: 'stale' });
    expect(step({ version: version('5') }, [own(1, 'Old.'), own(2, 'Old.', newer('6'))])).toEqual({ do: 'nothing', reason: 'stale' });
    expect(step({ version: version('5'), text: '' }, [own(1, 'Old.', newer('6'))])).toEqual({ do: 'nothing', reason: 'stale' });
  });

  it('replaces that of an older one, and of another project', () => {
    for (const marker of [newer('4'), newer('5'), { newer: '9', project: '21' }]) {
      expect(step({ version: version('5') }, [own(1, 'Old.', marker)])).toMatchObject({ do: 'update', content: { marker: newer('5') } });
    }
  });

  it('stores a higher version with the same text, which an older run then finds', () => {
    expect(step({ version: version('5'), text: 'Old.' }, [own(1, 'Old.', newer('4'))])).toMatchObject({
      do: 'update', isSameText: true, content: { marker: newer('5') } });
    expect(step({ version: version('5'), text: 'Old.' }, [own(1, 'Old.', newer('5'))])).toEqual({ do: 'nothing', reason: 'unchanged' });
  });

  it('keeps the version in a run without one', () => {
    expect(step({}, [own(1, 'Old.', newer('4'))])).toMatchObject({ do: 'update', content: { marker: newer('4') } });
  });

  it('replaces only a lower version once this run has stored its text', () => {
    expect(step({ version: version('5') }, [own(1, 'Of another run.', newer('5'))], true)).toEqual({ do: 'nothing', reason: 'unchanged' });
    expect(step({ version: version('5') }, [own(1, 'Of another run.', newer('4'))], true)).toMatchObject({ do: 'update' });
  });
});

describe('--mode', () => {
  it('once keeps any earlier text, also one that a person changed', () => {
    for (const notes of [[own(1, 'Old.')], [changed(1)]]) expect(step({ mode: 'once' }, notes)).toEqual({ do: 'nothing', reason: 'unchanged' });
    expect(step({ mode: 'once' }, [])).toMatchObject({ do: 'create' });
    expect(step({ mode: 'once', text: '' }, [own(1, 'Old.')])).toEqual({ do: 'delete' });
  });

  it('recreate adds the comment again in place of the earlier one, unless somebody answered that', () => {
    expect(step({ mode: 'recreate' }, [own(1, 'Old.')])).toMatchObject({ do: 'recreate', content: { text: 'New.', marker: { id: '1' } } });
    expect(step({ mode: 'recreate' }, [own(1, 'Old.'), changed(9)])).toMatchObject({ do: 'recreate', content: { marker: { id: '9' } } });
    expect(step({ mode: 'recreate' }, [own(1, 'Old.', {}, 1)])).toMatchObject({ do: 'update', reason: 'has answers' });
    expect(step({ mode: 'recreate', text: 'Old.' }, [own(1, 'Old.')])).toEqual({ do: 'nothing', reason: 'unchanged' });
  });
});
