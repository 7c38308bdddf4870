import { describe, expect, it } from 'vitest';
import { testApp } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

/** One file of a merge request, all of whose lines are new. */
interface Added { readonly path: string; readonly text: string }

const text = 'one\ntwo\nthree\n';

const addedIn = ({ path, text: added }: Added): string => {
  const lines = added.replace(/\n$/, '').split('\n');
  const name = /[\n"\\]/.test(path) ? (side: string) => JSON.stringify(`${side}/${path}`) : (side: string) => `${side}/${path}`;
  return `diff --git ${name('a')} ${name('b')}\nnew file mode 100644\n--- /dev/null\n+++ ${name('b')}\n`
    + `@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
};

/** A gate for errors, on a merge request that adds these files; the work tree has others too. */
const gate = async (
  format: string, report: string, added: readonly Added[], others: Readonly<Record<string, string>> = {}, ...flags: readonly string[]
) => {
  const diff = added.map(addedIn).join('');
  const projects = acme.projects!.map((project) => project.id !== 20 ? project : {
    ...project, merge_requests: project.merge_requests!.map((one) => one.iid === 1 ? { ...one, diff, discussions: [] } : one) });
  const service = await testService({ world: { ...acme, projects } });
  const tree = { ...Object.fromEntries(added.map((one) => [one.path, one.text])), ...others };
  const files = Object.fromEntries(Object.entries(tree).map(([path, content]) => [`/app/${path}`, content]));
  const { run } = await testApp({ service, workTree: '/app', files: { report, ...files } });
  return run('notes', 'post', 'mr/1', '--from', format, '--key', 'lint', '--fail-level', 'error', ...flags, 'report');
};

const issue = (path: string, line: number) =>
  ({ description: 'SQL injection', check_name: 'sql', severity: 'major', location: { path, lines: { begin: line } } });
const codequality = (...issues: readonly object[]) => JSON.stringify(issues);
const sarif = (uri: string, line: number) => JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results: [{
  ruleId: 'sql', level: 'error', message: { text: 'SQL injection' },
  locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: line } } }] }] }] });

describe('a gate is red though the merge request adds', () => {
  it('a file whose path ends like that of the finding, so that the report fits two files', async () => {
    await everyRow(['src/a.js', '/builds/ci/web/src/a.js', 'a.js'], (path) => path, async (path) => {
      const report = codequality(issue(path, 2), { ...issue('other.js', 1), severity: 'minor' });
      const ran = await gate('codequality', report, [{ path: 'web/src/a.js', text }], { 'decoy/web/src/a.js': text, 'other.js': text });
      expect([ran.code, ran.err]).toEqual([8, expect.stringContaining('cannot tell where 1 reported file is')]);
    });
  });

  it('a file whose name looks like the path of another one', async () => {
    const beside = { ...issue('a.js', 1), severity: 'minor' };
    const rows: readonly (readonly [path: string, format: string, report: string])[] = [
      ['src\\a.js', 'codequality', codequality(issue('src\\a.js', 2), beside)],
      ['src\\a.js', 'codequality', codequality(issue('/app/src\\a.js', 2), beside)],
      ['C:/a.js', 'codequality', codequality(issue('/app/C:/a.js', 2), beside)],
      ['C:/a.js', 'codequality', codequality(issue('C:/a.js', 2), beside)],
      ['file:a.js', 'codequality', codequality(issue('file:a.js', 2), beside)],
      ['%61.js', 'sarif', sarif('%61.js', 2)],
      ['%61.js', 'sarif', sarif('file:///app/%61.js', 2)],
    ];
    await everyRow(rows, ([path, , report]) => `${path} in ${report}`, async ([path, format, report]) => {
      const ran = await gate(format, report, [{ path, text }], { 'a.js': text, 'src/a.js': text });
      expect([ran.code, ran.err]).toEqual([8, expect.stringContaining('created 1')]);
    });
  });

  it('ends of lines that a tool counts and git does not', async () => {
    const ends = { '\\r': '\r', 'line separator': '\u2028', 'paragraph separator': '\u2029', 'next line': '\u0085', '\\f': '\f', '\\v': '\v' };
    await everyRow(Object.entries(ends), ([name]) => name, async ([, end]) => {
      for (const [added, line] of [[`// a${end}b\none\nevil\n`, 4], [`a${end}b${end}evil`, 3], [`${`a${end}`.repeat(99)}a\nevil\n`, 101]] as const) {
        const ran = await gate('codequality', codequality(issue('a.js', line)), [{ path: 'a.js', text: added }]);
        expect([ran.code, ran.err]).toEqual([8, expect.stringContaining('1 finding counts')]);
      }
      const plain = await gate('codequality', codequality(issue('a.js', 2)), [{ path: 'a.js', text: `one\ntwo\n// a${end}b\n` }]);
      expect([plain.code, plain.err.includes('counts')]).toEqual([8, false]);
    });
    const ofWindows = await gate('codequality', codequality(issue('a.js', 3)), [{ path: 'a.js', text: 'one\r\ntwo\r\nthree\r\n' }]);
    expect([ofWindows.code, ofWindows.err.includes('counts')]).toEqual([8, false]);
  });

  it('a file with a finding on no line, after its end, or of another state of it', async () => {
    const whole = (path: string) => `<checkstyle><file name="${path}"><error severity="error" message="no"/></file></checkstyle>`;
    const other = { 'other.js': text };
    const said = (line: number, end: string) => `a.js has 3 lines, but the report names line ${line}: was it written for another commit? ${end}`;
    await everyRow<readonly [string, string, string, number, string]>([
      ['no line', 'checkstyle', whole('a.js'), 8, 'created 1'], ['no line of another file', 'checkstyle', whole('other.js'), 0, 'skipped 1'],
      ['after the end', 'codequality', codequality(issue('a.js', 4)), 8, said(4, '1 finding counts, and gets a thread without a line\n')],
      ['further down', 'codequality', codequality(issue('a.js', 99)), 8, said(99, '1 finding counts, and gets a thread without a line\n')],
      ['two further down', 'codequality', codequality(issue('a.js', 98), issue('a.js', 99)), 8, said(98, '2 findings count, and get')],
      ['further down in another file', 'codequality', codequality(issue('other.js', 99)), 0, 'skipped 1'],
    ], ([name]) => name, async ([, format, report, code, message]) => {
      const ran = await gate(format, report, [{ path: 'a.js', text }], other);
      expect([ran.code, ran.err]).toEqual([code, expect.stringContaining(message)]);
    });
  });

  it('a file whose name looks like no path in the lines of a report', async () => {
    const names = ['messages.de', 'deploy', 'gradlew', 'LICENSE-MIT', 'Dockerfile.dev', '.env.local', 'ls.1', 'run.7', 'v2.0', 'na\u00efve', 'файл',
      'a b', 'docs/a b', 'доки/файл'];
    await everyRow(names, (name) => name, async (path) => {
      const report = `${path}:2: error: no\nother.js:1: warning: no\n`;
      const ran = await gate('lines', report, [{ path, text }], { 'other.js': text });
      expect([2, 8], ran.err).toContain(ran.code);
      expect((await gate('lines', report, [{ path: 'new.js', text }], { 'other.js': text })).code, path).toBe(0);
    });
    const report = 'deploy:2: error: no\nother.js:1: warning: no\n';
    const inFolder = await gate('lines', report, [{ path: 'web/deploy', text }], { 'web/other.js': text }, '--prefix', 'web');
    expect(inFolder).toMatchObject({ code: 2, err: expect.stringContaining('the report may be about "web/deploy"') as string });
  });

  it('a file whose name the lines of a report cannot hold', async () => {
    const names = ['a:b.js', 'b.js:1: note: a.js', 'b.js(1) - a.js', 'a.js\nb.js', 'a\n/b.js', ' a.js', 'error a.js', '[note] a.js', '3>a.js'];
    const reports = (name: string): Readonly<Record<string, string>> => ({
      lines: `${name}:2:1: error: SQL injection [sql]\n`, gcc: `${name}:2:1: error: SQL injection [-Wsql]\n`,
      flake8: `${name}:2:1: E501 SQL injection\n`, tsc: `${name}(2,1): error TS1234: SQL injection\n`,
    });
    const rows = names.flatMap((name) => Object.entries(reports(name)).map(([format, line]) => [name, format, line] as const));
    await everyRow(rows, ([name, format]) => `${JSON.stringify(name)} with ${format}`, async ([path, format, line]) => {
      const beside = reports('b.js')[format]!.replace('error', 'warning').replace('E501', 'W501');
      const ran = await gate(format, `${line}${beside}`, [{ path, text }], { 'a.js': text, 'b.js': text });
      expect([2, 8], ran.err).toContain(ran.code);
    });
  });

  it('a file whose name looks like what programs print above or below a report', async () => {
    const rows: readonly (readonly [format: string, name: string])[] = [
      ...['npm warn.js', 'npm notice/a.js', '$ a.js', 'x y$ a.js', '> a.js', 'npm error a.js'].map((name) => ['flake8', name] as const),
      ['tsc', '1 a.js'], ['cppcheck', 'Checking a.js'],
    ];
    await everyRow(rows, ([format, name]) => `${name} with ${format}`, async ([format, path]) => {
      const lineIn = (name: string, level: string) => format === 'flake8' ? `${name}:2:1: ${level}501 no\n`
        : format === 'tsc' ? `${name}(2,1): error TS1234: no\n` : `${name}:2:1: error: no [x]\n`;
      const ran = await gate(format, `${lineIn(path, 'E')}${lineIn('b.js', 'W')}`, [{ path, text }], { 'b.js': text });
      expect([ran.code, ran.err]).toEqual([8, expect.stringContaining('created 1')]);
    });
    const nowhere = await gate('cppcheck', 'nofile:0:0: information: Too many #ifdef [x]\nb.js:2:1: style: no [y]\n', [{ path: 'b.js', text }]);
    expect([nowhere.code, nowhere.err]).toEqual([0, 'mr/1: created 1\n']);
  });

  it('reads lines about other files as ever', async () => {
    const added = ['Note taking.md', 'a (1).js', 'app/(shop)/[id].js', 'error.js', 'b.js'].map((path) => ({ path, text }));
    const report = added.map(({ path }) => `${path}:2:1: warning: no [x]\n`).join('');
    const ran = await gate('gcc', report, [...added, { path: 'docs/a:b.md', text }]);
    expect([ran.code, ran.err]).toEqual([0, 'mr/1: created 5\n']);
  });
});
