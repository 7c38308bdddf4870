import { describe, expect, it } from 'vitest';
import { keyNotesOf } from '../../../../src/cli/notes/upsert/plan.js';
import {
  isMergedInto, type SeenParts, sharedStep, type WantedPart,
} from '../../../../src/cli/notes/upsert/shared-plan.js';
import { isAsWritten, readMarker, withMarker, type Marker } from '../../../../src/wire/note-text.js';
import { printShared, type Section } from '../../../../src/wire/shared-text.js';
import { note } from '../../../support/notes.js';

type KeyNote = Parameters<typeof keyNotesOf>[0][number];

const stored = (id: number, body: string): KeyNote => {
  const { text, marker, isVisible } = readMarker(body);
  const one = note({ id, body });
  return { note: one, discussion: { id: `t${id}`, individual_note: true, notes: [one] }, marker: marker!, text, isVisible, isAsWritten: isAsWritten(body) };
};

const log = (id: number, text: string, marker: Marker) => stored(id, withMarker(text, { key: 'lint', ...marker }));
const section = (name: string, text: string, values: Marker = {}): Section => ({ name, text, values });
const parts = (id: number, ...sections: readonly Section[]) =>
  stored(id, withMarker(printShared({ blocks: sections, paragraphs: [] }, '', false), { key: 'lint' }));

const wanted = (given: Partial<WantedPart> = {}): WantedPart => ({
  key: 'lint', text: 'New.', mode: 'replace', version: null, run: 'job1', overflow: 'cut', isVisible: false, section: 'b',
  keepSections: false, job: null, id: 'mine', ...given,
});

const seenWith = (given: Partial<SeenParts> = {}): SeenParts =>
  ({ sections: new Map(), paragraphs: new Map(), replaced: new Set(), isWritten: false, ...given });

const step = (given: Partial<WantedPart>, notes: readonly KeyNote[], seen: Partial<SeenParts> = {}) =>
  sharedStep(wanted(given), keyNotesOf(notes, new Set(), () => true), seenWith(seen));

const append = { section: null, mode: 'append' } as const;

describe('the next step of an appended paragraph', () => {
  it('adds it once for each run', () => {
    expect(step(append, [])).toMatchObject({ do: 'write', isOwnThere: false, content: { text: 'New.', marker: { run: 'job1', size: '4' } } });
    const earlier = [log(1, 'Old.', { run: 'job0' })];
    expect(step(append, earlier)).toMatchObject({ do: 'write', content: { text: 'Old.\n\nNew.', marker: { run: 'job0.job1', size: '4' } } });
    expect(step({ ...append, run: 'job0' }, earlier)).toEqual({ do: 'nothing', reason: 'unchanged' });
  });

  it('remembers the last hundred runs', () => {
    const runs = Array.from({ length: 100 }, (_, i) => `r${i}`).join('.');
    expect(step(append, [log(1, 'Old.', { run: runs })])).toMatchObject({ content: { marker: { run: `${runs.slice(3)}.job1` } } });
  });

  it('adds what copies and earlier reads have, and the own paragraph only once', () => {
    const copies = [log(1, 'A.', { run: 'a', size: '2' }), log(2, 'New.\n\nB.', { run: 'job1.b', size: '4.2' })];
    expect(step(append, copies)).toMatchObject({ content: { text: 'A.\n\nNew.\n\nB.', marker: { run: 'a.job1.b', size: '2.4.2' } } });
    const seen = new Map([['c', { run: 'c', text: 'C.' }]]);
    expect(step({ ...append, run: 'a' }, copies.slice(0, 1), { paragraphs: seen })).toMatchObject({
      isOwnThere: true, isSameText: true, content: { text: 'A.\n\nC.' } });
  });
});

describe('the next step of a section', () => {
  it('restores sections that were seen, unless they are there or older', () => {
    const seen = new Map([section('a', 'A.'), section('c', 'Old.')].map((one) => [one.name, one]));
    const move = step({ text: 'B.' }, [parts(1, section('b', 'B.'), section('c', 'C.'))], { sections: seen });
    expect(move).toMatchObject({ do: 'write', isOwnThere: true });
    const emptied = parts(1, section('a', ''), section('b', 'B.'), section('c', 'C.'));
    expect(step({ text: 'B.' }, [emptied], { sections: seen })).toEqual({ do: 'nothing', reason: 'unchanged' });
    const older = new Map([['a', section('a', 'A.', { newer: '4', project: '20' })]]);
    expect(step({ text: 'B.' }, [parts(1, section('b', 'B.', { newer: '5', project: '20' }))],
      { sections: older }).do).toBe('nothing');
  });

  it('is done with a later write of another run, but not with the one that it replaced', () => {
    const after = (id: string) => step({}, [parts(1, section('b', 'Other.', { id }))], { isWritten: true, replaced: new Set(['before']) }).do;
    expect([after('mine'), after('later'), after('before')]).toEqual(['nothing', 'nothing', 'write']);
  });

  it('stores a newer pipeline and another job even with the same text', () => {
    const version = (value: string) => ({ value, project: '20' });
    const at = (given: Partial<WantedPart>, values: Marker) => step({ text: 'B.', ...given }, [parts(1, section('b', 'B.', values))]);
    expect(at({ version: version('5') }, { newer: '5', project: '20' })).toEqual({ do: 'nothing', reason: 'unchanged' });
    expect(at({ version: version('6') }, { newer: '5', project: '20' })).toMatchObject({ do: 'write', isSameText: true });
    expect(at({ version: version('6') }, {})).toMatchObject({ do: 'write', isSameText: true });
    expect(at({ job: 'https://ci.example.com/2' }, { job: 'https://ci.example.com/1' })).toMatchObject({ do: 'write', isSameText: true });
    expect(at({ version: version('4') }, { newer: '5', project: '20' })).toEqual({ do: 'nothing', reason: 'stale' });
  });

  it('keeps the section of the first copy, and takes one of a newer pipeline', () => {
    const copies = [
      parts(1, section('a', 'First.', { newer: '5' }), section('c', 'Five.', { newer: '5' })),
      parts(2, section('a', 'Second.', { newer: '5' }), section('c', 'Six.', { newer: '6' })),
    ];
    const { text } = (step({ keepSections: true }, copies) as { content: { text: string } }).content;
    expect([/First|Second/.exec(text)![0], /Five|Six/.exec(text)![0]]).toEqual(['First', 'Six']);
  });
});

describe('a copy', () => {
  it('is merged when all of its parts are in the comment', () => {
    const kept = parts(1, section('a', 'A.'), section('b', 'B.', { newer: '5' }));
    expect(isMergedInto(kept, parts(2, section('a', 'Other.')))).toBe(true);
    expect(isMergedInto(kept, parts(2, section('c', 'Old.', { newer: '4' })))).toBe(true);
    expect(isMergedInto(kept, parts(2, section('c', 'C.', { newer: '5' })))).toBe(false);
    expect(isMergedInto(kept, log(2, 'D.', { run: 'd', size: '2' }))).toBe(false);
  });
});
