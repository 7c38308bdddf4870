import { describe, expect, it } from 'vitest';
import { readSarif } from '../../../../../src/cli/notes/findings/readers/sarif.js';
import { briefs, eslintFindings, readFixture, readText } from '../../../../support/reports.js';
import { everyRow } from '../../../../support/rows.js';

const failedInvocation = { executionSuccessful: false, toolExecutionNotifications: [{ message: { text: 'out of memory' } }] };

const sarifRun = (parts: object) => JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, ...parts }] });
const location = (artifactLocation: object, region?: object) => [{ physicalLocation: { artifactLocation, region } }];

describe('SARIF', () => {
  it('is read as ESLint writes it', async () => {
    expect(await briefs('sarif', 'eslint.sarif')).toEqual(eslintFindings('file:///builds/acme/app/src/send.js'));
    expect((await readFixture('sarif', 'eslint.sarif')).tools).toEqual(['ESLint']);
  });

  it('resolves uriBaseId, even in several steps, and decodes the path', async () => {
    const { findings } = await readText('sarif', sarifRun({
      originalUriBaseIds: { TOP: { uri: 'file:///builds/acme/app/' }, SRC: { uri: 'src', uriBaseId: 'TOP' }, UNKNOWN: {} },
      results: [
        { message: { text: 'a' }, locations: location({ uri: 'a.c', uriBaseId: 'SRC' }) },
        { message: { text: 'b' }, locations: location({ uri: 'my%20file.c', uriBaseId: 'UNKNOWN' }) },
      ],
    }));
    expect(findings.map(({ file }) => file)).toEqual(['file:///builds/acme/app/src/a.c', 'my file.c']);
  });

  it('knows the path of an absolute address below a base', () => {
    const originalUriBaseIds = { TOP: { uri: 'file:///work' }, SRC: { uri: 'src/', uriBaseId: 'TOP' } };
    const found = resultsOf({ originalUriBaseIds }, ...['file:///work/src/my%20a.c', 'file:///work/b.c', 'file:///workshop/c.c', 'd.c'].map((uri) =>
      ({ message: { text: 'm' }, locations: location({ uri }) })));
    expect(found.map(({ fileInBase }) => fileInBase)).toEqual(['my a.c', 'b.c', undefined, undefined]);
  });

  it('takes the level and the message from the rule', async () => {
    const { findings } = await readText('sarif', sarifRun({
      tool: { driver: { name: 'lint', rules: [{
        id: 'R1', defaultConfiguration: { level: 'error' }, messageStrings: { long: { text: 'line of {0}, at most {1}' } },
      }] } },
      results: [{ ruleIndex: 0, message: { id: 'long', arguments: ['120', '100'] } }],
    }));
    expect(findings).toMatchObject([{ rule: 'R1', level: 'error', message: 'line of 120, at most 100', file: '' }]);
  });

  it('takes the page of the rule', () => {
    const rules = [{ id: 'R1', helpUri: 'https://lint.example.com/R1' }, { id: 'R2', helpUri: 5 }];
    const found = resultsOf({ tool: { driver: { name: 'lint', rules } } }, ...['R1', 'R1/part', 'R2', 'R3'].map((ruleId) =>
      ({ ruleId, message: { text: 'm' } })));
    expect(found.map(({ ruleUrl }) => ruleUrl)).toEqual(['https://lint.example.com/R1', 'https://lint.example.com/R1', undefined, undefined]);
  });

  it('leaves out suppressed, passed and absent results', async () => {
    const { findings } = await readText('sarif', sarifRun({ results: [
      { message: { text: 'suppressed' }, suppressions: [{ kind: 'inSource' }] },
      { message: { text: 'passed' }, kind: 'pass' },
      { message: { text: 'absent' }, baselineState: 'absent' },
      { message: { text: 'rejected suppression' }, suppressions: [{ kind: 'external', status: 'rejected' }] },
    ] }));
    expect(findings.map(({ message }) => message)).toEqual(['rejected suppression']);
  });

  it('takes a fix of whole lines, or of a part of one, as a suggestion', async () => {
    const fix = (deletedRegion: object, text: string) => [{ artifactChanges: [{
      artifactLocation: { uri: 'a.c' }, replacements: [{ deletedRegion, insertedContent: { text } }],
    }] }];
    const result = (fixes: object) => ({ message: { text: 'm' }, locations: location({ uri: 'a.c' }, { startLine: 3 }), fixes });
    const { findings } = await readText('sarif', sarifRun({ results: [
      result(fix({ startLine: 3, startColumn: 1, endLine: 5, endColumn: 1 }, 'x\ny\n')),
      result(fix({ startLine: 3, startColumn: 4, endLine: 3, endColumn: 6 }, 'x')),
    ] }));
    expect(findings.map(({ suggestion }) => suggestion)).toEqual([{ from: 3, to: 4, text: 'x\ny\n' }, { from: 3, to: 3, text: 'x', columns: [4, 6] }]);
  });

  it('reads a report without findings', async () => {
    expect(await readText('sarif', sarifRun({ results: [] }))).toEqual({ tools: ['lint'], findings: [], unread: [] });
  });

  const warningOf = (name: string, id: string) => readSarif(sarifRun({ tool: { driver: { name } }, results: [], invocations: [{
    executionSuccessful: true,
    toolExecutionNotifications: [{ descriptor: { id }, level: 'warning', message: { text: `${id} at line src/a.php:2` } }],
  }] })).failures;

  it('is of a failed run if Semgrep warns that it did not scan a whole file', () => everyRow(
    ['Syntax error', 'Other syntax error', 'Lexical error', 'PartialParsing', 'Timeout', 'Fixpoint timeout', 'Out of memory', 'Stack overflow',
      'Too many matches', 'Internal matching error'], String, (id) => {
      for (const name of ['semgrep', 'Semgrep OSS', 'Semgrep PRO']) {
        expect(warningOf(name, id), name).toEqual([
          { place: 'runs[0].invocations[0].toolExecutionNotifications[0]', message: `${id} at line src/a.php:2` }]);
      }
    }));

  it.each([['Semgrep OSS', 'Incompatible rule'], ['lint', 'Syntax error']])('is of a whole run with other warnings: %s, %s', (name, id) => {
    expect(warningOf(name, id)).toBeUndefined();
  });

  const resultsOf = (run: object, ...results: object[]) => readSarif(sarifRun({ ...run, results })).findings;

  it('finds the rule of a result by its index or its id, even in an extension of the tool', () => {
    const rule = (id: string, level: string) => ({ id, defaultConfiguration: { level } });
    const tool = { driver: { name: 'lint', rules: [rule('A', 'error'), rule('B', 'note')] }, extensions: [{ rules: [rule('E', 'error')] }] };
    const message = { text: 'm' };
    expect(resultsOf({ tool }, { message, ruleId: 'B' }, { message, rule: { index: 0 } },
      { message, rule: { id: 'E/1', index: 0, toolComponent: { index: 0 } } }, { message, ruleId: 'unknown' }, { message, ruleIndex: 9 })
      .map(({ rule: id, level }) => `${id} ${level}`)).toEqual(['B note', 'A error', 'E/1 error', 'unknown warning', 'null warning']);
  });

  it('finds the rule by its id where its index is that of another rule or of none', () => {
    const rule = (id: string, level: string) => ({ id, defaultConfiguration: { level } });
    const tool = { driver: { name: 'lint', rules: [rule('A', 'note'), rule('B', 'error'), rule('B', 'warning'), {}] } };
    const rows: readonly [result: object, level: string][] = [
      [{ ruleId: 'B', ruleIndex: 7 }, 'error'], [{ ruleId: 'B', ruleIndex: 0 }, 'error'], [{ ruleId: 'B/1', rule: { index: 0 } }, 'error'],
      [{ ruleId: 'B', ruleIndex: 2 }, 'warning'], [{ ruleId: 'B/1', ruleIndex: 2 }, 'warning'], [{ ruleId: 'C', ruleIndex: 1 }, 'error'],
      [{ ruleIndex: 0 }, 'note'],
    ];
    expect(resultsOf({ tool }, ...rows.map(([result]) => ({ ...result, message: { text: 'm' } }))).map(({ level }) => level))
      .toEqual(rows.map(([, level]) => level));
  });

  it('finds the rule by its id where its index is -1, and by its guid or the name of its extension', () => {
    const rule = (id: string, level: string, guid?: string) => ({ id, guid, defaultConfiguration: { level } });
    const tool = { driver: { name: 'lint', rules: [rule('A', 'note'), rule('B', 'error', 'b-guid')] },
      extensions: [{ name: 'other' }, { name: 'more', guid: 'm-guid', rules: [rule('E', 'error', 'e-guid')] }] };
    const rows: readonly [result: object, expected: string][] = [
      [{ ruleId: 'B', ruleIndex: -1 }, 'B error'], [{ rule: { id: 'B', index: -1 } }, 'B error'], [{ rule: { guid: 'b-guid' } }, 'B error'],
      [{ rule: { id: 'E', toolComponent: { name: 'more' } } }, 'E error'],
      [{ rule: { guid: 'e-guid', toolComponent: { guid: 'm-guid', index: -1 } } }, 'E error'],
      [{ rule: { id: 'E', index: 0, toolComponent: { index: 1 } } }, 'E error'], [{ ruleId: 'B', rule: { toolComponent: { name: 'lint' } } }, 'B error'],
      [{ ruleId: 'A', rule: { toolComponent: { name: 'gone' } } }, 'A warning'],
    ];
    expect(resultsOf({ tool }, ...rows.map(([result]) => ({ ...result, message: { text: 'm' } }))).map(({ rule: id, level }) => `${id} ${level}`))
      .toEqual(rows.map(([, expected]) => expected));
  });

  it('reads the others where one result has no text of its own, or no file', () => {
    const tool = { driver: { name: 'lint', globalMessageStrings: { all: { text: 'of {0}' } },
      rules: [{ id: 'A', shortDescription: { text: 'short' } }, { id: 'B' }] } };
    expect(resultsOf({ tool }, { ruleId: 'A', message: { id: 'all', arguments: ['x'] } }, { ruleId: 'A', message: {} }, { ruleId: 'B' },
      { message: { text: 'm' }, locations: [{ physicalLocation: { region: { startLine: 3 } } }] },
      { message: { text: 'm' }, locations: location({ uri: 'a.c' }) }).map(({ file, line, message }) => `${file} ${line} ${message}`))
      .toEqual([' null of x', ' null short', ' null B', ' null m', 'a.c null m']);
  });

  it('reads a finding at each location of a result, the fix at the first', () => {
    const places = [{ uri: 'a.c' }, { uri: 'b.c' }].map((place, i) => location(place, { startLine: i + 3 })[0]);
    const fixes = [{ artifactChanges: [{ artifactLocation: { uri: 'a.c' }, replacements: [
      { deletedRegion: { startLine: 3 }, insertedContent: { text: 'x' } }] }] }];
    const read = resultsOf({}, { message: { text: 'm' }, locations: [{ logicalLocations: [{ name: 'f' }] }, ...places], fixes });
    expect(read.map(({ file, line, suggestion }) => [file, line, suggestion?.text])).toEqual([['a.c', 3, 'x\n'], ['b.c', 4, undefined]]);
  });

  it('takes the default level of a rule as it is, as CodeQL writes it beside a score', () => {
    const rule = (id: string, level: string, score: string) =>
      ({ id, defaultConfiguration: { level }, properties: { 'security-severity': score } });
    const tool = { driver: { name: 'CodeQL', rules: [rule('A', 'warning', '9.8'), rule('B', 'error', '2.0'), rule('C', 'note', '5.1')] } };
    const results = [{ ruleId: 'A' }, { ruleId: 'B' }, { ruleId: 'C' }, { ruleId: 'A', level: 'warning' }];
    expect(resultsOf({ tool }, ...results.map((one) => ({ ...one, message: { text: 'm' } }))).map(({ level }) => level))
      .toEqual(['warning', 'error', 'note', 'warning']);
  });

  it('prefers the level of a result over the one of its rule', () => {
    const tool = { driver: { name: 'lint', rules: [{ id: 'A', defaultConfiguration: { level: 'error' } }] } };
    expect(resultsOf({ tool }, { message: { text: 'm' }, ruleId: 'A', level: 'none' })).toMatchObject([{ level: 'note' }]);
  });

  it('takes the level of the part of a rule from the rule, and from the settings of the run', () => {
    const rule = (id: string, level: string) => ({ id, defaultConfiguration: { level } });
    const tool = { driver: { name: 'lint', rules: [rule('CA1', 'error'), rule('OFF', 'note')] } };
    const invocations = [{ executionSuccessful: true, ruleConfigurationOverrides: [
      { descriptor: { id: 'OFF' }, configuration: { level: 'error' } }, { descriptor: { index: 0 }, configuration: { level: 'note' } }] }];
    const message = { text: 'm' };
    const provenance = { invocationIndex: 0 };
    expect(resultsOf({ tool, invocations }, { message, ruleId: 'CA1/2/x' }, { message, ruleId: 'OFF' }, { message, ruleId: 'OFF', provenance },
      { message, ruleIndex: 0, provenance }, { message, ruleId: 'OFF', level: 'warning', provenance }).map(({ level }) => level))
      .toEqual(['error', 'note', 'error', 'note', 'warning']);
  });

  it('has no failure in a result to review, to read or to decide, whatever its rule says', () => {
    const tool = { driver: { name: 'lint', rules: [{ id: 'A', defaultConfiguration: { level: 'error' } }] } };
    expect(resultsOf({ tool }, ...['review', 'informational', 'open', 'fail'].map((kind) => ({ message: { text: 'm' }, ruleId: 'A', kind })),
      { message: { text: 'm' }, kind: 'review', level: 'error' }).map(({ level }) => level)).toEqual(['note', 'note', 'note', 'error', 'error']);
  });

  it('keeps an absolute address that names a base', () => {
    const originalUriBaseIds = { TOP: { uri: 'file:///builds/acme/' } };
    const files = ['file:///builds/acme/src/a.c', '/tmp/x/a.c', 'C:/x/a.c'].map((uri) => ({ message: { text: 'm' }, locations: location({ uri, uriBaseId: 'TOP' }) }));
    expect(resultsOf({ originalUriBaseIds }, ...files).map(({ file, fileInBase }) => [file, fileInBase]))
      .toEqual([['file:///builds/acme/src/a.c', 'src/a.c'], ['/tmp/x/a.c', undefined], ['C:/x/a.c', undefined]]);
  });

  it('shows the text of a reference to another location, and Markdown where there is no text', () => {
    expect(resultsOf({}, { message: { text: 'see [here](1), [x](https://a.example) and a[0](b)' } }, { message: { markdown: 'only **this**' } }).map(({ message }) => message))
      .toEqual(['see here, [x](https://a.example) and a[0](b)', 'only **this**']);
  });

  it.each(['1.0.0', '2.0.0-csd.2.beta.2018-10-10'])('of an earlier version is named: %s', (version) => {
    expect(() => readSarif(JSON.stringify({ version, runs: [{ tool: { name: 'x' } }] }))).toThrow(`SARIF ${version} is not supported`);
  });

  it('has results of unknown kinds', () => {
    expect(resultsOf({}, { message: { text: 'm' }, kind: 'Fail' }, { message: { text: 'm' }, kind: 'notApplicable' })).toHaveLength(1);
  });

  it('leaves values in a template in their order, and those that are missing as they are', () => {
    expect(resultsOf({}, { message: { text: 'a {1} b {0} {2} {x}', arguments: ['one', 'two'] } }))
      .toMatchObject([{ message: 'a two b one {2} {x}' }]);
  });

  it('has places that are offsets, of which no line is read', () => {
    const regions = [{ charOffset: 72, charLength: 3 }, { byteOffset: 0 }, { charOffset: -1 }, { startLine: 2, charOffset: 72 }, {}];
    const found = regions.flatMap((region) => resultsOf({}, { message: { text: 'm' }, locations: location({ uri: 'a.c' }, region) }));
    expect(found.map(({ line, isAnyLine = false }) => [line, isAnyLine])).toEqual([[null, true], [null, true], [null, false], [2, false], [null, false]]);
  });

  it('finds a file in the list of files of the run', () => {
    const artifacts = [{ location: { uri: 'a.c' } }];
    expect(resultsOf({ artifacts }, { message: { text: 'm' }, locations: location({ index: 0 }, { startLine: 5, startColumn: 2, endLine: 6 }) }))
      .toMatchObject([{ file: 'a.c', line: 5, column: 2, endLine: 6 }]);
    const last = (region: object) => resultsOf({}, { message: { text: 'm' }, locations: location({ uri: 'a.c' }, region) })[0]!.endLine;
    expect([last({ startLine: 5, endLine: 7, endColumn: 1 }), last({ startLine: 5, endLine: 6, endColumn: 1 })]).toEqual([6, null]);
    const based = { originalUriBaseIds: { API: { uri: 'api/' } }, artifacts: [{ location: { uri: 'a.c', uriBaseId: 'API', index: 0 } }] };
    expect(resultsOf(based, ...[{ index: 0 }, { index: 0, uri: 'b.c' }].map((one) => ({ message: { text: 'm' }, locations: location(one) })))
      .map(({ file }) => file)).toEqual(['api/a.c', 'b.c']);
    expect(() => resultsOf({ artifacts }, { message: { text: 'm' }, locations: location({ index: 1 }) })).toThrow(
      expect.objectContaining({ place: 'runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri' }) as Error);
  });

  it('ends for a base that is relative to itself, and leaves a path that cannot be decoded', () => {
    const originalUriBaseIds = { SRC: { uri: 'x', uriBaseId: 'SRC' } };
    const [looped, encoded] = resultsOf({ originalUriBaseIds },
      { message: { text: 'm' }, locations: location({ uri: 'a.c', uriBaseId: 'SRC' }) },
      { message: { text: 'm' }, locations: location({ uri: '100%.c' }) });
    expect(looped!.file).toMatch(/^(x\/)+a\.c$/);
    expect(encoded!.file).toBe('100%.c');
  });

  it('has no suggestion for a fix of another file, of several files, of a finding without a line, or without a text', () => {
    const change = (uri: string, insertedContent: object | undefined = { text: 'x' }) =>
      ({ artifactLocation: { uri }, replacements: [{ deletedRegion: { startLine: 3 }, insertedContent }] });
    const suggestions = (changes: object[], region?: object) => resultsOf({}, {
      message: { text: 'm' }, locations: location({ uri: 'a.c' }, region), fixes: [{ artifactChanges: changes }],
    })[0]!.suggestion;
    expect(suggestions([change('a.c')], { startLine: 3 })).toEqual({ from: 3, to: 3, text: 'x\n' });
    expect(suggestions([change('b.c')], { startLine: 3 })).toBeUndefined();
    expect(suggestions([change('a.c'), change('b.c')], { startLine: 3 })).toBeUndefined();
    expect(suggestions([change('a.c')])).toBeUndefined();
    expect(suggestions([change('a.c', { binary: 'eHl6' })], { startLine: 3 })).toBeUndefined();
    const deletion = { artifactLocation: { uri: 'a.c' }, replacements: [{ deletedRegion: { startLine: 3 } }] };
    expect(suggestions([deletion], { startLine: 3 }), 'a deletion').toEqual({ from: 3, to: 3, text: '' });
  });

  it.each([
    ['{"runs": [', 'report: line 1, column 11: invalid JSON'],
    ['[]', 'report: expected an object, got a list'],
    ['{"runs": []}', 'report: runs: expected at least one run, got an empty list'],
    ['{"runs": [{"tool": {}}]}', 'report: runs[0].tool.driver.name: expected a text, got nothing'],
    [sarifRun({ results: null }), 'report: runs[0].results: expected a list of results, got null'],
    [sarifRun({ results: [{ message: { text: 'x' }, locations: {} }] }), 'report: runs[0].results[0].locations: expected a list, got an object'],
    [sarifRun({ results: [{ message: { text: 'x' }, suppressions: [null] }] }), 'report: runs[0].results[0].suppressions[0]: expected an object, got null'],
    [sarifRun({ invocations: [{ executionSuccessful: true }, failedInvocation] }),
      'report: runs[0].invocations[1].executionSuccessful: expected true, got false: the tool failed: out of memory'],
    [sarifRun({ invocations: [{ executionSuccessful: true, exitSignalName: 'SIGKILL' }], results: [] }),
      'report: runs[0].invocations[0].executionSuccessful: the tool failed: SIGKILL'],
  ])('is rejected if it is another document or of a failed run: %s', async (source, message) => {
    await expect(readText('sarif', source)).rejects.toMatchObject({
      name: 'Problem', code: 'report', message: expect.stringContaining(message) as string });
  });
});
