import { chmodSync, existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { callOf, writeCommand } from '../../../../src/cli/agents/commands.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { applyPatch, suggestionWorld, threadId } from '../../../support/suggestions.js';

const two = [
  { line: 5, text: 'FIFTH\n' }, { line: 12, text: 'eleven\ntwelve\n', above: 1, author: 'reporter' },
  { path: 'src/b.txt', line: 2, text: '' },
];

type Json = readonly { readonly notes: readonly { readonly suggestions?: readonly object[] }[] }[];

const withOdd = (threads: Json, body: string, odd: object) => threads.map((thread) => ({ ...thread, notes: thread.notes.map((note) =>
  ({ ...note, body, suggestions: note.suggestions?.map((one) => ({ ...one, ...odd })) })) }));

const problem = (text: string) => ({ code: 1, out: '', err: expect.stringContaining(text) as string });

describe('discussions suggestions', () => {
  it('prints all of them as one patch that git applies', async () => {
    const { run, repo } = await suggestionWorld(two);
    const { code, out } = await run();
    expect([code, out]).toEqual([0, expect.stringMatching(/^diff --git a\/src\/a.txt b\/src\/a.txt\n--- a/) as string]);
    applyPatch(repo, out);
    expect(repo.read('src/a.txt')).toContain('line 4\nFIFTH\nline 6\n');
    expect(repo.read('src/a.txt')).toContain('line 10\neleven\ntwelve\nline 13\n');
    expect(repo.read('src/b.txt')).toMatch(/^line 1\nline 3\n/);
  });

  it('prints what the page of the note shows: without the spaces of a list, and nothing of a comment', async () => {
    const body = '<!--\n```suggestion\nhidden\n```\n-->\n\n- Use:\n\n  ```suggestion:-1\n      FIFTH\n  ```';
    const { run, repo } = await suggestionWorld([{ line: 5, text: '', body }]);
    applyPatch(repo, (await run()).out);
    expect(repo.read('src/a.txt')).toContain('line 3\n    FIFTH\nline 6\n');
  });

  it('prints the same changes from the diff alone, with the lines that it shows', async () => {
    const { run, repo } = await suggestionWorld([two[0]!, two[2]!], false);
    applyPatch(repo, (await run()).out);
    expect([repo.read('src/a.txt').includes('line 4\nFIFTH\nline 6\n'), repo.read('src/b.txt').startsWith('line 1\nline 3\n')]).toEqual([true, true]);
    const other = await suggestionWorld([two[1]!], false);
    expect(await other.run()).toMatchObject(problem('cannot read line 11 of src/a.txt at the head of mr/1'));
  });

  it('prints those of the named threads, and records', async () => {
    const { run } = await suggestionWorld(two);
    expect((await run(threadId(0))).out.match(/^@@/gm)).toHaveLength(1);
    expect(JSON.parse((await run('901', '--json')).out)).toEqual([{
      thread: threadId(1), note: 901, author: 'reporter', path: 'src/a.txt', from_line: 11, to_line: 12, text: 'eleven\ntwelve\n',
    }]);
  });

  it('changes the files of the work tree, which keep their mode', async () => {
    const { run, repo } = await suggestionWorld(two);
    const mode = () => lstatSync(join(repo.folder, 'src/a.txt')).mode;
    const before = mode();
    expect(await run('--apply')).toMatchObject({ code: 0, out: '', err: 'applied 3 suggestions to 2 files\n' });
    expect(repo.git('diff', '--stat')).toContain('2 files changed');
    expect([mode() === before, repo.git('status', '--porcelain')]).toEqual([true, 'M src/a.txt\n M src/b.txt']);
  });

  it('warns before it applies one that the service refuses because of its length', async () => {
    const { run } = await suggestionWorld([{ line: 5, text: 'all\n', below: 100 }, { path: 'src/b.txt', line: 2, text: 'all\n', below: 101 }]);
    expect(await run('--apply')).toMatchObject({ code: 0, err: [
      'the suggestion on src/b.txt:2-103 by guest (note 901) spans more than 100 lines: the service refuses to apply it',
      'applied 2 suggestions to 2 files\n',
    ].join('\n') });
  });

  it('changes files of which the diff is all that is known', async () => {
    const { run, repo } = await suggestionWorld([two[0]!], false);
    expect((await run('--apply')).code).toBe(0);
    expect(repo.read('src/a.txt')).toContain('\nFIFTH\n');
  });

  it('commits them alone, with their authors', async () => {
    const { run, repo } = await suggestionWorld(two);
    repo.write({ 'other.txt': 'mine\n' });
    repo.git('add', 'other.txt');
    const { code, err } = await run('--commit');
    expect([code, err]).toEqual([0, expect.stringMatching(/^applied 3 suggestions to 2 files in commit [0-9a-f]{8}\n$/) as string]);
    expect(repo.git('log', '-1', '--format=%an|%B')).toBe(['Own|Apply 3 suggestions to 2 files', '',
      'Co-authored-by: Gus Guest <6-guest@users.noreply.service.test>',
      'Co-authored-by: Rita Reporter <5-reporter@users.noreply.service.test>'].join('\n'));
    expect(repo.git('status', '--porcelain')).toBe('A  other.txt');
  });

  it('changes nothing when git rejects the commit', async () => {
    const { run, repo } = await suggestionWorld(two);
    writeFileSync(join(repo.folder, '.git/hooks/pre-commit'), '#!/bin/sh\necho "no commits today" >&2\nexit 1\n', { mode: 0o755 });
    expect(await run('--commit')).toMatchObject(problem('git cannot commit: no commits today'));
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  describe('that ends during a hook of git', () => {
    type TestWorld = Awaited<ReturnType<typeof testApp>>;
    const stopped = async (hook: string, stop: (world: TestWorld) => void) => {
      const { repo, options } = await suggestionWorld(two);
      const marker = join(repo.folder, '.git/hook-runs');
      repo.write({ [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch '${marker}'\nwhile [ -e '${marker}' ]; do sleep 0.1; done\n` });
      chmodSync(join(repo.folder, '.git/hooks', hook), 0o755);
      const world = await testApp(options);
      const running = world.run('discussions', 'suggestions', '!1', '--commit', '--deadline=5s');
      await vi.waitFor(() => { expect(existsSync(marker)).toBe(true); }, { timeout: 30_000 });
      stop(world);
      const { code, err } = await running;
      const commits = repo.git('log', '--format=%H').split('\n');
      return { code, err, status: repo.git('status', '--porcelain'), commit: commits[0]!.slice(0, 8), count: commits.length };
    };

    it.each([
      ['is interrupted', 130, 'colloquy: interrupted\nnothing was changed\n', (world: TestWorld) => world.stop.abort()],
      ['passes its deadline', 10, 'colloquy: the command did not end within 5s\npass a longer --deadline\nnothing was changed\n',
        (world: TestWorld) => world.passDeadline()],
    ])('restores the files when it %s before the commit', async (_, code, err, stop) => {
      expect(await stopped('pre-commit', stop)).toMatchObject({ code, err, status: '', count: 2 });
    });

    it('names the commit when that is made', async () => {
      const { commit, ...interrupted } = await stopped('post-commit', (world) => world.stop.abort());
      expect(interrupted).toEqual({ code: 0, err: `applied 3 suggestions to 2 files in commit ${commit}\n`, status: '', count: 3 });
      const late = await stopped('post-commit', (world) => world.passDeadline());
      expect(late).toMatchObject({ code: 10, status: '', count: 3 });
      expect(late.err).toContain(`pass a longer --deadline\ncommitted 2 files as ${late.commit}\n`);
    });
  });

  it('commits no file whose staged content would be lost, and keeps that when it changes the file', async () => {
    const { run, repo } = await suggestionWorld(two);
    const before = repo.read('src/b.txt');
    repo.write({ 'src/b.txt': `${before}staged\n` });
    repo.git('add', 'src/b.txt');
    repo.write({ 'src/b.txt': before });
    expect(await run('--commit')).toMatchObject(problem('src/b.txt has changes that are not committed'));
    expect([repo.git('diff', 'HEAD'), repo.git('show', ':src/b.txt')]).toEqual(['', `${before}staged`]);
    expect([(await run('--apply')).code, repo.git('show', ':src/b.txt')]).toEqual([0, `${before}staged`]);
  });

  it('changes no file when one of them differs from the head', async () => {
    for (const isKnown of [true, false]) {
      const { run, repo } = await suggestionWorld([two[0]!, two[2]!], isKnown);
      repo.write({ 'src/b.txt': `${repo.read('src/b.txt')}mine\n` });
      const { code, err } = await run('--apply');
      const text = isKnown ? 'src/b.txt differs from the head of mr/1' : 'src/b.txt has changes that are not committed';
      expect([code, err]).toEqual([1, expect.stringContaining(text) as string]);
      expect(repo.read('src/a.txt')).toContain('fifth');
    }
  });

  it.each([['at a file', false], ['in the path', true]])('changes no file behind a link %s', async (_, isFolder) => {
    const { run, repo } = await suggestionWorld([two[0]!]);
    const [from, to] = [join(repo.folder, isFolder ? 'src' : 'src/a.txt'), join(repo.folder, 'moved')];
    renameSync(from, to);
    symlinkSync(to, from);
    expect(await run('--apply')).toMatchObject(problem('cannot change src/a.txt: it is behind a link'));
    expect(repo.git('status', '--porcelain')).not.toContain('FIFTH');
  });

  it.each([
    ['outside the work tree', '../outside.txt'], ['of git', '.git/config'], ['with an absolute path', '/etc/hostname'],
    ['that git does not track', 'new.txt'],
  ])('changes no file %s', async (_, path) => {
    const { run, repo } = await suggestionWorld([{ path, line: 1, text: 'x\n' }]);
    repo.write({ 'new.txt': 'line 1\n' });
    const { code, err } = await run('--apply');
    expect([code, err]).toEqual([1, expect.stringContaining(path) as string]);
    expect([existsSync(join(repo.folder, '../outside.txt')), repo.git('status', '--porcelain')]).toEqual([false, '?? new.txt']);
  });

  it('changes no file that was committed as a link, or that a folder replaced', async () => {
    const { run, repo } = await suggestionWorld([two[0]!]);
    rmSync(join(repo.folder, 'src/a.txt'));
    symlinkSync('b.txt', join(repo.folder, 'src/a.txt'));
    repo.git('add', '.');
    expect(await run('--apply')).toMatchObject(problem('it is behind a link'));
    rmSync(join(repo.folder, 'src/a.txt'));
    mkdirSync(join(repo.folder, 'src/a.txt'));
    repo.write({ 'src/a.txt/b': '1\n' });
    expect((await run('--apply')).code).toBe(1);
  });

  it('rejects overlapping ones and names both', async () => {
    const { run, repo } = await suggestionWorld([{ line: 7, text: 'a\n', above: 2 }, { line: 6, text: 'b\n', author: 'reporter' }]);
    expect(await run('--apply')).toMatchObject({ code: 2, err: expect.stringContaining(
      'src/a.txt:5-7 by guest (note 900) and src/a.txt:6 by reporter (note 901)') as string });
    expect(repo.git('status', '--porcelain')).toBe('');
    expect((await run(threadId(1), '--apply')).code).toBe(0);
  });

  it('leaves out resolved ones and those on older versions unless their threads are named', async () => {
    const { run } = await suggestionWorld([two[0]!, { line: 8, text: 'x\n', resolved: true }, { line: 9, text: 'y\n', head: 'd'.repeat(40) }]);
    const { out, err } = await run();
    expect(out.match(/^@@/gm)).toHaveLength(1);
    expect(err).toBe('left out 1 suggestion in resolved threads\nleft out 1 suggestion on older versions of the diff\n');
    expect((await run(threadId(1))).out).toContain('+x\n');
    expect(await run(threadId(2))).toMatchObject(problem('is on an older version of mr/1'));
  });

  it('uses the text of the note in place of an incomplete one of the service, and leaves it out if there is none', async () => {
    const changed = async (body: string, odd: object) => {
      const { options, repo } = await suggestionWorld([two[0]!]);
      const answer = async (request: HttpRequest) => {
        const response = await options.service!.handle(request);
        const isList = request.target.includes('/discussions');
        return isList ? { ...response, body: JSON.stringify(withOdd(JSON.parse(String(response.body)) as Json, body, odd)) } : response;
      };
      const { code, err } = await ranIn({ ...options, answer }, 'discussions', 'suggestions', '!1', '--apply');
      return [code, err, repo.read('src/a.txt').split('\n').slice(3, 6)];
    };
    const block = '```suggestion\nFIFTH\n```';
    const applied = 'applied 1 suggestion to 1 file\n';
    expect(await changed(block, { to_content: undefined })).toEqual([0, applied, ['line 4', 'FIFTH', 'line 6']]);
    expect(await changed(block, { from_line: 9, to_line: 6 })).toEqual([0, applied, ['line 4', 'FIFTH', 'line 6']]);
    expect(await changed('no block', { to_content: undefined })).toEqual([0,
      'left out 1 suggestion that the service sent incompletely\nno suggestions to apply on mr/1\n', ['line 4', 'fifth', 'line 6']]);
  });

  it('leaves out one whose other lines changed since, and refuses it if its thread is named', async () => {
    const { options, repo } = await suggestionWorld([two[2]!, { line: 5, text: 'four\nfive\n', above: 1 }]);
    const made: Readonly<Record<string, string>> = { 'line 4\nfifth\n': 'earlier 4\nfifth\n', 'second\n': 'second\r\n' };
    const answer = async (request: HttpRequest) => {
      const response = await options.service!.handle(request);
      const changed = JSON.stringify(JSON.parse(String(response.body)), (key, value: unknown) =>
        key === 'from_content' ? made[String(value)] ?? value : value);
      return request.target.includes('/discussions') ? { ...response, body: changed } : response;
    };
    const run = (...words: string[]) => ranIn({ ...options, answer }, 'discussions', 'suggestions', '!1', ...words);
    expect(await run('--apply')).toMatchObject({
      code: 0, err: 'left out 1 suggestion on lines that changed since\napplied 1 suggestion to 1 file\n',
    });
    expect(repo.git('diff')).not.toContain('five');
    repo.git('checkout', '.');
    expect(await run(threadId(1), '--apply')).toMatchObject(problem('(note 901) is on lines that changed since'));
    expect(await run(threadId(1))).toMatchObject(problem('(note 901) is on lines that changed since'));
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('shows what a dry run would change, and changes nothing', async () => {
    const { run, repo } = await suggestionWorld(two);
    const { code, out, err } = await run('--commit', '--dry-run');
    expect([code, err]).toEqual([0, 'would apply 3 suggestions\n']);
    expect(out).toContain('+FIFTH\n');
    expect(repo.git('log', '--oneline').split('\n')).toHaveLength(2);
  });

  it.each(['--apply', '--commit'])('prints the records alone in a dry run of %s with --json', async (flag) => {
    const { run } = await suggestionWorld(two);
    const { code, out } = await run(flag, '--dry-run', '--json');
    expect([code, JSON.parse(out)]).toEqual([0, JSON.parse((await run('--json')).out)]);
  });

  it('refuses in a dry run what it would refuse to change', async () => {
    const { run, repo } = await suggestionWorld(two);
    repo.write({ 'src/b.txt': `${repo.read('src/b.txt')}mine\n` });
    expect(await run('--apply', '--dry-run')).toMatchObject(problem('src/b.txt differs from the head of mr/1'));
    repo.git('checkout', '.');
    repo.write({ 'src/b.txt': `${repo.read('src/b.txt')}mine\n` });
    repo.git('add', '.');
    repo.write({ 'src/b.txt': repo.git('show', 'HEAD:src/b.txt') + '\n' });
    expect(await run('--commit', '--dry-run')).toMatchObject(problem('src/b.txt has changes that are not committed'));
    expect((await run('--apply', '--dry-run')).code).toBe(0);
    const elsewhere = await suggestionWorld([{ path: 'new.txt', line: 1, text: 'x\n' }]);
    expect((await elsewhere.run('--apply', '--dry-run')).code).toBe(1);
  });

  it('are applied by agents, all of a merge request or those of one thread', async () => {
    const { options, repo } = await suggestionWorld(two);
    const { app } = await testApp(options);
    const apply = async (thread?: string) =>
      callOf(app, [])(writeCommand({ action: 'apply', ref: 'mr/1', ...thread && { thread } }), new AbortController().signal);
    expect(await apply(threadId(1))).toMatchObject({ code: 0, out: `${threadId(1)}\n` });
    expect(repo.git('diff')).toMatch(/^-line 11\n-line 12\n\+eleven\n\+twelve$/m);
    repo.git('checkout', '.');
    expect(await apply()).toMatchObject({ code: 0, out: `${threadId(0)}\n${threadId(1)}\n${threadId(2)}\n` });
    expect(await apply('f00f00')).toMatchObject({ code: 6, error: { code: 'not_found' } });
  });

  it('commits nothing when the files have the lines already', async () => {
    const { run, repo } = await suggestionWorld([{ line: 5, text: 'fifth\n' }]);
    expect(await run('--commit')).toMatchObject(problem('mr/1 has the suggested lines already'));
    expect(repo.git('log', '--oneline').split('\n')).toHaveLength(2);
  });

  it('escapes the lines at a terminal, not in a pipe', async () => {
    const { run, runAtTerminal } = await suggestionWorld([{ line: 5, text: '\u001b[31mred\n' }]);
    expect((await runAtTerminal()).out).not.toContain('\u001b');
    expect((await run()).out).toContain('+\u001b[31mred\n');
  });

  it('prints nothing without suggestions, and rejects an issue', async () => {
    expect(await ran('discussions', 'suggestions', '!1')).toMatchObject({ code: 0, out: '', err: 'no suggestions to apply on mr/1\n' });
    expect((await ran('discussions', 'suggestions', '!1', '--json')).out).toBe('[]\n');
    expect((await ran('discussions', 'suggestions', '#1')).code).toBe(2);
  });
});
