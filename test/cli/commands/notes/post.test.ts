import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { digestOfText } from '../../../../src/wire/note-text.js';
import type { PostResult } from '../../../../src/cli/notes/findings/result.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService, type TestService } from '../../../support/service.js';
import { acme, refs } from '../../../support/worlds.js';

interface Message {
  readonly line: number;
  readonly file?: string;
  readonly message?: string;
  readonly level?: 'error' | 'warning' | 'note';
  readonly rule?: string;
}

const sarif = (...messages: Message[]) => JSON.stringify({
  version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results: messages.map(({ line, file = 'app.js', message = 'no', level, rule = 'r1' }) => ({
    ruleId: rule, level, message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri: file }, region: { startLine: line } } }],
  })) }],
});

/** The new files of the diff of mr/1. */
const sources = { '/app/app.js': `one\nzwei\nthree\nfour\n${'more\n'.repeat(99)}`, '/app/new.txt': 'first\ninserted\nlast\n' };

const post = async (service: TestService, report: string, words: readonly string[] = [], options: WorldOptions = {}) => {
  const { run } = await testApp({
    service, workTree: '/app', ...options, files: { ...sources, report, ...options.files } });
  const format = words.includes('--from') ? [] : ['--from', 'sarif'];
  const ran = await run('notes', 'post', 'mr/1', ...format, 'report', '--json', ...words);
  return { ...ran, result: (ran.out === '' ? null : JSON.parse(ran.out)) as PostResult };
};

const counts = (result: PostResult) =>
  Object.fromEntries(Object.entries(result).map(([name, list]: [string, number | readonly unknown[]]) => [name, typeof list === 'number' ? list : list.length])
    .filter(([, count]) => count !== 0));

const writes = (sent: readonly { method: string }[]) => sent.filter(({ method }) => method !== 'GET').length;

