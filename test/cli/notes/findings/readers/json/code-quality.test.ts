import { describe, expect, it } from 'vitest';
import { readCodeQuality } from '../../../../../../src/cli/notes/findings/readers/json.js';
import { brief, briefs, eslintFindings } from '../../../../../support/reports.js';

const issue = (location: object, parts: object = {}) => ({ description: 'no', location: { path: 'a.js', ...location }, ...parts });
const read = (...issues: object[]) => readCodeQuality(JSON.stringify(issues)).findings;

describe('a code quality report', () => {
  it('is read as a formatter of ESLint writes it', async () => {
    expect(await briefs('codequality', 'code-quality.json'))
      .toEqual(eslintFindings('src/send.js').map((one) => one.replace(/:\d+ /, ':null ')));
  });

  it('has places as lines or as positions', () => {
    const [lines, positions, none] = read(
      issue({ lines: { begin: 3, end: 5 } }), issue({ positions: { begin: { line: 4, column: 7 }, end: { line: 4 } } }), issue({}));
    expect([lines, positions, none].map((one) => [one!.line, one!.column, one!.endLine])).toEqual([[3, null, 5], [4, 7, null], [null, null, null]]);
  });

  it('has positions that are offsets, of which no line is read', () => {
    const found = read(issue({ positions: { begin: { offset: 72 }, end: { offset: 75 } } }), issue({ positions: { begin: { line: 4, offset: 72 } } }));
    expect(found.map(({ line, isAnyLine = false }) => [line, isAnyLine])).toEqual([[null, true], [4, false]]);
  });

  it('has lines that are objects, as positions are', () => {
    const [one, both] = read(issue({ lines: { begin: { line: 12, column: 3 } } }), issue({ lines: { begin: { line: 12 }, end: { line: 14 } } }));
    expect([one, both].map((each) => [each!.line, each!.column, each!.endLine])).toEqual([[12, 3, null], [12, null, 14]]);
  });

  it('has issues without a description, which are named after their check', () => {
    const texts = read(issue({}, { description: null, check_name: 'r' }), issue({}, { description: null })).map(({ message }) => message);
    expect(texts).toEqual(['r', 'no message']);
  });

  it('has one of five severities; others are errors, and none is a warning', () => {
    const severities = ['info', 'minor', 'major', 'critical', 'blocker', 'unheard of', undefined];
    expect(read(...severities.map((severity) => issue({}, { severity }))).map(({ level }) => level))
      .toEqual(['note', 'warning', 'error', 'error', 'error', 'error', 'warning']);
  });

  it.each(['Issue', 'ISSUE', 'bug'])('has findings of the type %s, as of all but measurements', (type) => {
    expect(read({ type: 'Measurement' }, issue({}, { type }))).toMatchObject([{ file: 'a.js', message: 'no' }]);
  });

  it('can contain measurements, which are skipped', () => {
    expect(read({ type: 'measurement', value: 5 }, issue({}, { type: 'issue', check_name: 'r' })).map(brief)).toEqual(['a.js:null:null warning r']);
  });

  it.each([
    ['[{"description": "x"}]', 'expected an object, got nothing', '[0].location'],
    ['[{"location": {"path": "a"}}]', 'expected a text, got nothing', '[0].description'],
    ['[5]', 'expected an object, got the number 5', '[0]'],
    ['{}', 'expected a list, got an object', null],
  ])('is rejected with the place of the mistake: %s', (source, message, place) => {
    expect(() => readCodeQuality(source)).toThrow(expect.objectContaining({ name: 'ReportError', message, place }) as Error);
  });
});
