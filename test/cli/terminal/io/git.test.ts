import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { trackedFiles } from '../../../../src/cli/terminal/io/git.js';
import { repository } from '../../../support/repositories.js';

const opened = () => {
  const repo = repository();
  const first = repo.commit({ 'a.txt': 'a\n', 'sub/*.txt': 'star\n', 'sub/b.txt': 'b\n' });
  return { repo, first, files: trackedFiles(async () => repo.folder) };
};
const bytes = (text: string) => Buffer.from(text);
const codeOf = (reading: Promise<unknown>) => reading.then(() => null, ({ code }: NodeJS.ErrnoException) => code);

describe('the files that git tracks', () => {
  it('have the content of a revision, if that has them', async () => {
    const { repo, first, files } = opened();
    repo.commit({ 'a.txt': 'changed\n' });
    const read = async (revision: string, path: string) => (await files.at(revision, path))?.toString() ?? null;
    expect([
      await read(first, 'a.txt'), await read('HEAD', 'a.txt'), await read(first, 'none'), await read(first, 'sub'),
      await read('--all', 'a.txt'), await read('f'.repeat(40), 'a.txt'),
    ]).toEqual(['a\n', 'changed\n', null, null, null, null]);
  });

  it('are read by their exact path', async () => {
    const { repo, files } = opened();
    repo.write({ 'new.txt': 'x\n' });
    expect(Buffer.from(await files.read('sub/*.txt')).toString()).toBe('star\n');
    expect(await Promise.all(['new.txt', 'none', 'sub', '../a.txt', '/etc/hostname', '.git/config', ':(top)a.txt', ''].map((path) => codeOf(files.read(path)))))
      .toEqual(Array(8).fill('EUNTRACKED'));
    expect(await codeOf(trackedFiles(async () => null).read('a.txt'))).toBe('ENOTREE');
  });

  it('are no links, and not behind one', async () => {
    const { repo, files } = opened();
    symlinkSync('a.txt', join(repo.folder, 'link'));
    repo.git('add', '.');
    expect(await codeOf(files.read('link'))).toBe('ELINK');
    repo.git('rm', '-q', '--cached', 'a.txt');
    mkdirSync(join(repo.folder, 'other'));
    repo.git('mv', 'sub', 'other/sub');
    symlinkSync('other/sub', join(repo.folder, 'sub'));
    repo.git('reset', '-q');
    expect(await codeOf(files.read('sub/b.txt'))).toBe('ELINK');
  });

  it('are replaced together and keep their mode', async () => {
    const { repo, files } = opened();
    chmodSync(join(repo.folder, 'a.txt'), 0o755);
    await files.replace(new Map([['a.txt', bytes('A\n')], ['sub/b.txt', bytes('B\n')]]));
    expect([repo.read('a.txt'), repo.read('sub/b.txt'), lstatSync(join(repo.folder, 'a.txt')).mode & 0o777]).toEqual(['A\n', 'B\n', 0o755]);
    expect(readdirSync(repo.folder).sort()).toEqual(['.git', 'a.txt', 'sub']);
  });

  it('stay as they were if one of them cannot be replaced', async () => {
    const { repo, files } = opened();
    await expect(files.replace(new Map([['a.txt', bytes('A\n')], ['none/b.txt', bytes('B\n')]]))).rejects.toThrow('ENOENT');
    expect([repo.read('a.txt'), existsSync(join(repo.folder, 'none')), readdirSync(repo.folder).length]).toEqual(['a\n', false, 3]);
  });

  it('are committed alone, and the words of git explain a failure', async () => {
    const { repo, files } = opened();
    repo.write({ 'a.txt': 'A\n', 'sub/b.txt': 'B\n' });
    const { signal } = new AbortController();
    expect(await files.commit(['a.txt'], '# Title\n\n# text', signal)).toBe(repo.git('rev-parse', 'HEAD'));
    expect([repo.git('log', '-1', '--format=%B'), repo.git('status', '--porcelain')]).toEqual(['# Title\n\n# text', 'M sub/b.txt']);
    await expect(files.commit(['none.txt'], 'again', signal)).rejects.toThrow(/^error: pathspec .*none.txt/);
  });
});
