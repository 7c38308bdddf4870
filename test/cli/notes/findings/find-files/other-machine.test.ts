import { describe, expect, it } from 'vitest';
import { loadReports, type LoadOptions } from '../../../../../src/cli/notes/findings/load.js';
import { testApp } from '../../../../support/app.js';
import { placesInTree } from '../../../../support/reports.js';
import { everyRow } from '../../../../support/rows.js';

describe('a path of another machine', () => {
  const eslint = (...files: readonly string[]) => JSON.stringify(files.map((filePath) => ({
    filePath, messages: [{ ruleId: 'r', message: 'no', line: 1, severity: 2 }] })));
  const tree = ['src/delivery/send.ts', 'src/index.ts', 'web/src/index.ts'];
  const places = async (files: readonly string[], options: Partial<LoadOptions> = {}) =>
    (await placesInTree('eslint', eslint(...files), tree, options)).places;

  it('is the file that its end names, if there is exactly one', () => everyRow<readonly [string, string]>([
    ['/app/src/delivery/send.ts', 'src/delivery/send.ts:1'], ['/builds/acme/shop/src/delivery/send.ts', 'src/delivery/send.ts:1'],
    ['C:\\agent\\_work\\src\\delivery\\send.ts', 'src/delivery/send.ts:1'], ['file:///app/src/delivery/send.ts', 'src/delivery/send.ts:1'],
    ['/app/index.ts', ''], ['/app/web/src/index.ts', 'web/src/index.ts:1'],
  ], ([path]) => path, async ([path, place]) => {
    if (place !== '') return expect(await places([path])).toEqual([place]);
    await expect(places([path])).rejects.toMatchObject({ code: 'usage', hint: expect.stringContaining('pass --strip PREFIX') as string });
  }));

  it('is not that of a file outside of the repository, which this machine has', async () => {
    const files = { report: eslint('/sdk/a.js', '../sdk/b.js', '/sdk/c.js', 'c.js'), '/sdk/a.js': '', '/sdk/b.js': '', '/repo/a.js': '',
      '/repo/src/b.js': '', '/repo/c.js': '' };
    const { app } = await testApp({ files, workTree: '/repo' });
    const filesIn = async (given: typeof app) => (await loadReports(given, { files: ['report'], format: 'eslint', key: 'k' })).findings
      .map(({ finding }) => finding.file);
    expect(await filesIn(app)).toEqual(['../sdk/b.js', '/sdk/a.js', 'c.js', 'c.js']);
    const realPath = async (path: string) => path === '/sdk/a.js' ? 'a.js' : null;
    expect(await filesIn({ ...app, files: { ...app.files, realPath } }), 'through a link').toEqual(['../sdk/b.js', 'a.js', 'c.js', 'c.js']);
  });

  it('is decided by other files of the same folder there', async () => {
    expect(await places(['/app/src/index.ts', '/app/src/delivery/send.ts'])).toEqual(['src/delivery/send.ts:1', 'src/index.ts:1']);
  });

  it('is that of the longest end if a shorter one is a file too, and may be that one, unless other files decide', async () => {
    const both = ['app/src/a.ts', 'src/a.ts', 'api/b.ts', 'app/c.ts'];
    const read = (...files: readonly string[]) => placesInTree('eslint', eslint(...files.map((file) => `/builds/app/${file}`)), both);
    const unclear = await read('src/a.ts');
    expect([unclear.places, unclear.findings[0]!.otherPlaces]).toEqual([['app/src/a.ts:1'], [{ file: 'src/a.ts', line: 1 }]]);
    expect(unclear.said).toBe('cannot tell where 1 reported file is: /builds/app/src/a.ts is app/src/a.ts or src/a.ts; pass --strip PREFIX\n');
    const { places: decided, findings, said } = await read('src/a.ts', 'api/b.ts');
    expect([decided, findings[1]!.otherPlaces, said]).toEqual([['api/b.ts:1', 'src/a.ts:1'], undefined,
      'found 2 reported files below /repo/app, such as src/a.ts\n']);
    expect((await read('src/a.ts', 'c.ts')).places).toEqual(['app/c.ts:1', 'app/src/a.ts:1']);
  });

  it('is named if it is not found, or could be several files', async () => {
    const { places: found, said } = await placesInTree('eslint', eslint('/x/src/index.ts', 'src/delivery/send.ts'), tree);
    expect([found, said]).toEqual([['/x/src/index.ts:1', 'src/delivery/send.ts:1'],
      'cannot tell where 1 reported file is: /x/src/index.ts exists below the top and web; pass --strip PREFIX\n']);
    await expect(places(['/x/gone.ts'])).rejects.toMatchObject({ message: 'the reported file /x/gone.ts does not exist in /repo/app',
      hint: 'pass --strip PREFIX, the folder of the repository where the tool ran, or run the command in that repository' });
  });

  it('may mix slashes, but a file of that very name comes first', async () => {
    expect(await places(['./src\\delivery\\send.ts', 'C:/app\\src\\delivery\\send.ts'])).toEqual(Array(2).fill('src/delivery/send.ts:1'));
    expect(await places(['C:/app\\src\\index.ts'], { strip: 'C:\\app' })).toEqual(['src/index.ts:1']);
    expect((await placesInTree('eslint', eslint('src/a\\b.ts'), ['src/a\\b.ts', 'src/a/b.ts'])).places).toEqual(['src/a\\b.ts:1']);
  });

  it('loses --strip, before --prefix is added', () => everyRow<readonly [string, string, string, Partial<LoadOptions>]>([
    ['absolute', '/app/src/index.ts', 'src/index.ts:1', { strip: '/app' }], ['with a slash', '/app/src/index.ts', 'src/index.ts:1', { strip: '/app/' }],
    ['a URL', 'file:///app/src/index.ts', 'src/index.ts:1', { strip: '/app' }], ['a Windows path', 'C:\\a\\src\\index.ts', 'src/index.ts:1', { strip: 'C:\\a' }],
    ['a relative path', 'example.com/acme/src/index.ts', 'src/index.ts:1', { strip: 'example.com/acme' }],
    ['below a prefix', '/app/src/index.ts', 'web/src/index.ts:1', { strip: '/app', prefix: 'web' }],
    ['the root', '/src/index.ts', 'src/index.ts:1', { strip: '/' }],
  ], ([name]) => name, async ([, path, place, options]) => { expect(await places([path], options)).toEqual([place]); }));

  it('does not lose a --strip that it does not begin with, which is said', async () => {
    const { places: found, said } = await placesInTree('eslint', eslint('/app/src/delivery/send.ts'), tree, { strip: '/ap' });
    expect([found, said]).toEqual([['src/delivery/send.ts:1'],
      'no reported path begins with --strip /ap\nfound 1 reported file below /repo/app, such as src/delivery/send.ts\n']);
  });

  it('never leads out of the root', async () => {
    await expect(places(['/app/../etc/passwd'], { strip: '/app' })).rejects.toThrow('does not exist');
    await expect(places(['/app/x/../../../etc/passwd'], { strip: '/app/x' })).rejects.toThrow('does not exist');
  });
});