describe('notes post', () => {
  it('starts a thread on an added line, and keeps it in the next run', async () => {
    const service = await testService();
    const first = await post(service, sarif({ line: 2, level: 'error' }));
    expect(first).toMatchObject({ code: 0, err: 'mr/1: created 1\n' });
    expect(first.result.created).toMatchObject([{
      key: 'lint', file: 'app.js', line: 2, level: 'error', rule: 'r1', message: 'no',
      discussion_id: expect.stringMatching(/^[0-9a-f]{40}$/) as string, note_id: expect.any(Number) as number,
    }]);
    const { body } = await service.get<{ notes: { body: string; type: string; position: object }[] }>(
      `/projects/20/merge_requests/1/discussions/${first.result.created[0]!.discussion_id}`);
    expect(body.notes[0]).toMatchObject({ type: 'DiffNote', position: { new_path: 'app.js', new_line: 2 } });
    expect(body.notes[0]!.body).toMatch(/^\*\*error\*\* · `r1` · lint\n\nno\n\n<!-- colloquy:key=lint fp=\S+ finding=\w{32} level=error hash=\w{16} -->$/);
    const second = await post(service, sarif({ line: 2, level: 'error' }));
    expect(counts(second.result)).toEqual({ kept: 1 });
    expect(writes(second.sent)).toBe(0);
  });

  it('suggests a change of a part of the line if the line is the same in the diff and where the tool ran', async () => {
    const fixes = [{ artifactChanges: [{ artifactLocation: { uri: 'app.js' }, replacements: [
      { deletedRegion: { startLine: 2, startColumn: 2, endColumn: 5 }, insertedContent: { text: 'oo' } }] }] }];
    const report = sarif({ line: 2 }).replace('"ruleId"', `"fixes":${JSON.stringify(fixes)},"ruleId"`);
    const textWith = async (source: string) => {
      const service = await testService();
      const { result } = await post(service, report, [], { files: { '/app/app.js': source } });
      const { body } = await service.get<Discussion>(`/projects/20/merge_requests/1/discussions/${result.created[0]!.discussion_id}`);
      return body.notes[0]!.body.split('\n<!--')[0];
    };
    expect(await textWith(sources['/app/app.js'])).toBe('**warning** · `r1` · lint\n\nno\n\n```suggestion:-0+0\nzoo\n```\n');
    expect(await textWith('one\n zwei\nthree\n')).toBe('**warning** · `r1` · lint\n\nno\n');
  });

  it('suggests a change of lines up to the end of the last one if the lines are the same in the diff and where the tool ran', async () => {
    const region = { start: { line: 2, column: 1 }, end: { line: 3, column: 6 } };
    const report = JSON.stringify({ source: { name: 'lint' }, diagnostics: [{ message: 'no', location: { path: 'app.js', range: region },
      suggestions: [{ range: region, text: 'two\nthird' }] }] });
    const textWith = async (source: string) => {
      const service = await testService();
      const { result } = await post(service, report, ['--from', 'rdjson'], { files: { '/app/app.js': source } });
      const { body } = await service.get<Discussion>(`/projects/20/merge_requests/1/discussions/${result.created[0]!.discussion_id}`);
      return body.notes[0]!.body.split('\n<!--')[0];
    };
    expect(await textWith(sources['/app/app.js'])).toBe('**warning** · lint\n\nno\n\n```suggestion:-0+1\ntwo\nthird\n```\n');
    for (const source of ['one\nzwei\n three\n', 'one\n zwei\nthree\n']) expect(await textWith(source)).toBe('**warning** · lint\n\nno\n');
  });

  it('links the rule of a new thread to its page, and sends nothing for a thread that has another address or none', async () => {
    const service = await testService();
    const withPage = (helpUri?: string) => sarif({ line: 2 }).replace('"name":"lint"', `"name":"lint","rules":${JSON.stringify([{ id: 'r1', helpUri }])}`);
    const titles = async () => (await service.get<Discussion[]>('/projects/20/merge_requests/1/discussions?per_page=100')).body
      .flatMap(({ notes }) => notes[0]!.body.split('\n')).filter((line) => line.includes('r1'));
    expect((await post(service, withPage())).result.created).toHaveLength(1);
    for (const page of ['https://lint.example.com/1/r1', 'https://lint.example.com/2/r1', undefined]) {
      const again = await post(service, withPage(page));
      expect([counts(again.result), writes(again.sent), await titles()]).toEqual([{ kept: 1 }, 0, ['**warning** · `r1` · lint']]);
    }
    const fingerprints = [(await post(await testService(), withPage('https://lint.example.com/r1'))).result.created, (await post(service, withPage())).result.kept]
      .map(([first]) => first!.fingerprint);
    expect(fingerprints[0]).toBe(fingerprints[1]);
    const fresh = await testService();
    const { created: [first] } = (await post(fresh, withPage('https://lint.example.com/r1'))).result;
    expect((await fresh.get(`/projects/20/merge_requests/1/discussions/${first!.discussion_id}`)).text).toContain('**warning** · [`r1`](https://lint.example.com/r1) · lint');
  });

  it('is not green outside of a work tree for a report whose files exist nowhere', async () => {
    const projects = acme.projects!.map((project) => project.id === 20 ? { ...project, files: { 'README.md': '' } } : project);
    const gate = async (...uris: readonly string[]) => {
      const service = await testService({ world: { ...acme, projects } });
      const { run } = await testApp({ service, files: { report: sarif(...uris.map((file) => ({ line: 2, file, level: 'error' as const }))) } });
      return run('notes', 'post', 'mr/1', '--from', 'sarif', 'report', '--fail-level', 'error');
    };
    const absolute = await gate('/elsewhere/src/app.js');
    expect([absolute.code, absolute.sent.length], 'absolute').toEqual([2, 0]);
    expect(absolute.err).toContain('the reported file /elsewhere/src/app.js does not exist in /');
    const relative = await gate('src/unknown.js');
    expect([relative.code, relative.err], 'relative').toEqual([2, expect.stringContaining('none of the reported files exists in mr/1: src/unknown.js\n')]);
    const many = await gate(...Array.from({ length: 12 }, (_, i) => `src/${i}.js`));
    expect([many.code, many.err], 'many').toEqual([2, expect.stringContaining('none of the first 10 reported files exists in mr/1: src/0.js')]);
    const unchanged = await gate('README.md');
    expect([unchanged.code, unchanged.err], 'unchanged').toEqual([0, expect.stringContaining('mr/1: skipped 1\n')]);
  });

  it('deletes the copy of a thread that a stopped run left, unless somebody answered, changed or resolved it', async () => {
    const service = await testService();
    const { created: [first] } = (await post(service, sarif({ line: 2 }))).result;
    const threads = '/projects/20/merge_requests/1/discussions';
    const listed = async () => (await service.get<Discussion[]>(`${threads}?per_page=100`)).body;
    const { body } = (await listed()).find(({ id }) => id === first!.discussion_id)!.notes[0]!;
    const copy = async (text = body) => (await service.post<Discussion>(threads, { json: { body: text } })).body.id;
    const [left, answered, changed, resolved] = [await copy(), await copy(), await copy(body.replace('no', 'mine')), await copy()];
    await service.post(`${threads}/${answered}/notes`, { as: 'guest', json: { body: 'Why?' } });
    await service.put(`${threads}/${resolved}`, { as: 'maintainer', json: { resolved: true } });
    expect((await post(service, sarif({ line: 2 }), ['--dry-run'])).err).toContain('1 change to make');
    expect((await post(service, sarif({ line: 2 }))).code).toBe(0);
    const ids = (await listed()).map(({ id }) => id);
    expect(ids).not.toContain(left);
    expect(ids).toEqual(expect.arrayContaining([first!.discussion_id, answered, changed, resolved]));
  });

  it('reports findings outside the added lines with the reason, and posts those that --filter allows', async () => {
    const report = sarif({ line: 1 }, { line: 2 }, { line: 99 }, { line: 1, file: 'other.js' }, { line: 1, file: '/etc/passwd' });
    const reasons = async (...words: string[]) => {
      const { result } = await post(await testService(), report, words);
      return [result.created.length, ...result.skipped.map(({ reason }) => reason)];
    };
    const outside = ['the file is outside of the repository', 'other.js is not in the diff of mr/1'];
    const [root, unchanged] = outside as [string, string];
    expect(await reasons()).toEqual([1, root, 'line 1 of app.js is not an added line', 'line 99 of app.js is not in the diff', unchanged]);
    expect(await reasons('--filter', 'diff')).toEqual([2, root, 'line 99 of app.js is not in the diff', unchanged]);
    expect(await reasons('--filter', 'file')).toEqual([3, root, unchanged]);
    expect(await reasons('--filter', 'all')).toEqual([5]);
  });

  it('names the place in the text of a thread that is not on the diff', async () => {
    const service = await testService();
    const { result } = await post(service, sarif({ line: 99, level: 'note' }), ['--filter', 'file']);
    const { text } = await service.get(`/projects/20/merge_requests/1/discussions/${result.created[0]!.discussion_id}`);
    expect(text).toContain('**note** · `r1` · lint · `app.js:99`');
  });

  it('posts all findings on a noteable without a diff, and rejects a filter there', async () => {
    const { run } = await testApp({ workTree: '/app', files: { ...sources, report: sarif({ line: 2 }) } });
    expect(JSON.parse((await run('notes', 'post', 'issue/1', '--from', 'sarif', 'report', '--json')).out)).toMatchObject({ created: [{ line: 2 }] });
    expect(await run('notes', 'post', 'issue/1', '--from', 'sarif', 'report', '--filter', 'diff')).toMatchObject({
      code: 2, err: 'colloquy: issue/1 has no diff\nuse --filter all, or choose a merge request or commit\n' });
  });

  it('posts on a commit', async () => {
    const { run } = await testApp({ workTree: '/app', files: { ...sources, report: sarif({ line: 2 }) } });
    const again = async () => counts(JSON.parse((await run('notes', 'post', `@${'e'.repeat(40)}`, '--from', 'sarif', 'report', '--json')).out) as PostResult);
    expect(await again()).toEqual({ created: 1 });
    expect(await again()).toEqual({ kept: 1 });
  });

  it('reads the report from standard input, and takes a word that is not a reference as a file', async () => {
    const env = { CI_MERGE_REQUEST_IID: '1' };
    const piped = await testApp({ workTree: '/app', env, files: sources, stdin: sarif({ line: 2 }) });
    expect((await piped.run('notes', 'post', '--from', 'sarif', '-q', '.created|length')).out).toBe('1\n');
    const file = await testApp({ workTree: '/app', env, files: { ...sources, 'report.sarif': sarif({ line: 2 }) } });
    expect((await file.run('notes', 'post', 'report.sarif', '--from', 'sarif', '-q', '.created|length')).out).toBe('1\n');
  });

  it('has a code of its own for a report that cannot be used, and exits with 2 as for a mistake in the command line', async () => {
    const files = { ...sources, report: sarif({ line: 2 }), empty: '', broken: '{', failed: JSON.stringify({
      version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results: [], invocations: [{ executionSuccessful: false }] }] }),
    crashed: JSON.stringify({ ...JSON.parse(sarif({ line: 2 })) as { runs: object[] }, runs: [
      { ...(JSON.parse(sarif({ line: 2 })) as { runs: object[] }).runs[0], invocations: [{ executionSuccessful: false }] }] }) };
    const rows = [['missing', 'report'], ['empty', 'report'], ['broken', 'report'], ['failed', 'report'], ['crashed', 'report'],
      ['12', 'usage'], ['report --nonsense', 'usage'], ['report --pattern x', 'usage']] as const;
    await everyRow(rows, ([words]) => words, async ([words, code]) => {
      const { run } = await testApp({ workTree: '/app', env: { CI_MERGE_REQUEST_IID: '1' }, files });
      const ran = await run('notes', 'post', '--from', 'sarif', '--json', ...words.split(' '));
      expect([ran.code, (JSON.parse(ran.err.trimEnd().split('\n').at(-1)!) as { error: { code: string } }).error.code]).toEqual([2, code]);
    });
  });

  it('names the key in a thread whose report names no tool, and keeps the threads of earlier versions, which do not', async () => {
    const service = await testService();
    const line = (text: string) => ({ workTree: '/app', service, files: { ...sources, report: `app.js:2: warning: ${text} [r1]` } });
    const lines = async (text: string) => (await testApp(line(text))).run(
      'notes', 'post', 'mr/1', '--from', 'lines', '--key', 'lint', 'report', '--json');
    const result = async (text: string) => JSON.parse((await lines(text)).out) as PostResult;
    const { created: [first] } = await result('no');
    const thread = `/projects/20/merge_requests/1/discussions/${first!.discussion_id}`;
    const body = async () => (await service.get<Discussion>(thread)).body.notes[0]!.body;
    expect(await body()).toMatch(/^\*\*warning\*\* · `r1` · lint\n\nno/);
    const [text] = (await body()).replace(' · lint', '').split('\n\n<!--');
    const hash = digestOfText(text!);
    await service.put(`${thread}/notes/${first!.note_id}`, { json: { body: (await body()).replace(' · lint', '').replace(/hash=\w+/, `hash=${hash}`) } });
    expect(counts(await result('no'))).toEqual({ kept: 1 });
    expect(counts(await result('no more'))).toEqual({ updated: 1 });
    expect(await body()).toMatch(/^\*\*warning\*\* · `r1` · lint\n\nno more/);
  });

  it('says that a number is a file, and how to name the merge request, unless there is such a file', async () => {
    const { run } = await testApp({ workTree: '/app', env: { CI_MERGE_REQUEST_IID: '1' }, files: { ...sources, 7: sarif({ line: 2 }) } });
    expect(await run('notes', 'post', '12', '--from', 'sarif')).toMatchObject({
      code: 2, err: 'colloquy: cannot read 12: no such file\nname merge request 12 as mr/12; a number alone is a report here\n' });
    expect((await run('notes', 'post', 'mr/1', '12', '--from', 'sarif')).err).toContain('check the path, and');
    expect((await run('notes', 'post', '7', '--from', 'sarif', '-q', '.created|length')).out).toBe('1\n');
  });

  it('says for a missing report what can have gone wrong, and sends nothing', async () => {
    const { run } = await testApp({ env: { CI_MERGE_REQUEST_IID: '1' }, files: { report: sarif({ line: 2 }) } });
    const before = (word: string) => `colloquy: cannot read ${word}: no such file\nname ${word} before the reports\n`;
    const wrote = 'check the path, and whether the tool failed before it wrote the file\n';
    await everyRow<[readonly string[], string]>([
      [['eslint.json'], `colloquy: cannot read eslint.json: no such file\n${wrote}`],
      [['mr/1', 'eslint.json'], `colloquy: cannot read eslint.json: no such file\n${wrote}`],
      [['report', 'eslint.json'], `colloquy: cannot read eslint.json: no such file\n${wrote}`],
      [['report', 'mr/1'], before('mr/1')],
      [['report', '!1'], before('!1')],
      [['report', 'https://gitlab.example.com/acme/app/-/merge_requests/1'], before('https://gitlab.example.com/acme/app/-/merge_requests/1')],
      [['mr/1', 'mr/2'], `colloquy: cannot read mr/2: no such file\n${wrote}`],
      [['--mr', '1', 'mr/2'], `colloquy: cannot read mr/2: no such file\n${wrote}`],
    ], ([words]) => words.join(' '), async ([words, err]) => {
      expect(await run('notes', 'post', '--from', 'sarif', ...words)).toMatchObject({ code: 2, err, sent: [] });
    });
  });

  it('names the format of the report if --from is missing, as far as it is recognized', async () => {
    const eslint = JSON.stringify([{ filePath: '/app/app.js', messages: [] }]);
    const { run } = await testApp({ stdin: '<testsuites></testsuites>', files: { 'eslint.json': eslint, 'a.sarif': sarif(), 'a.txt': 'app.js:1: no\n' } });
    const see = 'pass the format of the report: `colloquy help reports` has it for each tool';
    await everyRow<[readonly string[], string]>([
      [['eslint.json'], "pass --from eslint: the report is ESLint's JSON"], [['mr/1', 'a.sarif'], 'pass --from sarif: the report is SARIF'],
      [['mr/1', '-'], 'pass --from junit: the report is JUnit XML'], [['mr/1'], 'pass --from junit: the report is JUnit XML'],
      [['a.txt'], see], [['none.json'], see],
    ], ([words]) => words.join(' '), async ([words, hint]) => {
      const err = `colloquy: required option "--from <format>" not specified\n${hint}\n`;
      expect(await run('notes', 'post', ...words)).toMatchObject({ code: 2, err, sent: [] });
    });
  });

  it('makes one plan of several reports', async () => {
    const service = await testService();
    const { run } = await testApp({ service, workTree: '/app', files: { ...sources, a: sarif({ line: 2 }), b: sarif({ line: 2, file: 'new.txt' }) } });
    const both = async (...files: string[]) =>
      counts(JSON.parse((await run('notes', 'post', 'mr/1', '--from', 'sarif', ...files, '--json')).out) as PostResult);
    expect(await both('a', 'b')).toEqual({ created: 2 });
    expect(await both('a', 'b')).toEqual({ kept: 2 });
    expect(await both('b')).toEqual({ kept: 1, resolved: 1 });
  });

  it('says with --dry-run whether the run would fail because of --fail-level', async () => {
    const report = sarif({ line: 2, level: 'warning' });
    for (const [level, said] of [['error', '"1 change to make"'],
      ['warning', '"1 change to make, and the run would fail: 1 finding is of level warning or more severe: 1 warning"']]) {
      const { code, err } = await post(await testService(), report, ['--dry-run', '--fail-level', level!]);
      expect([code, err]).toEqual([8, expect.stringContaining(said!)]);
    }
  });

  it('says how many findings fail the run, of which levels, and where they are, the most severe first', async () => {
    const report = sarif({ line: 1, level: 'warning' }, { line: 2, level: 'note' }, { line: 3, file: 'new.txt', level: 'error' },
      ...Array.from({ length: 20 }, (_, i) => ({ line: 2, level: 'warning' as const, message: i === 0 ? 'word '.repeat(40) : `no\n${i}`, rule: `r${i}` })));
    const failing = async (level: string, ...words: string[]) => {
      const { err } = await post(await testService(), report, ['--filter', 'all', '--fail-level', level, ...words]);
      return (JSON.parse(err.split('\n').at(-2)!) as { error: { message: string; hint: string } }).error;
    };
    expect(await failing('error')).toMatchObject({ message: '1 finding is of level error', hint:
      '  new.txt:3: error: no [r1]\nfix it, or resolve its thread to accept it' });
    expect((await failing('error', '--accept-by', 'others')).hint).toMatch(/\nfix it, or let somebody else than the author resolve its thread to accept it$/);
    expect((await failing('warning', '--accept-by', 'others')).hint).toContain('\nfix them, or let somebody else than the author resolve the threads');
    const { message, hint } = await failing('warning');
    expect(message).toBe('22 findings are of level warning or more severe: 1 error, 21 warnings');
    expect(hint).toMatch(/^ {2}new\.txt:3: error: no \[r1\]\n {2}app\.js:1: warning: no \[r1\]\n {2}app\.js:2: warning: (?:word ){12}… \[r0\]\n/);
    expect(hint).toContain('\n  and 2 more\nfix them');
  });

  it('prints a plan with --dry-run, sends nothing and exits with 8 if something would change', async () => {
    const service = await testService();
    const planned = await post(service, sarif({ line: 2 }), ['--dry-run']);
    expect(planned).toMatchObject({ code: 8, result: { created: [{ line: 2, discussion_id: null, note_id: null }] } });
    expect(writes(planned.sent)).toBe(0);
    await post(service, sarif({ line: 2 }));
    expect(await post(service, sarif({ line: 2 }), ['--dry-run'])).toMatchObject({ code: 0, result: { kept: [{ line: 2 }] } });
  });

  it('rejects a --fail-level for findings that --level leaves out', async () => {
    const { run } = await testApp({ files: { report: sarif({ line: 2 }) } });
    const levelsOf = (level: string, failLevel: string) =>
      run('notes', 'post', 'mr/1', '--from', 'sarif', 'report', '--level', level, '--fail-level', failLevel);
    expect(await levelsOf('error', 'warning')).toMatchObject({ code: 2, sent: [],
      err: expect.stringContaining('--fail-level warning has no effect with --level error, which leaves such findings out\npass --level warning') as string });
    expect([(await levelsOf('warning', 'note')).code, (await levelsOf('warning', 'error')).code]).toEqual([2, 0]);
  });

  it('exits with 8 if a finding that passes the filters reaches --fail-level, even if it is known', async () => {
    const service = await testService();
    const failing = async (...messages: Message[]) => (await post(service, sarif(...messages), ['--fail-level', 'error'])).code;
    expect(await failing({ line: 2, level: 'warning' })).toBe(0);
    expect(await failing({ line: 2, level: 'error' })).toBe(8);
    expect(await failing({ line: 2, level: 'error' })).toBe(8);
    expect(await failing({ line: 99, level: 'error' })).toBe(0);
  });

  it('skips findings below --level, but keeps their threads', async () => {
    const service = await testService();
    expect((await post(service, sarif({ line: 2, level: 'note' }), ['--level', 'warning'])).result.skipped)
      .toMatchObject([{ reason: 'below --level warning' }]);
    await post(service, sarif({ line: 2, level: 'note' }));
    expect(counts((await post(service, sarif({ line: 2, level: 'note' }), ['--level', 'warning'])).result)).toEqual({ kept: 1 });
  });

  it('posts the results of a failed run, resolves nothing and exits with 2, unless --allow-failed-run is given', async () => {
    const service = await testService();
    await post(service, sarif({ line: 2 }));
    const failed = (...messages: Message[]) => {
      const { runs: [run] } = JSON.parse(sarif(...messages)) as { runs: object[] };
      return JSON.stringify({ runs: [{ ...run, invocations: [{ executionSuccessful: false, exitCodeDescription: 'killed' }] }] });
    };
    const reason = 'report: runs[0].invocations[0].executionSuccessful: expected true, got false: the tool failed: killed';
    const isLeft = { line: 2, reason: 'not in a partial report' };
    const first = await post(service, failed({ line: 1, file: 'new.txt' }), ['--filter', 'all']);
    expect(first).toMatchObject({ code: 2, result: { created: [{ file: 'new.txt' }], resolved: [], left: [isLeft] } });
    expect(JSON.parse(first.err.trim().split('\n').at(-1)!)).toMatchObject({
      error: { message: reason, hint: 'fix the run of the tool, or pass --allow-failed-run' } });
    const options = ['--filter', 'all', '--allow-failed-run'];
    const allowed = await post(service, failed({ line: 1, file: 'new.txt' }), options);
    expect(allowed).toMatchObject({
      code: 0, result: { kept: [{ file: 'new.txt' }], resolved: [], left: [isLeft] }, err: expect.stringContaining(reason) as string });
    expect((await post(service, failed({ line: 1, file: 'new.txt', level: 'error' }), [...options, '--fail-level', 'error'])).code).toBe(8);
    expect((await post(service, failed({ line: 1, file: 'new.txt' }), ['--filter', 'all', '--dry-run'])).code).toBe(2);
    const nothing = await post(service, failed(), options);
    expect([nothing.code, nothing.sent]).toEqual([2, []]);
    expect(counts((await post(service, sarif({ line: 1, file: 'new.txt' }), ['--filter', 'all'])).result)).toEqual({ updated: 1, resolved: 1 });
  });

  it('resolves nothing if a crate with a finding made cargo leave out others, and exits with 2 unless the gate fails for it', async () => {
    const service = await testService();
    const cargo = (line: number, end: string, ...words: string[]) =>
      post(service, `app.js:${line}:1: error: no\n${end}`, ['--from', 'clippy', ...words]);
    const stop = 'error: could not compile `a` (lib) due to 1 previous error\n';
    const reason = 'report: line 2: error: could not compile `a` (lib) due to 1 previous error';
    const [gate, all] = [['--fail-level', 'error'], ['--filter', 'all']];
    const result = { resolved: [], left: [{ line: 2, reason: 'not in a partial report' }] };
    expect(await cargo(2, '')).toMatchObject({ code: 0, result: { created: [{ line: 2 }] } });
    expect(await cargo(1, stop, ...gate)).toMatchObject({ code: 2, err: expect.stringContaining(reason) as string, result });
    expect(await cargo(1, stop, ...gate, '--allow-failed-run')).toMatchObject({ code: 0, result });
    expect(await cargo(1, stop, ...all)).toMatchObject({ code: 2, result });
    expect(await cargo(1, stop, ...all, ...gate)).toMatchObject({ code: 8, err: expect.stringContaining('1 finding is of level error') as string, result });
    expect(await cargo(1, '', ...all, ...gate)).toMatchObject({ code: 8, result: { resolved: [{ line: 2 }] } });
  });

  it('resolves nothing if make compiled no other file after an error, unless it kept going', async () => {
    const service = await testService();
    const make = (...lines: string[]) => post(service, `${lines.join('\n')}\n`, ['--from', 'gcc', '--filter', 'all']);
    const [error, stop] = ['app.js:2:1: error: no', 'make: *** [Makefile:5: app.o] Error 1'];
    expect(await make('new.txt:2:1: warning: no')).toMatchObject({ code: 0, result: { created: [{ file: 'new.txt' }] } });
    const stopped = { created: [{ file: 'app.js' }], resolved: [], left: [{ file: 'new.txt', reason: 'not in a partial report' }] };
    expect(await make(error, stop)).toMatchObject({ code: 2, err: expect.stringContaining(`report: line 2: ${stop}`) as string, result: stopped });
    expect(await make(error, stop, "make: Target 'all' not remade because of errors.")).toMatchObject({ code: 0, result: { resolved: [{ file: 'new.txt' }] } });
  });

  it('posts that a file was not read wherever it is, and then resolves nothing', async () => {
    const service = await testService();
    await post(service, sarif({ line: 2 }));
    const report = sarif({ line: 1, rule: 'invalid-syntax', message: 'Expected `)`' });
    const reason = 'report: app.js:1: lint did not check the whole file: Expected `)`';
    const first = await post(service, report);
    expect(first).toMatchObject({ code: 2, err: expect.stringContaining(reason) as string, result: {
      created: [{ file: 'app.js', line: 1, level: 'error' }], skipped: [], resolved: [], left: [{ line: 2, reason: 'not in a partial report' }] } });
    expect(first.err).toContain('"fix app.js:1, or let the tool leave out the file; else fix the run of the tool, or pass --allow-failed-run"');
    expect(await post(service, report, ['--allow-failed-run'])).toMatchObject({ code: 0, result: { kept: [{ line: 1 }], resolved: [] } });
    expect(await post(service, report, ['--allow-failed-run', '--fail-level', 'error'])).toMatchObject({ code: 8 });
    expect(counts((await post(service, sarif({ line: 2 }))).result)).toEqual({ kept: 1, resolved: 1 });
  });

  it('places a finding of several lines on an added one, names the first, and keeps it in the next run', async () => {
    const service = await testService();
    const report = sarif({ line: 1 }).replace('"startLine":1', '"startLine":1,"endLine":4');
    const first = await post(service, report, ['--fail-level', 'warning']);
    const [thread] = first.result.created;
    expect([first.code, thread]).toEqual([8, expect.objectContaining({ file: 'app.js', line: 1 })]);
    const { body: { notes: [note] } } = await service.get<Discussion>(`/projects/20/merge_requests/1/discussions/${thread!.discussion_id}`);
    expect(note).toMatchObject({ body: expect.stringContaining('`app.js:1`') as string, position: { new_path: 'app.js', new_line: 2 } });
    expect(counts((await post(service, report)).result)).toEqual({ kept: 1 });
    expect(counts((await post(service, sarif())).result)).toEqual({ resolved: 1 });
  });

  it('leaves all threads open if a line that may be a finding was not read, and says which and how many', async () => {
    const service = await testService();
    const options = ['--from', 'lines', '--key', 'k', '--filter', 'all'];
    expect(counts((await post(service, 'app.js:2: two\napp.js:3: three\n', options)).result)).toEqual({ created: 2 });
    const strange = await post(service, 'app.js:2: two\ndocs/a.md:1 MD041 odd\n', options);
    expect(strange).toMatchObject({ code: 2, result: { kept: [{ line: 2 }], resolved: [], left: [{ line: 3, reason: 'not in a partial report' }] } });
    expect(strange.err).toContain('1 thread stays open, because the report may lack its finding\n');
    expect(strange.err).toContain('report: line 2: a finding may be in this line, which was not read: docs/a.md:1 MD041 odd');
    const harmless = await post(service, 'app.js:2: two\nUsing a cache\n', options);
    expect([harmless.code, counts(harmless.result)]).toEqual([0, { kept: 1, resolved: 1 }]);
  });

  it('leaves the threads of tests open that did not run', async () => {
    const service = await testService();
    const pytest = (test: string, count: string) => post(service, `<testsuites><testsuite name="pytest" tests="1" ${count}>
      <testcase ${test}>no</${count.startsWith('errors') ? 'error' : 'failure'}></testcase></testsuite></testsuites>`, ['--from', 'junit', '--key', 'k']);
    const failing = 'classname="tests.test_cart" name="test_adds"><failure message="assert 1 == 2"';
    expect(counts((await pytest(`${failing}>`, 'failures="1"')).result)).toEqual({ created: 1 });
    const broken = await pytest('classname="" name="tests.test_cart"><error message="collection failure">', 'errors="1"');
    expect(broken).toMatchObject({ code: 2, err: expect.stringContaining('tests did not run: pytest > tests.test_cart: collection failure') as string, result: {
      created: [{ message: 'collection failure' }], resolved: [], left: [{ message: 'assert 1 == 2', reason: 'not in a partial report' }] } });
    expect(counts((await pytest(`${failing}>`, 'failures="1"')).result)).toEqual({ kept: 1, resolved: 1 });
  });

  it('fails for a failed run without a service too', async () => {
    const report = '<testsuite failures="2"><testcase name="a"><failure message="no"/></testcase></testsuite>';
    const { run } = await testApp({ files: { report } });
    const words = ['notes', 'post', '--from', 'junit', '--key', 'k', '--reporter', 'terminal', 'report'];
    expect(await run(...words)).toMatchObject({
      code: 2, out: 'error: no [a]\n', err: expect.stringContaining('2 failed tests counted, 1 reported') as string });
    expect(await run(...words, '--allow-failed-run')).toMatchObject({ code: 0, err: expect.stringContaining('2 failed tests counted') as string });
  });

  it('says once which levels the format does not have', async () => {
    const issue = (severity: string) => ({ description: 'no', severity, location: { path: 'app.js', lines: { begin: 2 } } });
    const [report, one] = [['high', 'high', 'CRITICAL', 'a\u001b', 'b', 'c'], ['high']].map((words) => JSON.stringify(words.map(issue))) as [string, string];
    const { run } = await testApp({ files: { ...sources, report, one }, workTree: '/app' });
    const saidFor = async (file: string) =>
      (await run('notes', 'post', 'mr/1', '--from', 'codequality', '--key', 'k', file)).err.split('\n')[0];
    expect(await saidFor('report')).toBe('unknown levels "high", "CRITICAL", "a\\u001b" and 2 more count as errors');
    expect(await saidFor('one')).toBe('unknown level "high" counts as error');
  });

  it('keeps the threads of missing findings with --no-resolve', async () => {
    const service = await testService();
    await post(service, sarif({ line: 2 }));
    expect((await post(service, sarif(), ['--no-resolve'])).result.left).toMatchObject([{ line: 2, reason: 'not in a partial report' }]);
    expect(counts((await post(service, sarif())).result)).toEqual({ resolved: 1 });
  });

  it('posts nothing about a clean report where the diff is not known, and everything with --filter all', async () => {
    const { run } = await testApp({ workTree: '/app', files: { ...sources, clean: sarif(), report: sarif({ line: 2 }) } });
    const words = ['notes', 'post', 'mr/2', '--from', 'sarif', '--json'];
    expect((await run(...words, 'clean')).code).toBe(0);
    expect((await run(...words, 'report')).code).toBe(10);
    expect(JSON.parse((await run(...words, 'report', '--filter', 'all')).out)).toMatchObject({ created: [{ line: 2 }] });
  });

  it('keeps a thread whose text contains a marker', async () => {
    const service = await testService();
    const report = sarif({ line: 2, message: 'remove `<!-- colloquy:key=a -->`' });
    await post(service, report);
    expect(counts((await post(service, report)).result)).toEqual({ kept: 1 });
  });

  it('posts the findings if the number of the pipeline cannot be stored, and fails', async () => {
    const service = await testService();
    await post(service, sarif({ line: 2 }));
    await service.faults([{ on: 'PUT *', do: 'status 403' }]);
    const ran = await post(service, sarif({ line: 2 }), [], { env: { CI_PIPELINE_IID: '5', CI_PROJECT_ID: '20' } });
    expect(counts(ran.result)).toEqual({ kept: 1 });
    expect(ran.code).toBe(5);
    expect(ran.err).toContain('the number of the pipeline: ');
  });

  it.each(['garble', 'truncate', 'html', 'status 500', 'status 500 after'])(
    'repeats reads and changes of threads after %s', async (failure) => {
      const service = await testService();
      await post(service, sarif({ line: 2, rule: 'fixed' }, { line: 2, rule: 'changed' }), ['--max', '1']);
      const once = (on: string) => ({ on, do: failure, times: 1 });
      await service.faults(['GET /user', 'GET /projects/*', 'PUT *', 'DELETE *'].map(once));
      const ran = await post(service, sarif({ line: 2, rule: 'changed', message: 'Another text.' }));
      expect(ran.code).toBe(0);
      expect(counts((await post(service, sarif({ line: 2, rule: 'changed', message: 'Another text.' }))).result))
        .toEqual({ kept: 1 });
    });

  it('keeps the threads of tools apart', async () => {
    const service = await testService();
    await post(service, sarif({ line: 2 }), ['--key', 'one']);
    expect(counts((await post(service, sarif(), ['--key', 'two'])).result)).toEqual({});
    expect(counts((await post(service, sarif(), ['--key', 'one'])).result)).toEqual({ resolved: 1 });
  });

  it('lists the findings beyond --max in one comment, which later runs update and delete', async () => {
    const service = await testService();
    const summaries = async () => (await service.get<{ body: string }[]>('/projects/20/merge_requests/1/notes')).body
      .filter(({ body }) => body.includes('fp=summary')).map(({ body }) => body);
    const report = sarif({ line: 2, level: 'warning' }, { line: 2, level: 'error', rule: 'r2' }, { line: 2, level: 'note', rule: 'r3' });
    const first = await post(service, report, ['--max', '1']);
    expect(first.result).toMatchObject({ created: [{ rule: 'r2' }], summarized: 2 });
    const said = expect.stringMatching(new RegExp(String.raw`^mr/1: (?:created|kept) 1, summarized 2 in https?://\S+/merge_requests/1#note_\d+`
      + '; discussions check does not count these: use --fail-level\n$')) as string;
    expect(first.err).toEqual(said);
    expect(await summaries()).toEqual([expect.stringContaining('- `app.js:2`: **warning** no (`r1`)\n- `app.js:2`: **note** no (`r3`)') as string]);
    const second = await post(service, report, ['--max', '1']);
    expect([counts(second.result), writes(second.sent)]).toEqual([{ kept: 1, summarized: 2 }, 0]);
    expect([second.err, second.err.split(' in ')[1]]).toEqual([said, first.err.split(' in ')[1]]);
    expect((await post(service, report, ['--max', '1', '--fail-level', 'error'])).err).toMatch(/^mr\/1: kept 1, summarized 2 in \S+#note_\d+\n/);
    await post(service, sarif({ line: 2, level: 'error', rule: 'r2' }, { line: 2, rule: 'r4' }), ['--max', '1']);
    expect(await summaries()).toEqual([expect.stringContaining('**1 more finding**') as string]);
    expect((await post(service, sarif({ line: 2, level: 'error', rule: 'r2' }), ['--max', '1', '--dry-run'])).code).toBe(8);
    await post(service, sarif({ line: 2, level: 'error', rule: 'r2' }), ['--max', '1']);
    expect(await summaries()).toEqual([]);
  });

  describe('a note in which a person put the text of a finding below an own analysis', () => {
    const base = '/projects/20/merge_requests/1';
    const notesOn = async (service: TestService, text: string) =>
      (await service.get<Discussion[]>(`${base}/discussions?per_page=100`)).body.flatMap(({ notes }) => notes).filter(({ body }) => body.includes(text));

    it('above which it is, counts too', async () => {
      const service = await testService();
      await post(service, sarif({ line: 2 }));
      const [finding] = await notesOn(service, 'fp=');
      await service.put(`${base}/notes/${finding!.id}`, { json: { body: `${finding!.body}\n\nMy analysis.` } });
      expect(counts((await post(service, sarif({ line: 2 }))).result)).toEqual({ left: 1 });
      expect(counts((await post(service, sarif())).result)).toEqual({ left: 1 });
      expect(await notesOn(service, 'fp=')).toMatchObject([{ resolved: false }]);
    });

    it('is left as it is, and so is its thread', async () => {
      const service = await testService();
      await post(service, sarif({ line: 2 }));
      const [finding] = await notesOn(service, 'fp=');
      const body = `My analysis.\n\n${finding!.body}`;
      await service.post(`${base}/discussions`, { json: { body } });
      const changed = await post(service, sarif({ line: 2, message: 'still no' }));
      expect(counts(changed.result)).toMatchObject({ left: 1 });
      expect(changed.result.left[0]!.reason).toBe('changed by hand; the finding is gone');
      await post(service, sarif());
      expect(await notesOn(service, 'My analysis.')).toMatchObject([{ body, resolved: false }]);
    });

    it('is left beside the comment about findings without threads', async () => {
      const service = await testService();
      const report = (...rules: string[]) => sarif(...rules.map((rule) => ({ line: 2, rule })));
      await post(service, report('r1', 'r2'), ['--max', '1']);
      const [summary] = await notesOn(service, 'fp=summary');
      const body = `My analysis.\n\n${summary!.body}`;
      await service.post(`${base}/notes`, { json: { body } });
      await post(service, report('r1', 'r2', 'r3'), ['--max', '1']);
      expect((await notesOn(service, 'fp=summary')).map((note) => note.body.slice(0, 20))).toEqual(['**2 more findings**,', body.slice(0, 20)]);
      await post(service, report('r1'), ['--max', '1']);
      expect((await notesOn(service, 'fp=summary')).map((note) => note.body)).toEqual([body]);
      await post(service, report('r1', 'r2'), ['--max', '1']);
      await post(service, report('r1', 'r3'), ['--max', '1']);
      expect((await notesOn(service, 'fp=summary'))).toHaveLength(2);
    });

    it('stays when the comment cannot be updated', async () => {
      const service = await testService();
      const report = (...rules: string[]) => sarif(...rules.map((rule) => ({ line: 2, rule })));
      await post(service, report('r1', 'r2'), ['--max', '1']);
      const [summary] = await notesOn(service, 'fp=summary');
      await service.post(`${base}/notes`, { json: { body: summary!.body } });
      await service.faults([{ on: 'PUT *', do: 'status 403' }]);
      expect((await post(service, report('r1', 'r2', 'r3'), ['--max', '1'])).code).not.toBe(0);
      expect(await notesOn(service, 'fp=summary')).toHaveLength(2);
    });
  });

  it('changes nothing if a newer pipeline of the project has posted', async () => {
    const service = await testService();
    const inPipeline = (iid: string, report: string, project = '20') =>
      post(service, report, [], { env: { CI_PIPELINE_IID: iid, CI_PROJECT_ID: project } });
    await inPipeline('12', sarif({ line: 2 }));
    const older = await inPipeline('11', sarif());
    expect(older.code).toBe(0);
    expect(older.err).toBe('mr/1: nothing changed: pipeline 12, which is newer, has posted already\n');
    expect(writes(older.sent)).toBe(0);
    expect((await inPipeline('11', sarif({ line: 2, rule: 'r9' }))).result.skipped)
      .toMatchObject([{ reason: 'stale: pipeline 12, which is newer, has posted already' }]);
    expect(counts((await inPipeline('12', sarif({ line: 2 }))).result)).toEqual({ kept: 1 });
    expect(counts((await inPipeline('1', sarif({ line: 2 }), '99')).result)).toEqual({ kept: 1 });
  });

  it('notices an older pipeline also after a newer one that changed no thread, or only resolved', async () => {
    const service = await testService();
    const inPipeline = (iid: string, report: string) => post(service, report, [], { env: { CI_PIPELINE_IID: iid, CI_PROJECT_ID: '20' } });
    await inPipeline('10', sarif({ line: 2 }));
    expect(counts((await inPipeline('13', sarif({ line: 2 }))).result)).toEqual({ kept: 1 });
    expect(counts((await inPipeline('12', sarif())).result)).toEqual({});
    expect(counts((await inPipeline('15', sarif())).result)).toEqual({ resolved: 1 });
    expect(counts((await inPipeline('14', sarif({ line: 2 }))).result)).toEqual({ skipped: 1 });
  });

  it('changes nothing in a job for a commit that is no longer the head of the merge request', async () => {
    const service = await testService();
    const at = (sha: string, report: string, iid = '1') => post(service, report, ['--fail-level', 'error'], {
      env: { CI_PROJECT_ID: '20', CI_MERGE_REQUEST_IID: iid, CI_COMMIT_SHA: 'f'.repeat(40), CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: sha } });
    const failing = sarif({ line: 2, level: 'error' });
    const late = await at('e'.repeat(40), failing);
    const reason = `the head of mr/1 is now ${refs.head.slice(0, 8)}, and this job is for eeeeeeee`;
    expect(late).toMatchObject({ code: 8, result: { skipped: [{ line: 2, reason: `stale: ${reason}` }] } });
    expect(late.err).toContain(`mr/1: nothing changed: ${reason}\n`);
    expect(late.err).not.toContain('mr/1: skipped');
    expect(writes(late.sent)).toBe(0);
    expect(counts((await at(refs.head, failing)).result)).toEqual({ created: 1 });
    const clean = await at('e'.repeat(40), sarif());
    expect([clean.code, counts(clean.result), writes(clean.sent)]).toEqual([0, {}, 0]);
    expect(counts((await at('e'.repeat(40), sarif(), '9')).result)).toEqual({ resolved: 1 });
  });

  it('takes the commit of a stale job from CI_COMMIT_SHA if there is no other, and goes on where the service does not report the head', async () => {
    const service = await testService();
    const env = { CI_PROJECT_ID: '20', CI_MERGE_REQUEST_IID: '1', CI_COMMIT_SHA: 'e'.repeat(40) };
    expect(counts((await post(service, sarif({ line: 2 }), [], { env })).result)).toEqual({ skipped: 1 });
    const answer: WorldOptions['answer'] = ({ method, target }) => method === 'GET' && target.endsWith('/merge_requests/1')
      ? { status: 404, headers: { 'content-type': 'application/json' }, body: '{"error":"404 Not Found"}' } : undefined;
    expect(counts((await post(service, sarif({ line: 2 }), [], { env, answer })).result)).toEqual({ created: 1 });
  });

  it('judges the findings of its own report in a pipeline that is not the newest', async () => {
    const service = await testService();
    const gate = async (iid: string, report: string) =>
      (await post(service, report, ['--fail-level', 'error'], { env: { CI_PIPELINE_IID: iid, CI_PROJECT_ID: '20' } })).code;
    const errors = (...rules: string[]) => sarif(...rules.map((rule) => ({ line: 2, level: 'error' as const, rule })));
    expect(await gate('12', errors('r1'))).toBe(8);
    expect(await gate('11', errors('r1'))).toBe(8);
    expect(await gate('11', errors('r2'))).toBe(8);
    expect(await gate('11', sarif())).toBe(0);
    expect(await gate('11', sarif({ line: 2, level: 'warning' }))).toBe(0);
    expect(await gate('11', sarif({ line: 99, level: 'error' }))).toBe(0);
  });

  it('does not count a finding that a person accepted in a pipeline that is not the newest', async () => {
    const service = await testService();
    const gate = async (iid: string) => post(service, sarif({ line: 2, level: 'error' }), ['--fail-level', 'error'],
      { env: { CI_PIPELINE_IID: iid, CI_PROJECT_ID: '20' } });
    const [thread] = (await gate('12')).result.created;
    await service.put(`/projects/20/merge_requests/1/discussions/${thread!.discussion_id}`, { as: 'maintainer', json: { resolved: true } });
    expect(await gate('11')).toMatchObject({ code: 0, result: { left: [{ reason: 'resolved by maintainer' }] } });
  });

  it.each<readonly [exit: number, dos: readonly string[]]>([
    [10, ['status 403', 'status 500']], [5, ['status 422', 'status 403']], [7, ['status 404', 'status 422']], [6, ['status 404', 'status 201']],
    [9, ['status 404', 'status 429']], [4, ['status 422', 'status 401']], [5, ['status 429', 'status 403']],
  ])('exits with %s if posts failed with %j', async (exit, dos) => {
    const service = await testService();
    await service.faults(dos.filter((one) => one !== 'status 201').map((one, i) => ({ on: 'POST *', do: one, body: `finding ${i}.` })));
    const ran = await post(service, sarif(...dos.map((_, i) => ({ line: 2, rule: `r${i}`, message: `finding ${i}.` }))), ['--retries', '0']);
    expect(ran.code).toBe(exit);
  });

  it('says after SIGTERM that it can be run again', async () => {
    const service = await testService();
    const options: WorldOptions = { answer: ({ method }) => { if (method === 'POST') world.stop.abort(); return undefined; } };
    const world = await testApp({ service, workTree: '/app', files: { ...sources, report: sarif({ line: 2 }) }, ...options });
    const ran = await world.run('notes', 'post', 'mr/1', '--from', 'sarif', 'report');
    expect(ran).toMatchObject({ code: 130, err: expect.stringContaining('run it again; nothing is posted twice\n') as string });
  });

  it('posts nineteen of twenty findings if one post fails, lists the failed one and exits with its code', async () => {
    const service = await testService();
    await service.faults([{ on: 'POST *', do: 'status 422', body: 'finding 7' }]);
    const report = sarif(...Array.from({ length: 20 }, (_, i) => ({ line: 2, rule: `r${i}`, message: `finding ${i}.` })));
    const ran = await post(service, report, ['--fail-level', 'note']);
    expect(ran.code).toBe(7);
    expect(counts(ran.result)).toEqual({ created: 19, failed: 1 });
    expect(ran.result.failed).toMatchObject([{ rule: 'r7', error: 'the service rejected the request (HTTP 422)' }]);
    expect(ran.err).toContain('"message":"1 of 20 changes failed","hint":"  app.js:2: the service rejected the request (HTTP 422)');
    await service.faults([]);
    expect(counts((await post(service, report)).result)).toEqual({ created: 1, kept: 19 });
  });

  it('continues after it was interrupted, and posts nothing twice', async () => {
    const service = await testService();
    const report = sarif(...Array.from({ length: 20 }, (_, i) => ({ line: 2, rule: `r${i}` })));
    let left = 7;
    const world = await testApp({
      service, workTree: '/app', files: { ...sources, report },
      answer: ({ method }) => {
        if (method === 'POST' && left-- === 0) world.stop.abort();
        return undefined;
      },
    });
    expect((await world.run('notes', 'post', 'mr/1', '--from', 'sarif', 'report')).code).toBe(130);
    const { created, kept } = (await post(service, report)).result;
    expect(kept.length).toBeGreaterThan(0);
    expect(created.length + kept.length).toBe(20);
    expect(counts((await post(service, report)).result)).toEqual({ kept: 20 });
    const { body } = await service.get<{ body: string }[]>('/projects/20/merge_requests/1/notes?per_page=100');
    expect(body.filter((note) => note.body.includes('colloquy:key=lint'))).toHaveLength(20);
  });

  it('waits while the rate limit of the service is used up', async () => {
    const service = await testService();
    await service.faults([{ on: 'POST *', do: 'rate-limit 1', times: 3, skip: 2 }]);
    const report = sarif(...Array.from({ length: 12 }, (_, i) => ({ line: 2, rule: `r${i}` })));
    expect(counts((await post(service, report)).result)).toEqual({ created: 12 });
  });

  it('shows its progress on a terminal', async () => {
    const { run } = await testApp({ terminal: true, workTree: '/app', files: { ...sources, report: sarif({ line: 2 }, { line: 2, rule: 'r2' }) } });
    expect((await run('notes', 'post', 'mr/1', '--from', 'sarif', 'report')).err).toContain('posting 2 of 2 …');
  });

  it('fails with the code of the cause if all posts fail for the same reason', async () => {
    const service = await testService();
    await service.faults([{ on: 'POST *', do: 'status 401' }]);
    const ran = await post(service, sarif({ line: 2 }, { line: 2, file: 'new.txt' }));
    expect([ran.code, ran.err]).toEqual([4, expect.stringContaining('"message":"2 of 2 changes failed: the service rejected the credentials (HTTP 401)"')]);
    expect(counts(ran.result)).toEqual({ failed: 2 });
  });

  it('says after changes that a service failed to make what they were, and that the run can be repeated', async () => {
    const failing = async (method: string, first: string, second: string, dos = 'status 500') => {
      const service = await testService();
      const run = async (report: string) => (await testApp({ service, workTree: '/app', files: { ...sources, report } }))
        .run('notes', 'post', 'mr/1', '--from', 'sarif', 'report', '--retries', '0', '--deadline', '1h');
      await run(first);
      await service.faults([{ on: `${method} *`, do: dos }]);
      const { err } = await run(second);
      return err.slice(err.indexOf('colloquy: '));
    };
    const again = 'run it again; nothing is posted twice\n';
    const two = sarif({ line: 2 }, { line: 2, file: 'new.txt' });
    expect(await failing('PUT', two, sarif())).toBe(`colloquy: 2 of 2 changes failed: the service failed (HTTP 500)\n${again}`);
    expect(await failing('POST', sarif(), two)).toBe(`colloquy: 2 of 2 changes failed: the service failed (HTTP 500)\n${again}`);
    expect(await failing('PUT', sarif({ line: 2 }), sarif({ line: 2, file: 'new.txt' }))).toBe(
      `colloquy: 1 of 2 changes failed\n  resolve app.js:2: the service failed (HTTP 500)\n${again}`);
    expect(await failing('PUT', sarif({ line: 2 }), sarif({ line: 2, file: 'new.txt' }), 'status 422')).toBe(
      'colloquy: 1 of 2 changes failed\n  resolve app.js:2: the service rejected the request (HTTP 422)\n');
  });

  it('says once that a token cannot write, for all findings together, and tries no more of them', async () => {
    const report = sarif(...Array.from({ length: 20 }, (_, i) => ({ line: 2, rule: `r${i}` })));
    for (const terminal of [false, true]) {
      const { run } = await testApp({
        terminal, columns: 200, workTree: '/app', files: { ...sources, report }, env: { COLLOQUY_TOKEN: 'reader-token', TERM: 'dumb' } });
      const { code, out, err, sent } = await run('notes', 'post', 'mr/1', '--from', 'sarif', 'report');
      expect(out.match(/^failed[\t ]+app\.js:2[\t ]+warning[\t ]+r\d+[\t ]+no$/gm)).toHaveLength(20);
      expect([code, err]).toEqual([5, 'mr/1: failed 20\ncolloquy: 20 of 20 changes failed: the token has no right to write: '
        + '"The request requires higher privileges than provided by the access token." (HTTP 403)\n'
        + 'replace the token from COLLOQUY_TOKEN with one that has scope api: '
        + 'set another, or unset the variable and run `colloquy auth login`\n']);
      expect(writes(sent)).toBeLessThanOrEqual(4);
    }
  });

  it('prints the findings if the service cannot be read, the most severe ones of more than --max, for people', async () => {
    const report = sarif({ line: 2 }, { line: 3, level: 'error' }, { line: 4, level: 'note' });
    const failing = async (dos: string, ...words: string[]) => {
      const service = await testService();
      await service.faults([{ on: 'GET *', do: dos }]);
      const { run } = await testApp({ service, workTree: '/app', files: { ...sources, report } });
      return run('notes', 'post', 'mr/1', '--from', 'sarif', 'report', '--retries', '0', ...words);
    };
    expect(await failing('status 503', '--max', '2')).toMatchObject({
      code: 10, out: 'found\tapp.js:2\twarning\tr1\t\tno\nfound\tapp.js:3\terror\tr1\t\tno\n',
      err: expect.stringMatching(/^3 findings on any line, the most severe 2 above\ncolloquy: /) as string });
    expect(await failing('rate-limit 9', '--level', 'error')).toMatchObject({
      code: 9, out: 'found\tapp.js:3\terror\tr1\t\tno\n', err: expect.stringMatching(/^1 finding on any line\ncolloquy: /) as string });
    for (const words of [['--json'], ['-o', 'tsv']]) expect(await failing('status 503', ...words)).toMatchObject({ code: 10, out: '' });
    expect(await failing('status 403'), 'not a failure that passes').toMatchObject({ code: 5, out: '' });
  });

  it('creates a thread once if the service fails after it has stored it', async () => {
    const service = await testService();
    await service.faults([{ on: 'POST *', do: 'status 500 after', times: 1 }]);
    expect(counts((await post(service, sarif({ line: 2 }))).result)).toEqual({ created: 1 });
    expect(counts((await post(service, sarif({ line: 2 }))).result)).toEqual({ kept: 1 });
  });

  it('creates each thread once while a third of all requests fail', async () => {
    const service = await testService();
    await service.faults([
      { on: 'POST *', do: 'status 500 after', probability: 0.3 }, { on: 'GET *', do: 'status 503', probability: 0.3 },
    ], 7);
    const report = sarif(...Array.from({ length: 10 }, (_, i) => ({ line: 2, rule: `r${i}` })));
    const ran = await post(service, report, ['--retries', '10']);
    expect([ran.code, counts(ran.result)]).toEqual([0, { created: 10 }]);
    await service.faults([]);
    expect(counts((await post(service, report)).result)).toEqual({ kept: 10 });
  }, 60_000);

  it('fails if the service loses the position of a note', async () => {
    const service = await testService();
    const handle: TestService['handle'] = (request) => {
      if (request.method !== 'POST') return service.handle(request);
      const { position: _lost, ...body } = JSON.parse(String(request.body)) as { position: object };
      return service.handle({ ...request, body: JSON.stringify(body) });
    };
    const ran = await post({ ...service, handle }, sarif({ line: 2 }));
    expect(ran.code).toBe(1);
    expect(ran.result.failed).toMatchObject([{
      line: 2, note_id: expect.any(Number) as number, error: expect.stringMatching(/^the service stored note \d+ of mr\/1 without its position/) as string }]);
  });

  it('prints findings without a service with --reporter terminal', async () => {
    const env = { COLLOQUY_URL: undefined, COLLOQUY_TOKEN: undefined };
    const report = sarif({ line: 2, level: 'error' }, { line: 3, level: 'note', message: 'a\u001b[31m\u202e' });
    const { run } = await testApp({ env, files: { report } });
    const words = ['notes', 'post', 'report', '--from', 'sarif', '--reporter', 'terminal'];
    expect(await run(...words, '--fail-level', 'error')).toMatchObject({
      code: 8, out: 'app.js:2: error: no [r1]\napp.js:3: note: a\\u202e [r1]\n', sent: [],
      err: expect.stringMatching(/\nfix it, or let the tool ignore it\n$/) as string });
    expect((await run(...words, '--fail-level', 'note')).err).toMatch(/\nfix them, or let the tool ignore those that you accept\n$/);
    expect((await run(...words, '-o', 'table')).out).toMatch(/^ACTION .*\nfound +app\.js:2 .*\nfound +app\.js:3 .*\n$/);
    expect((await run(...words, '--max', '1', '-o', 'table')).out, 'no thread is made').toMatch(/^ACTION .*\nfound +app\.js:2 .*\nfound +app\.js:3 .*\n$/);
    expect((await run(...words, '-o', 'tsv')).out, 'for programs').toMatch(/^created\tapp\.js:2\t/);
    expect(JSON.parse((await run(...words, '--json')).out)).toMatchObject({ created: [{ line: 2 }, { line: 3 }], skipped: [] });
    expect((await run(...words, '--level', 'error')).out).toBe('app.js:2: error: no [r1]\n');
    expect((await run(...words)).err).toContain('\n2 findings on any line, as with --filter all\n');
    expect((await run(...words, '--level', 'error', '--filter', 'all')).err).toContain('\n1 finding, skipped 1\n');
    const keyless = await testApp({ env, files: { report: 'app.js:2: error: no\n' } });
    expect(await keyless.run('notes', 'post', 'report', '--from', 'lines', '--reporter', 'terminal')).toMatchObject({ code: 0, out: 'app.js:2: error: no\n' });
    const filtered = await run(...words, '--filter', 'added');
    expect(filtered.code).toBe(2);
    expect(filtered.err).toContain('--filter added and --reporter terminal cannot be combined');
  });

  it('sends nothing for a report that cannot be used', async () => {
    const failed = sarif().replace('"results"', '"invocations":[{"executionSuccessful":false}],"results"');
    for (const report of ['', '{', failed]) {
      const ran = await post(await testService(), report);
      expect(ran).toMatchObject({ code: 2, out: '', sent: [] });
    }
  });

  it('says of an empty pipe whether a file is named, with what to pipe for a preset', async () => {
    const { run } = await testApp({ stdin: ' \n', files: { empty: '' } });
    const allow = (tool: string) => `if ${tool} prints nothing when it finds nothing, pass --allow-empty\n`;
    const unnamed = (from: string, piped: string, tool: string): [readonly string[], string] => [
      ['--from', from], `no report file is named, and standard input is empty\nname the file, or pipe ${piped} after \`set -o pipefail\`\n${allow(tool)}`];
    const tsc = unnamed('tsc', 'the output of `npx tsc --noEmit --pretty false 2>&1`', 'tsc');
    await everyRow<readonly [readonly string[], string]>([
      tsc, [['--from', 'tsc', '-'], tsc[1].replace(/no report file is named, and |name the file, or /g, '')],
      unnamed('sarif', 'the report of the tool', 'the tool'),
      [['--from', 'tsc', 'empty'], `empty is empty\ncheck that tsc ran; ${allow('it')}`],
      [['--from', 'sarif', '-', 'empty'], `standard input is empty\npipe the report of the tool after \`set -o pipefail\`\n${allow('the tool')}`],
      [['--from', 'sarif', 'empty', '-'], `empty is empty\ncheck that the tool ran; ${allow('it')}`],
    ], ([words]) => words.join(' '), async ([words, err]) => {
      expect(await run('notes', 'post', 'mr/1', ...words)).toMatchObject({ code: 2, err: `colloquy: ${err}`, sent: [] });
    });
  });

  it('says that an empty pipe counts as a report without findings if --allow-empty is given and no file is named', async () => {
    const { run } = await testApp({ stdin: '', files: { empty: '' } });
    const said = 'no report file is named and standard input is empty: taken for a report without findings\n';
    await everyRow<readonly [readonly string[], boolean]>(
      [[[], true], [['--json'], true], [['--quiet'], false], [['-'], false], [['empty'], false]], ([words]) => words.join(' '), async ([words, isSaid]) => {
        const { code, err } = await run('notes', 'post', 'mr/1', '--from', 'tsc', '--allow-empty', ...words);
        expect([code, err.includes(said)]).toEqual([0, isSaid]);
      });
  });

  it('needs a key for a report that does not name its tool', async () => {
    const { run } = await testApp({ files: { report: 'app.js:2: no' } });
    expect(await run('notes', 'post', 'mr/1', '--from', 'lines', 'report')).toMatchObject({
      code: 2, err: 'colloquy: the lines report does not name its tool\npass --key NAME, by which later runs find the threads\n', sent: [] });
  });

  it('reads the lines of a tool, whose name is the key, and counts the lines without a meaning', async () => {
    const report = 'app.js:2:3: no [Error/no-var]\nUsing a cache\n\u001b[31mDone.\u001b[0m\n1 problem\n';
    const { run } = await testApp({ workTree: '/app', files: { ...sources, report } });
    const ran = await run('notes', 'post', 'mr/1', '--from', 'eslint-unix', 'report', '--json', '--fail-level', 'error');
    expect(ran.code).toBe(8);
    expect(ran.err).toContain('report: 2 unread lines, the first is line 2: Using a cache\n');
    expect(JSON.parse(ran.out)).toMatchObject({ created: [{ key: 'eslint', line: 2, level: 'error', rule: 'no-var' }] });
    const quiet = await run('notes', 'post', 'mr/1', '--from', 'eslint-unix', 'report', '--json', '--quiet');
    expect(quiet.err).toBe('');
  });

  it('posts a failing test on an unchanged line as a general thread, which counts for the gate', async () => {
    const service = await testService();
    const junit = (...names: string[]) => `<testsuite name="app.js">${names.map((name) =>
      `<testcase name="${name}"><failure message="broken">at app.js:1:5</failure></testcase>`).join('')}</testsuite>`;
    const { run } = await testApp({ service, workTree: '/app', files: { ...sources, report: junit('adds'), clean: junit() } });
    const words = ['notes', 'post', 'mr/1', '--from', 'junit', '--key', 'test', '--fail-level', 'error', '--json'];
    const first = await run(...words, 'report');
    const { created: [thread] } = JSON.parse(first.out) as PostResult;
    expect([first.code, thread!.line, thread!.rule]).toEqual([8, 1, 'adds']);
    const { body: { notes: [note] } } = await service.get<Discussion>(`/projects/20/merge_requests/1/discussions/${thread!.discussion_id}`);
    expect(note!.type).toBe('DiscussionNote');
    expect(note!.body).toContain('`app.js:1`');
    expect(await run(...words, 'report')).toMatchObject({ code: 8, out: expect.stringContaining('"kept":[{') as string });
    expect(await run(...words, 'clean')).toMatchObject({ code: 0, out: expect.stringContaining('"resolved":[{') as string });
  });

  it('takes --prefix for a run in a subfolder, and fails if no reported file exists', async () => {
    const report = 'new.txt:2: no\n';
    const files = { report, '/app/web/new.txt': 'one\n', '/app/api/new.txt': 'two\n' };
    const ran = async (...words: string[]) => {
      const { run } = await testApp({ workTree: '/app', files });
      return run('notes', 'post', 'mr/1', '--from', 'lines', '--key', 'k', 'report', '--json', ...words);
    };
    const without = await ran('--fail-level', 'note');
    expect([without.code, without.sent, without.out]).toEqual([2, [], '']);
    expect(without.err).toContain('the reported file new.txt does not exist in /app');
    expect(JSON.parse((await ran('--prefix', 'web')).out)).toMatchObject({
      skipped: [{ file: 'web/new.txt', reason: 'web/new.txt is not in the diff of mr/1' }] });
  });

  it('reads a preset that found nothing, and names the form of a report that it cannot read', async () => {
    const { run } = await testApp({ files: {
      clean: 'Summary: 0 error(s)\n', hidden: 'Summary: 3 error(s)\n', compact: 'a.js: line 1, col 1, Error - no (x)\n',
    } });
    const ran = async (file: string, from: string) => {
      const { code, err } = await run('notes', 'post', 'mr/1', '--from', from, file);
      return { code, err };
    };
    expect(await ran('clean', 'markdownlint')).toEqual({ code: 0, err: 'mr/1: no findings\n' });
    expect((await ran('hidden', 'markdownlint')).code).toBe(2);
    expect(await ran('compact', 'eslint-unix')).toEqual({ code: 2, err: expect.stringMatching(
      /^colloquy: compact: line 1: expected a finding of eslint, got .*\nrun ESLint with --format json-with-metadata .* compact form\n$/) as string });
  });

  it('makes paths relative to --root, else to CI_PROJECT_DIR, else to the work tree', async () => {
    const created = async (file: string, words: string[], options: WorldOptions) =>
      (await post(await testService(), sarif({ line: 2, file }), words, options)).result.created[0]?.file;
    const there = { '/builds/x/app.js': sources['/app/app.js'] };
    expect(await created('file:///builds/x/app.js', ['--root', '/builds/x'], { files: there })).toBe('app.js');
    expect(await created('/builds/x/app.js', [], { env: { CI_PROJECT_DIR: '/builds/x' }, files: there })).toBe('app.js');
    expect(await created('/app/app.js', [], {})).toBe('app.js');
  });

  it('prints one row for each finding without --json, and counts the others', async () => {
    const { run } = await testApp({ workTree: '/app', files: { ...sources, report: sarif({ line: 2, level: 'error' }, { line: 99 }) } });
    expect(await run('notes', 'post', 'mr/1', '--from', 'sarif', 'report')).toMatchObject({
      out: expect.stringMatching(/^created\tapp\.js:2\terror\tr1\t\d+\tno\n$/) as string,
      err: 'mr/1: created 1, skipped 1\nskipped 1 finding: not in the diff (app.js:99)\n',
    });
  });
});

describe('text of reports', () => {
  const hostile = 'fixes #1, ask @guest\n/close\n/label ~bug';

  it('runs no quick action and refers to nothing, unless --raw-text is given', async () => {
    const states = async (...words: string[]) => {
      const service = await testService({ quickActions: true, dialect: 'live' });
      const { run } = await testApp({ service, workTree: '/app', files: { ...sources, report: sarif({ line: 2, message: hostile }) } });
      const { out } = await run('notes', 'post', 'mr/1', '--from', 'sarif', 'report', '--json', ...words);
      const { discussion_id } = (JSON.parse(out) as PostResult).created[0]!;
      const { body: { notes: [note] } } = await service.get<{ notes: { body: string }[] }>(`/projects/20/merge_requests/1/discussions/${discussion_id}`);
      return note!.body;
    };
    const neutral = await states();
    expect(neutral.replaceAll('\u2060', '')).toContain(hostile);
    expect(neutral).not.toMatch(/^\/|#\d|@\w/m);
    const raw = await states('--raw-text');
    expect(raw).toContain('fixes #1, ask @guest');
    expect(raw).not.toContain('/close');
  });
});
