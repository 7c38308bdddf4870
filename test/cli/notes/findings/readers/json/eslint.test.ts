import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';
import { readEslint } from '../../../../../../src/cli/notes/findings/readers/json.js';
import { toolHint } from '../../../../../../src/cli/notes/findings/tools.js';
import { briefs, eslintFindings, readFixture, readText } from '../../../../../support/reports.js';

const source = 'one\ntwo\nthree\n';

/** The suggestion of a message with a fix. */
const suggestionOf = (fix: object, from: unknown = source) => readEslint(JSON.stringify([
  { filePath: 'a.js', source: from, messages: [{ message: 'no', fix }] },
])).findings[0]!.suggestion;

describe('the JSON of ESLint', () => {
  it('is read as ESLint writes it', async () => {
    expect(await briefs('eslint', 'eslint.json')).toEqual(eslintFindings('/builds/acme/app/src/send.js'));
    expect((await readFixture('eslint', 'eslint.json')).findings[0]).toMatchObject({
      message: 'Unexpected var, use let or const instead.', tool: 'eslint',
      suggestion: { from: 2, to: 2, text: '  let queue = [];\n' },
    });
  });

  it('has errors for severity 2 and for messages about files that ESLint cannot parse, else warnings', () => {
    const levels = [{ severity: 2 }, { severity: 1 }, { fatal: true, severity: 1 }, {}].map((parts) =>
      readEslint(JSON.stringify([{ filePath: 'a.js', messages: [{ message: 'no', ruleId: null, ...parts }] }])).findings[0]!.level);
    expect(levels).toEqual(['error', 'warning', 'error', 'warning']);
  });

  it('has messages without a text, which are named after their rule', () => {
    const texts = [{ message: null, ruleId: 'no-var' }, { ruleId: 'no-var' }, { message: null, ruleId: null }, { message: null }].map((parts) =>
      readEslint(JSON.stringify([{ filePath: 'a.js', messages: [parts] }])).findings[0]!.message);
    expect(texts).toEqual(['no-var', 'no-var', 'no message', 'no message']);
  });

  it('names eslint even if no file has a message', () => {
    for (const report of ['[{"filePath": "a.js", "messages": []}]', '{"results": [{"filePath": "a.js", "messages": []}], "metadata": {}}']) {
      expect(readEslint(report)).toEqual({ tools: ['eslint'], findings: [] });
    }
  });

  it('has the page of a rule if it was written with metadata', () => {
    const urlIn = (metadata: unknown, ruleId: string | null = 'no-var') => readEslint(JSON.stringify({
      results: [{ filePath: 'a.js', messages: [{ message: 'no', ruleId }] }], metadata })).findings[0]!.ruleUrl;
    const rulesMeta = { 'no-var': { docs: { url: 'https://lint.example.com/no-var' } } };
    expect([urlIn({ rulesMeta }), urlIn({ rulesMeta }, 'other'), urlIn({ rulesMeta }, null), urlIn({}), urlIn({ rulesMeta: { 'no-var': null } })])
      .toEqual(['https://lint.example.com/no-var', undefined, undefined, undefined, undefined]);
  });

  it('has the pages of rules in the form that we recommend, which is recognized without --from too', async () => {
    const eslint = new ESLint({ overrideConfigFile: true, overrideConfig: [{ rules: { 'no-var': 'error' } }] });
    const { format } = await eslint.loadFormatter(/(?<=--format )\S+/.exec(toolHint('eslint')!)![0]);
    const reportOf = async (code: string) => format(await eslint.lintText(code, { filePath: 'a.js' }), {});
    const report = await reportOf('var a = 1;\n');
    expect(readEslint(report).findings).toMatchObject([{ line: 1, rule: 'no-var', ruleUrl: 'https://eslint.org/docs/latest/rules/no-var' }]);
    expect(readEslint(await reportOf('let a = 1;\n'))).toEqual({ tools: ['eslint'], findings: [] });
    await expect(readText('lines', report)).rejects.toMatchObject({ hint: "pass --from eslint: the report is ESLint's JSON" });
  });

  it('has the last line of a message that spans several', () => {
    const lastLines = [{ line: 2, endLine: 4 }, { line: 2, endLine: 2 }, { endLine: 4 }, { line: 2, endLine: 4, endColumn: 1 }].map((parts) =>
      readEslint(JSON.stringify([{ filePath: 'a.js', messages: [{ message: 'no', ...parts }] }])).findings[0]!.endLine);
    expect(lastLines).toEqual([4, null, null, 3]);
  });
});

