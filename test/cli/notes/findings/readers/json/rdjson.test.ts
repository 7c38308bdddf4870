import { describe, expect, it } from 'vitest';
import { readRdjson, readRdjsonLines } from '../../../../../../src/cli/notes/findings/readers/json.js';
import { brief, readText } from '../../../../../support/reports.js';

describe('rdjson', () => {
  const diagnostic = {
    message: 'no', location: { path: 'a.go', range: { start: { line: 3, column: 2 }, end: { line: 4 } } },
    severity: 'ERROR', code: { value: 'G1' }, source: { name: 'golint' },
    suggestions: [{ range: { start: { line: 3, column: 1 }, end: { line: 5, column: 1 } }, text: 'one\n' }],
  };
  const expected = { file: 'a.go', line: 3, endLine: 4, column: 2, level: 'error', rule: 'G1', tool: 'golint',
    message: 'no', suggestion: { from: 3, to: 4, text: 'one\n' } };

  it('is read as one document', async () => {
    const { source, ...rest } = diagnostic;
    const report = await readText('rdjson', JSON.stringify({ source, diagnostics: [rest] }));
    expect(report).toEqual({ tools: ['golint'], findings: [expected], unread: [] });
  });

  it('is read line by line', async () => {
    const report = await readText('rdjsonl', `${JSON.stringify(diagnostic)}\n\n`);
    expect(report).toEqual({ tools: ['golint'], findings: [expected], unread: [] });
  });

  it('may give the level and tool of all diagnostics once', () => {
    const location = { path: 'a.go' };
    const { tools, findings } = readRdjson(JSON.stringify({ severity: 'INFO', source: { name: 'vet' }, diagnostics: [
      { message: 'a', location }, { message: 'b', location, severity: 'ERROR', source: { name: 'lint' } },
    ] }));
    expect([tools, findings.map(brief), findings.map(({ tool }) => tool)])
      .toEqual([['vet', 'lint'], ['a.go:null:null note null', 'a.go:null:null error null'], ['vet', 'lint']]);
  });

  it('may have numbers as severities, as in the protocol that it is written in, and as codes', () => {
    const severities = ['UNKNOWN_SEVERITY', 'ERROR', 'WARNING', 'INFO', 0, 1, 2, 3, 4, 'WARN'];
    const lines = severities.map((severity) => JSON.stringify({ message: 'a', location: { path: 'a.go' }, severity, code: { value: 7 } }));
    const known = ['warning', 'error', 'warning', 'note'];
    const { findings } = readRdjsonLines(lines.join('\n'));
    expect(findings.map(({ level }) => level)).toEqual([...known, ...known, 'error', 'error']);
    expect(findings.map(({ unknownLevel }) => unknownLevel).slice(8)).toEqual(['4', 'WARN']);
    expect(findings[0]!.rule).toBe('7');
    expect(readRdjson(JSON.stringify({ severity: 3, diagnostics: [{ message: 'a', location: { path: 'a' } }] })).findings).toMatchObject([{ level: 'note' }]);
  });

  it('has diagnostics without a message, which are named after their code', () => {
    expect(readRdjsonLines('{"message": null, "code": {"value": "G1"}, "location": {"path": "a"}}').findings).toMatchObject([{ message: 'G1' }]);
  });

  it('has the page of a code, unless it is none', () => {
    const urls = ['https://lint.example.com/G1', 'javascript:x', 5, undefined].map((url) =>
      readRdjson(JSON.stringify({ diagnostics: [{ ...diagnostic, code: { value: 'G1', url } }] })).findings[0]!.ruleUrl);
    expect(urls).toEqual(['https://lint.example.com/G1', undefined, undefined, undefined]);
  });

  it('may lack the list where it is empty, as protocol buffers are written', async () => {
    expect(readRdjson('{"source": {"name": "golint"}}')).toEqual({ tools: ['golint'], findings: [] });
    await expect(readText('rdjson', '{}')).rejects.toMatchObject({ code: 'report', message: 'report is empty' });
    expect(await readText('rdjson', '{}', { allowEmpty: true })).toMatchObject({ findings: [] });
    await expect(readText('rdjson', '{"source": {"name": "golint"}, "issues": []}')).rejects.toThrow('diagnostics: expected a list, got nothing');
  });

  it('names no tool if none is given', () => {
    expect(readRdjsonLines('{"message": "a", "location": {"path": "a"}}').tools).toEqual([]);
  });

  it('has no suggestion if there are several, or if it replaces parts of several lines', () => {
    const [one] = diagnostic.suggestions;
    const suggestionsOf = (...suggestions: object[]) =>
      readRdjson(JSON.stringify({ diagnostics: [{ ...diagnostic, suggestions }] })).findings[0]!.suggestion;
    expect(suggestionsOf(one!, one!)).toBeUndefined();
    expect(suggestionsOf({ ...one, range: { start: { line: 3, column: 2 }, end: { line: 4, column: 4 } } })).toBeUndefined();
    expect(suggestionsOf({ ...one, range: { start: { line: 3, column: 2 }, end: { line: 3, column: 4 } } })).toEqual(
      { from: 3, to: 3, text: 'one\n', columns: [2, 4] });
    expect(suggestionsOf()).toBeUndefined();
  });

  it('has suggestions that insert text, whose range has no end', () => {
    const suggestionsAt = (start: object, text: string) => readRdjson(JSON.stringify(
      { diagnostics: [{ ...diagnostic, suggestions: [{ range: { start }, text }] }] })).findings[0]!.suggestion;
    expect(suggestionsAt({ line: 3, column: 1 }, 'x ')).toEqual({ from: 3, to: 3, text: 'x ', columns: [1, 1] });
    expect(suggestionsAt({ line: 3, column: 4 }, 'x')).toEqual({ from: 3, to: 3, text: 'x', columns: [4, 4] });
    expect(suggestionsAt({ line: 3 }, 'x'), 'of a line').toEqual({ from: 3, to: 3, text: 'x\n' });
  });

  it.each([
    ['{"diagnostics": "none"}', 'diagnostics', 'expected a list, got the text "none"'],
    ['{"diagnostics": [{"location": {}}]}', 'diagnostics[0].location.path', 'expected a text, got nothing'],
    ['[]', null, 'expected an object, got a list'],
  ])('is rejected with the place of the mistake: %s', (source, place, message) => {
    expect(() => readRdjson(source)).toThrow(expect.objectContaining({ name: 'ReportError', place, message }) as Error);
  });

  it('is rejected with the line of the mistake', () => {
    const first = '{"message": "x", "location": {"path": "a"}}\n';
    expect(() => readRdjsonLines(`${first}{"message": `)).toThrow(expect.objectContaining({ place: 'line 2, column 12' }) as Error);
    expect(() => readRdjsonLines(`${first}\n{"message": "x"}`)).toThrow(expect.objectContaining(
      { place: 'line 3.location', message: 'expected an object, got nothing' }) as Error);
  });
});
