import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../../src/cli/command-line/failure.js';
import { loadReports, type LoadOptions } from '../../../../src/cli/notes/findings/load.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';

const sarif = (...names: readonly string[]) => JSON.stringify({ runs: names.map((name) => ({
  tool: { driver: { name } },
  results: [{ message: { text: 'no' }, locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.js' }, region: { startLine: 2 } } }] }],
})) });

/** What the program says on stderr. */
const heardApp = async (world: WorldOptions) => {
  const { app } = await testApp(world);
  const said: string[] = [];
  return { app: { ...app, err: { ...app.err, write: async (text: string) => { said.push(text); } } }, said };
};

const load = async (world: WorldOptions, options: Partial<LoadOptions> = {}) => {
  const { app } = await testApp(world);
  return loadReports(app, { files: ['report'], format: 'sarif', ...options });
};
const lines = (...text: string[]) => ({ report: text.map((line) => `${line}\n`).join('') });
const asLines = { format: 'lines', key: 'lint' } as const;
const filesOf = async (...parts: Parameters<typeof load>) => (await load(...parts)).findings.map(({ finding }) => finding.file);

it('the values of secret variables are hidden in texts of a report, and paths stay as they are', async () => {
  const secret = 'hidden "value" 1';
  const result = {
    ruleId: `rule ${secret}`, message: { text: `no ${secret} or ${encodeURIComponent(secret)}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'src/hidden.js' }, region: { startLine: 2 } } }],
    fixes: [{ artifactChanges: [{ artifactLocation: { uri: 'src/hidden.js' }, replacements: [{
      deletedRegion: { startLine: 2, endLine: 3, endColumn: 1 }, insertedContent: { text: `x = '${secret}'\n` },
    }] }] }],
  };
  const rules = [{ id: result.ruleId, helpUri: `https://lint.example.com/?key=${encodeURIComponent(secret)}` }];
  const report = JSON.stringify({ runs: [{ tool: { driver: { name: 'lint', rules } }, results: [result] }] });
  const world = { files: { report }, env: { API_KEY: secret, FILE_KEY: 'hidden.js' } };
  const { app, said } = await heardApp(world);
  const { finding } = (await loadReports(app, { files: ['report'], format: 'sarif' })).findings[0]!;
  expect(finding).toMatchObject({ file: 'src/hidden.js', line: 2, rule: 'rule [masked]', message: 'no [masked] or [masked]' });
  expect(JSON.stringify(finding)).not.toContain('value');
  expect([finding.ruleUrl, finding.suggestion], 'what a mask would change').toEqual([undefined, undefined]);
  expect(said.join('')).toContain('masked the values of secret variables in the report\n');
  const unread = await heardApp({ files: lines('a.js:1: no', `and ${secret}`), env: world.env });
  await loadReports(unread.app, { files: ['report'], ...asLines });
  expect(unread.said.join('')).toContain('the first is line 2: and [masked]\n');
});

it('files of a work tree below the current folder are not taken for files of a repository at it', () => everyRow<readonly [string, WorldOptions]>([
  ['absolute paths', { files: { '/ws/repo/.git': 'gitdir: x', '/ws/repo/src/a.js': 'a\n', ...lines('/ws/repo/src/a.js:1: no') } }],
  ['relative paths', { files: { '/ws/repo/.git': 'gitdir: x', '/ws/repo/src/a.js': 'a\n', ...lines('repo/src/a.js:1: no') } }],
  ['a deeper one', { files: { '/ws/a/b/.git': 'gitdir: x', '/ws/a/b/a.js': 'a\n', ...lines('a/b/a.js:1: no') } }],
  ['a job', { env: { CI: 'true' },
    files: { '/ws/repo/.git': 'gitdir: x', '/ws/repo/a.js': 'a\n', ...lines('/ws/repo/a.js:1: no') } }],
], ([name]) => name, async ([, given]) => {
  const world = { ...given, env: { ...given.env, CI_PROJECT_DIR: '/ws' } };
  await expect(load(world, asLines)).rejects.toMatchObject({
    code: 'usage', message: expect.stringMatching(/^the reported files are in another git work tree, \/ws\/(repo|a\/b)$/) as string,
    hint: expect.stringMatching(/^run the command there, or pass --root (repo|a\/b)$/) as string });
  const inTree = { ...world, workTree: '/ws' };
  expect(await filesOf(inTree, asLines)).toHaveLength(1);
}));

describe('the key of a finding', () => {
  it('is its tool, unless --key is given', async () => {
    const files = { report: sarif('one', 'two') };
    const byTool = await load({ files });
    expect([byTool.keys, byTool.findings.map(({ key }) => key)]).toEqual([['one', 'two'], ['one', 'two']]);
    const given = await load({ files }, { key: 'ci' });
    expect([given.keys, given.findings.map(({ key }) => key)]).toEqual([['ci'], ['ci', 'ci']]);
  });

  it('covers a tool that found nothing', async () => {
    const report = '{"runs": [{"tool": {"driver": {"name": "lint"}}, "results": []}]}';
    expect(await load({ files: { report } })).toMatchObject({ keys: ['lint'], findings: [] });
  });

  it('must be given for a report that does not name its tool, even if it is empty', async () => {
    await expect(load({ files: lines('a.js:1: no') }, { format: 'lines' })).rejects.toMatchObject({
      code: 'usage', message: 'the lines report does not name its tool', hint: 'pass --key NAME, by which later runs find the threads' });
    await expect(load({ files: lines('Found 0 errors') }, { format: 'lines' })).rejects.toThrow('does not name its tool');
    const mixed = '{"message": "x", "location": {"path": "a"}, "source": {"name": "lint"}}\n{"message": "y", "location": {"path": "a"}}\n';
    await expect(load({ files: { report: mixed } }, { format: 'rdjsonl' })).rejects.toThrow('does not name its tool');
  });

  it('contains the name of the job in CI, unless --key is given', async () => {
    const world = { files: { report: sarif('one', 'two') }, env: { CI_JOB_NAME: 'lint 1/2' } };
    const byTool = await load(world);
    expect([byTool.keys, byTool.findings.map(({ key }) => key), [...byTool.formerKeys]]).toEqual([
      ['lint 1/2/one', 'lint 1/2/two'], ['lint 1/2/one', 'lint 1/2/two'], [['lint 1/2/one', 'one'], ['lint 1/2/two', 'two']]]);
    const given = await load(world, { key: 'ci' });
    expect([given.keys, [...given.formerKeys]]).toEqual([['ci'], []]);
    expect((await load({ ...world, env: { CI_JOB_NAME: '' } })).keys).toEqual(['one', 'two']);
  });
});

describe('the path of a finding', () => {
  const report = {
    ...lines('/builds/x/src/a.js:1: no', '/app/src/b.js:1: no', 'src/c.js:1: no'),
    '/builds/x/src/a.js': '', '/app/src/b.js': '',
  };

  it('is that of the repository if --root is a folder in it, but no repository', () => everyRow<readonly [string, Partial<LoadOptions>, string]>([
    ['src/a.js:1: no', {}, 'web/src/a.js'], ['/app/web/src/a.js:1: no', {}, 'web/src/a.js'], ['a.js:1: no', { prefix: 'src' }, 'web/src/a.js'],
    ['src/a.js:1: no', { prefix: '/app/web' }, 'web/src/a.js'], ['src/a.js:1: no', { root: '/app/web/' }, 'web/src/a.js'],
    ['src/b.js:1: no', { root: '/app/other' }, 'src/b.js'],
  ], ([line, options]) => `${line} ${JSON.stringify(options)}`, async ([line, options, file]) => {
    const files = { ...lines(line), '/app/web/src/a.js': '\n', '/app/other/src/b.js': '\n', '/app/other/.git': 'gitdir: x' };
    expect(await filesOf({ files, workTree: '/app' }, { ...asLines, root: '/app/web', ...options })).toEqual([file]);
  }));

  it('is relative to --root, else to CI_PROJECT_DIR, else to the work tree', async () => {
    const env = { CI_PROJECT_DIR: '/builds/x' };
    expect(await filesOf({ files: report, env, workTree: '/app' }, { ...asLines, root: '/app' })).toEqual(['/builds/x/src/a.js', 'src/b.js', 'src/c.js']);
    expect(await filesOf({ files: report, env, workTree: '/app' }, asLines)).toEqual(['/app/src/b.js', 'src/a.js', 'src/c.js']);
    expect(await filesOf({ files: report, env: { CI_PROJECT_DIR: '' }, workTree: '/app' }, asLines)).toEqual(['/builds/x/src/a.js', 'src/b.js', 'src/c.js']);
  });
});

describe('a path from a run in a subfolder', () => {
  const tree = { '/app/web/src/a.js': 'one\n', '/app/web/src/b.js': 'one\n', '/app/api/src/b.js': 'one\n', '/app/c.js': 'one\n' };
  const found = async (paths: readonly string[], options: Partial<LoadOptions> = {}, world: WorldOptions = {}) => {
    const { app, said } = await heardApp({ files: { ...lines(...paths.map((path) => `${path}:1: no`)), ...tree }, workTree: '/app', ...world });
    const { findings } = await loadReports(app, { files: ['report'], ...asLines, ...options });
    return { files: findings.map(({ finding }) => finding.file), said: said.join('') };
  };

  it('is found if it exists below one folder, which is reported', async () => {
    expect(await found(['src/a.js', 'c.js'])).toEqual({
      files: ['c.js', 'web/src/a.js'], said: 'found 1 reported file below web, such as web/src/a.js\n' });
    expect((await found(['./src/a.js', './src/c.js'])).files).toEqual(['src/c.js', 'web/src/a.js']);
  });

  it('is not guessed if it exists below two folders', async () => {
    const { files, said } = await found(['src/b.js', 'c.js']);
    expect([files, said]).toEqual([['c.js', 'src/b.js'], 'cannot tell where 1 reported file is: src/b.js exists below web and api; pass --prefix DIR\n']);
  });

  it('is that of the top if it exists there too', async () => {
    const top = { '/app/src/a.js': 'one\n' };
    expect(await found(['src/a.js'], {}, { files: { ...lines('src/a.js:1: no'), ...tree, ...top } })).toEqual({ files: ['src/a.js'], said: '' });
  });

  it('begins with --prefix if that is given, and is not searched for then', async () => {
    for (const prefix of ['web', './web/', '/app/web', 'api/../web']) {
      expect(await found(['src/b.js', '/app/c.js', '../c.js'], { prefix })).toEqual({ files: ['c.js', 'c.js', 'web/src/b.js'],
        said: '1 reported file is not below web; other threads outside of it stay open\n' });
    }
    expect((await found(['src/a.js', 'src/b.js'], { prefix: 'api' })).files).toEqual(['api/src/a.js', 'api/src/b.js']);
    expect((await found(['src/a.js'], { prefix: '' })).files).toEqual(['web/src/a.js']);
  });

  it('is compared with --prefix, which is named if it is no folder or does not have all files', async () => {
    const [missing, outside] = ['there is no folder wbe in /app: check --prefix or --root\n', '1 reported file is not below '];
    const effect = (folder: string) => `${outside}${folder}; other threads outside of it stay open\n`;
    const rows: readonly (readonly [prefix: string, paths: readonly string[], said: string])[] = [
      ['web', [], ''], ['web', ['/app/web/src/a.js'], ''], ['wbe', [], missing], ['wbe/', ['/app/web/src/a.js'], missing + effect('wbe')],
      ['api', ['src/b.js', '/app/web/src/a.js'], effect('api')],
    ];
    await everyRow(rows, ([prefix, paths]) => `${prefix}: ${paths.join(' ')}`, async ([prefix, paths, said]) =>
      expect((await found(paths, { prefix, allowEmpty: true })).said).toBe(said));
  });

  it.each(['..', '/etc', '../app2'])('cannot begin with a prefix outside of the root: %s', async (prefix) => {
    await expect(found(['src/a.js'], { prefix })).rejects.toMatchObject({
      code: 'usage', message: `--prefix ${prefix} is outside of /app`, hint: 'pass a folder of the repository' });
  });

  it('may begin above the folder where the tool ran', async () => {
    expect(await found(['../src/a.js', '../c.js'])).toEqual({ files: ['c.js', 'web/src/a.js'],
      said: 'found 1 reported file below web, such as web/src/a.js\nfound 1 reported file below /app, such as c.js\n' });
    expect(await found(['../../app/c.js', 'src/a.js'])).toMatchObject({ files: ['c.js', 'web/src/a.js'] });
    expect(await found(['../src/b.js', 'c.js'])).toEqual({ files: ['../src/b.js', 'c.js'],
      said: 'cannot tell where 1 reported file is: ../src/b.js exists below web and api; pass --prefix DIR\n' });
    expect((await found(['../src/b.js', '../src/a.js'])).files, 'decided by another one').toEqual(['web/src/a.js', 'web/src/b.js']);
    expect(await found(['../gone.js', 'c.js'])).toEqual({ files: ['../gone.js', 'c.js'], said: '1 reported file does not exist: ../gone.js\n' });
    expect(await found(['../../c.js', 'src/a.js'], { prefix: 'web' })).toEqual({ files: ['../c.js', 'web/src/a.js'],
      said: '1 reported file does not exist: ../c.js\n1 reported file is not below web; other threads outside of it stay open\n' });
  });

  it('may have letters that are composed otherwise in git', async () => {
    const [composed, decomposed] = ['src/\u00fc.js', 'src/u\u0308.js'];
    for (const [path, other] of [[composed, decomposed], [decomposed, composed]] as const) {
      const files = { ...lines(`${path}:1: no`), [`/app/${path}`]: 'one\n' };
      const { findings: [found] } = await load({ files, workTree: '/app' }, asLines);
      expect(found!.finding).toMatchObject({ file: path, otherPlaces: [{ file: other, line: 1 }] });
    }
  });

  it('is read where it was found', async () => {
    const [one, other] = await Promise.all(['one\n', 'two\n'].map(async (text) => {
      const files = { ...lines('src/a.js:1: no'), '/app/web/src/a.js': text };
      return (await load({ files, workTree: '/app' }, asLines)).findings[0]!.fingerprint.line;
    }));
    expect(one).not.toBe(other);
  });

  it('is not searched for among too many files', async () => {
    const { app, said } = await heardApp({ files: { ...lines('src/a.js:1: no', 'c.js:1: no'), ...tree }, workTree: '/app' });
    const files = { ...app.files, below: async () => null };
    const { findings } = await loadReports({ ...app, files }, { files: ['report'], ...asLines });
    expect(findings.map(({ finding }) => finding.file)).toEqual(['c.js', 'src/a.js']);
    expect(said.join('')).toBe('1 reported file does not exist: src/a.js\n');
  });
});

describe('a report none of whose files exists', () => {
  const report = lines('src/x.js:1: no', '/etc/y.js:1: no');

  it('is an error in a work tree and with --root', async () => {
    const error = (folder: string) => ({ code: 'usage', message: `none of the 2 reported files exists in ${folder}: src/x.js, /etc/y.js`,
      hint: 'run the command in the repository that the tool checked, or pass --prefix DIR or --root DIR' });
    await expect(load({ files: report, workTree: '/app' }, asLines)).rejects.toMatchObject(error('/app'));
    await expect(load({ files: report }, { ...asLines, root: '/src' })).rejects.toMatchObject(error('/src'));
    await expect(load({ files: lines('x.js:1: no'), workTree: '/app' }, asLines)).rejects.toThrow('the reported file x.js does not exist in /app');
  });

  it('names the folder that has the file, if --prefix is another one', async () => {
    const hint = async (prefix: string, files: Readonly<Record<string, string>>, file = 'src/x.js') => load({
      files: { ...lines(`${file}:1: no`), '/app/api/y.js': '', ...files }, workTree: '/app' }, { ...asLines, prefix })
      .then(() => null, (error: unknown) => (error as Problem).hint);
    const one = { '/app/web/src/x.js': '' };
    const other = 'run the command in the repository that the tool checked, or pass --prefix DIR or --root DIR';
    expect(await hint('wbe', one)).toBe('did you mean the folder web?');
    expect(await hint('web/src', one)).toBe('did you mean the folder web?');
    expect(await hint('wbe', { '/app/src/x.js': '' })).toBe(other);
    expect(await hint('wbe', { ...one, '/app/old/src/x.js': '' })).toBe(other);
    expect(await hint('wbe', one, 'src/z.js')).toBe(other);
  });

  it('is only reported elsewhere', async () => {
    const { app, said } = await heardApp({ files: report, env: { CI_PROJECT_DIR: '/builds/x' } });
    expect((await loadReports(app, { files: ['report'], ...asLines })).findings).toHaveLength(2);
    expect(said.join('')).toBe('none of the 2 reported files exists in /builds/x: src/x.js, /etc/y.js\n');
  });

  it('names some of many files, and no control characters', async () => {
    const many = lines(...Array.from({ length: 9 }, (_, i) => `src/${i}\u001b[2J.js:1: no`));
    await expect(load({ files: many, workTree: '/app' }, asLines)).rejects.toThrow(/exists in \/app: src\/0[^\u001b]+ and 6 more$/);
  });

  it('is not one whose findings name no file', async () => {
    const text = JSON.stringify({ runs: [{ tool: { driver: { name: 'lint' } }, results: [{ message: { text: 'no' } }] }] });
    expect((await load({ files: { report: text }, workTree: '/app' })).findings).toHaveLength(1);
  });
});

describe('a path of SARIF below a base address', () => {
  const trivy = (base: string, uri: string) => JSON.stringify({ runs: [{
    tool: { driver: { name: 'Trivy' } }, originalUriBaseIds: { ROOTPATH: { uri: base } },
    results: [{ message: { text: 'no' }, locations: [{ physicalLocation: { artifactLocation: { uri, uriBaseId: 'ROOTPATH' }, region: { startLine: 1 } } }] }],
  }] });
  const found = async (base: string, uri: string, files: Readonly<Record<string, string>>, options: Partial<LoadOptions> = {}) => {
    const { app, said } = await heardApp({ files: { report: trivy(base, uri), ...files }, workTree: '/app' });
    const { findings } = await loadReports(app, { files: ['report'], format: 'sarif', ...options });
    return [findings[0]!.finding.file, said.join('')];
  };

  it('of a container is that of the same name here', async () => {
    expect(await found('file:///', 'Dockerfile', { '/app/Dockerfile': '' })).toEqual(['Dockerfile', 'found 1 reported file below /app, such as Dockerfile\n']);
    expect(await found('file:///project/', 'my%20app/go.mod', { '/app/my app/go.mod': '' }))
      .toEqual(['my app/go.mod', 'found 1 reported file below /app, such as my app/go.mod\n']);
    expect((await found('file:///project/', 'go.mod', { '/app/api/go.mod': '' }))[0]).toBe('api/go.mod');
    expect((await found('file:///project/', 'go.mod', { '/app/api/go.mod': '', '/app/web/go.mod': '' }, { prefix: 'web' }))[0]).toBe('web/go.mod');
    await expect(found('file:///project/', 'go.mod', { '/app/api/go.mod': '', '/app/web/go.mod': '' })).rejects.toThrow('does not exist in /app');
  });

  it('that may be a folder of the repository is in that folder first, and may be at the top', async () => {
    const both = { '/app/src/a.js': '', '/app/web/src/a.js': '' };
    expect(await found('file:///builds/acme/web/', 'src/a.js', both)).toEqual(['web/src/a.js', 'cannot tell where 1 reported file is: '
      + '/builds/acme/web/src/a.js is web/src/a.js or src/a.js; pass --strip PREFIX\n']);
    expect(await found('file:///builds/acme/web/', 'src/a.js', { ...both, '/app/a.js': '' }, { prefix: 'web' }))
      .toEqual(['web/src/a.js', 'found 1 reported file below /app, such as web/src/a.js\n']);
    expect((await found('file:///builds/acme/api/', 'src/a.js', both))[0]).toBe('src/a.js');
    expect((await found('file:///builds/acme/web/', 'a.js', { '/app/web/a.js': '', '/app/api/a.js': '' }))[0]).toBe('web/a.js');
  });

  it('of this machine is the file there', async () => {
    expect(await found('file:///app/', 'api/go.mod', { '/app/api/go.mod': '', '/app/web/api/go.mod': '' })).toEqual(['api/go.mod', '']);
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
    const [one, other] = await Promise.all(['a\n', 'b\n'].map((line) => fingerprint({ '/app/src/a.js': Buffer.alloc(10_485_761, line) })));
    expect(one).toEqual(other);
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