describe('the fix of a message', () => {
  it('is a suggestion for the whole lines that it touches', () => {
    expect(suggestionOf({ range: [0, 1], text: 'O' })).toEqual({ from: 1, to: 1, text: 'One\n' });
    expect(suggestionOf({ range: [5, 9], text: '' })).toEqual({ from: 2, to: 3, text: 'three\n' });
    expect(suggestionOf({ range: [8, 13], text: '3' })).toEqual({ from: 3, to: 3, text: '3\n' });
  });

  it('that joins two lines replaces both', () => {
    expect(suggestionOf({ range: [3, 4], text: ', ' })).toEqual({ from: 1, to: 2, text: 'one, two\n' });
  });

  it('can insert text at the end of a source without a last line break', () => {
    expect(suggestionOf({ range: [7, 7], text: '\nthree' }, 'one\ntwo')).toEqual({ from: 2, to: 2, text: 'two\nthree' });
  });

  it('keeps an empty line apart from none, also at the end of the source', () => {
    expect(suggestionOf({ range: [3, 3], text: '\n' }), 'inserted').toEqual({ from: 1, to: 1, text: 'one\n\n' });
    expect(suggestionOf({ range: [4, 7], text: '' }), 'left').toEqual({ from: 2, to: 2, text: '\n' });
    expect(suggestionOf({ range: [8, 14], text: '' }), 'deleted').toEqual({ from: 3, to: 3, text: '' });
    expect(suggestionOf({ range: [4, 7], text: '' }, 'one\ntwo'), 'deleted without a last line break').toEqual({ from: 2, to: 2, text: '' });
    expect(suggestionOf({ range: [14, 14], text: 'four\n' }), 'added').toEqual({ from: 3, to: 3, text: 'three\nfour\n' });
  });

  it('counts no byte order mark, which stays', async () => {
    const eslint = new ESLint({ overrideConfigFile: true,
      overrideConfig: [{ rules: { 'no-extra-boolean-cast': 'error', 'no-var': 'error', 'unicode-bom': 'error' } }] });
    const results = await eslint.lintText('\uFEFFvar one = 1;\nif (!!one) { one++; }\n', { filePath: 'a.js' });
    expect(readEslint(JSON.stringify(results)).findings.map(({ suggestion }) => suggestion)).toEqual([
      undefined, { from: 1, to: 1, text: '\uFEFFlet one = 1;\n' }, { from: 2, to: 2, text: 'if (one) { one++; }\n' }]);
  });

  it.each([
    ['without the source', { range: [0, 1], text: 'x' }, null],
    ['without a text', { range: [0, 1] }, source],
    ['with a range of one number', { range: [0], text: 'x' }, source],
    ['with a range of texts', { range: ['0', '1'], text: 'x' }, source],
    ['of lines of more than 10,000 characters', { range: [0, 1], text: 'x' }, 'a'.repeat(10_001)],
  ])('is left out %s', (_, fix, from) => {
    expect(suggestionOf(fix, from)).toBeUndefined();
  });
});

it.each([
  ['{}', 'expected a list, got an object', null], ['{"results": {}}', 'expected a list, got an object', 'results'],
  ['[{"filePath": "a.js", "messages": [{"message": 5}]}]', 'expected a text, got the number 5', '[0].messages[0].message'],
  ['[{"messages": []}]', 'expected a text, got nothing', '[0].filePath'],
])('another document is rejected with its place: %s', (report, message, place) => {
  expect(() => readEslint(report)).toThrow(expect.objectContaining({ name: 'ReportError', message, place }) as Error);
});
