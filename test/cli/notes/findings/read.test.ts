import { describe, expect, it } from 'vitest';
import { readReports, reportFormats, type Format } from '../../../../src/cli/notes/findings/read.js';
import { readText, reportFixture } from '../../../support/reports.js';

describe('a report that cannot be used', () => {
  it.each<[Format, string, string, string]>([
    ['sarif', '{"runs": []}', 'report: runs: expected at least one run, got an empty list', 'check that report is a sarif report'],
    ['eslint', '{}', 'report: expected a list, got an object', 'check that report is a eslint report'],
    ['codequality', '[{"description": "x"}]', 'report: [0].location: expected an object, got nothing', 'check that report is a codequality report'],
    ['rdjson', '{"diagnostics": "none"}', 'report: diagnostics: expected a list, got the text "none"', 'check that report is a rdjson report'],
    ['rdjsonl', '{"message": "x"}', 'report: line 1.location: expected an object, got nothing', 'check that report is a rdjsonl report'],
    ['checkstyle', '<testsuites/>', 'report: line 1: expected <checkstyle>, got <testsuites>', 'check that report is a checkstyle report'],
    ['junit', '<a/>', 'report: line 1: expected <testsuites> or <testsuite>, got <a>', 'check that report is a junit report'],
    ['lines', 'Segmentation fault\n', 'report: line 1: expected lines of the form path:line[:column]: message, got "Segmentation fault"',
      'describe the lines with --pattern, or name the tool or format with --from'],
    ['diff', 'no diff\n', 'report: line 1: expected a unified diff, found no file', 'make it with `git diff`'],
  ])('is rejected with its name, the place and a hint: %s %s', async (format, text, message, hint) => {
    await expect(readText(format, text)).rejects.toMatchObject({ name: 'Problem', code: 'usage', message, hint });
  });

  it('is named among several', async () => {
    const sources = [{ name: 'good.json', text: '[]' }, { name: 'bad.json', text: '{' }];
    await expect(readReports(sources, { format: 'eslint', allowEmpty: false })).rejects.toThrow('bad.json: line 1: invalid JSON');
  });

  it('cannot send control characters to a terminal', async () => {
    await expect(readText('checkstyle', '<\u009b31m/>')).rejects.toThrow(/^[^\u0080-\u009f]*$/);
    await expect(readText('rdjson', '{"diagnostics": "\u001b[31m\u009b"}')).rejects.toThrow(/^[^\p{Cc}]*$/u);
  });

  it.each(reportFormats)('is rejected if it is empty, unless --allow-empty is given: %s', async (format) => {
    await expect(readText(format, ' \n')).rejects.toMatchObject({ code: 'usage', message: 'report is empty' });
    expect(await readText(format, '', { allowEmpty: true })).toMatchObject({ findings: [], unread: [] });
  });
});

describe('several reports', () => {
  it('count a finding that two of them contain once', async () => {
    const report = reportFixture('eslint.json');
    const { findings } = await readReports([report, report], { format: 'eslint', allowEmpty: false });
    expect(findings).toHaveLength(3);
  });

  it('name each tool once, in the order of the reports', async () => {
    const of = (...tools: string[]) => ({
      name: 'report', text: JSON.stringify({ runs: tools.map((name) => ({ tool: { driver: { name } } })) }),
    });
    expect((await readReports([of('b', 'a'), of('a', 'c')], { format: 'sarif', allowEmpty: false })).tools).toEqual(['b', 'a', 'c']);
  });
});

it('a pattern needs --from lines', async () => {
  await expect(readText('sarif', '{}', { pattern: '(?P<path>a)' })).rejects.toThrow('--pattern cannot be used with --from sarif');
});
