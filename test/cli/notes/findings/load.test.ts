import { describe, expect, it } from 'vitest';
import { loadReports, type LoadOptions } from '../../../../src/cli/notes/findings/load.js';
import { testApp, type WorldOptions } from '../../../support/app.js';

const sarif = (...names: readonly string[]) => JSON.stringify({ runs: names.map((name) => ({
  tool: { driver: { name } },
  results: [{ message: { text: 'no' }, locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.js' }, region: { startLine: 2 } } }] }],
})) });

const load = async (world: WorldOptions, options: Partial<LoadOptions> = {}) => {
  const { app } = await testApp(world);
  return loadReports(app, { files: ['report'], format: 'sarif', ...options });
};
const lines = (...text: string[]) => ({ report: text.map((line) => `${line}\n`).join('') });
const asLines = { format: 'lines', key: 'lint' } as const;
const filesOf = async (...parts: Parameters<typeof load>) => (await load(...parts)).findings.map(({ finding }) => finding.file);

describe('the key of a finding', () => {
  it('is its tool, unless --key is given', async () => {
    const files = { report: sarif('one', 'two') };
    const byTool = await load({ files });
    expect([byTool.keys, byTool.findings.map(({ key }) => key)]).toEqual([['one', 'two'], ['one', 'two']]);
    const given = await load({ files }, { key: 'ci' });
    expect([given.keys, given.findings.map(({ key }) => key)]).toEqual([['ci'], ['ci', 'ci']]);
  });

  it('covers a tool that found nothing', async () => {
    expect(await load({ files: { report: '{"runs": [{"tool": {"driver": {"name": "lint"}}}]}' } })).toEqual({ keys: ['lint'], findings: [] });
  });

  it('must be given for a report that does not name its tool, also if it is empty', async () => {
    await expect(load({ files: lines('a.js:1: no') }, { format: 'lines' })).rejects.toMatchObject({
      code: 'usage', message: 'the lines report does not name its tool', hint: 'pass --key NAME, by which later runs find the threads' });
    await expect(load({ files: lines('Found 0 errors') }, { format: 'lines' })).rejects.toThrow('does not name its tool');
    const mixed = '{"message": "x", "location": {"path": "a"}, "source": {"name": "lint"}}\n{"message": "y", "location": {"path": "a"}}\n';
    await expect(load({ files: { report: mixed } }, { format: 'rdjsonl' })).rejects.toThrow('does not name its tool');
  });

  it('must not be empty', async () => {
    await expect(load({ files: lines('a.js:1: no') }, { ...asLines, key: '' })).rejects.toThrow('the key is empty');
  });
});

describe('the path of a finding', () => {
  const report = lines('/builds/x/src/a.js:1: no', '/app/src/b.js:1: no', 'src/c.js:1: no');

  it('is relative to --root, else to CI_PROJECT_DIR, else to the work tree', async () => {
    const env = { CI_PROJECT_DIR: '/builds/x' };
    expect(await filesOf({ files: report, env, workTree: '/app' }, { ...asLines, root: '/app' })).toEqual(['/builds/x/src/a.js', 'src/b.js', 'src/c.js']);
    expect(await filesOf({ files: report, env, workTree: '/app' }, asLines)).toEqual(['/app/src/b.js', 'src/a.js', 'src/c.js']);
    expect(await filesOf({ files: report, env: { CI_PROJECT_DIR: '' }, workTree: '/app' }, asLines)).toEqual(['/builds/x/src/a.js', 'src/b.js', 'src/c.js']);
  });
});

describe('the fingerprint of a finding', () => {
  const fingerprint = async (sources: Readonly<Record<string, string | Uint8Array>>) => {
    const { findings: [found] } = await load({ files: { ...lines('src/a.js:2: no'), ...sources }, workTree: '/app' }, asLines);
    return found!.fingerprint;
  };

  it('has the line of its file and its neighbors', async () => {
    const one = await fingerprint({ '/app/src/a.js': 'one\ntwo\nthree\n' });
    expect(await fingerprint({ '/app/src/a.js': 'one\n  two\nthree\n' })).toEqual(one);
    expect(await fingerprint({ '/app/src/a.js': 'one\nother\nthree\n' })).not.toEqual(one);
    expect((await fingerprint({ '/app/src/a.js': 'one\ntwo\nother\n' })).line).toBe(one.line);
  });

  it('is that of a file that cannot be read if it is too large to be source', async () => {
    expect(await fingerprint({ '/app/src/a.js': Buffer.alloc(10_485_761, 'a\n') })).toEqual(await fingerprint({}));
  });

  it('never reads a file outside of the root', async () => {
    const { app } = await testApp({ files: lines('../secret.js:1: no', '/etc/passwd:1: no', 'a.js:1: no'), workTree: '/app' });
    const asked: string[] = [];
    const files = { ...app.files, readLimited: async (path: string) => { asked.push(path); return Buffer.from('x'); } };
    await loadReports({ ...app, files }, { files: ['report'], ...asLines });
    expect(asked).toEqual(['/app/a.js']);
  });

  it('reads each file once, however many findings it has', async () => {
    const { app } = await testApp({ files: lines('a.js:1: no', 'a.js:2: no', './a.js:3: no'), workTree: '/app' });
    let reads = 0;
    const files = { ...app.files, readLimited: async () => { reads++; return Buffer.from('x'); } };
    expect((await loadReports({ ...app, files }, { files: ['report'], ...asLines })).findings).toHaveLength(3);
    expect(reads).toBe(1);
  });
});

it('reports can come from several files and standard input, which messages name', async () => {
  const world = { stdin: 'b.js:1: no\n', files: { a: 'a.js:1: no\n', empty: '' } };
  expect(await filesOf(world, { ...asLines, files: ['a', '-'] })).toEqual(['a.js', 'b.js']);
  await expect(load({ stdin: '' }, { ...asLines, files: ['-'] })).rejects.toThrow('standard input is empty');
  await expect(load(world, { ...asLines, files: ['a', 'empty'] })).rejects.toThrow('empty is empty');
  expect(await filesOf(world, { ...asLines, files: ['empty'], allowEmpty: true })).toEqual([]);
  await expect(load(world, { ...asLines, files: ['missing'] })).rejects.toThrow('cannot read missing');
});
