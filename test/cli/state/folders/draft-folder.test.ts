import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DraftFolder } from '../../../../src/cli/app.js';
import { draftFolder } from '../../../../src/cli/state/folders.js';
import { json } from '../../../support/answers.js';
import { testApp } from '../../../support/app.js';
import { sentBody } from '../../../support/editor-calls.js';
import { canMount, makeReadOnly, ownDisk } from '../../../support/disks.js';

let home: string;
beforeEach(async () => { home = await mkdtemp(join(tmpdir(), 'colloquy-state-')); });
afterEach(() => rm(home, { recursive: true }));

const disks = canMount() ? ['64k'] : [];

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('drafts', () => {
  it('are readable and writable by their owner only', async () => {
    const drafts = draftFolder(() => join(home, 'a', 'b'));
    const path = await drafts.write('one.md', 'text\n');
    expect(path).toBe(drafts.pathOf('one.md'));
    expect([await modeOf(path), await modeOf(dirname(path))]).toEqual(['600', '700']);
    expect([await drafts.names(), await drafts.read(path)]).toEqual([['one.md'], 'text\n']);
    await drafts.remove(path);
    await drafts.remove(path);
    expect(await drafts.names()).toEqual([]);
  });

  it('keep the mode of an existing folder', async () => {
    await mkdir(join(home, 'drafts'));
    await chmod(join(home, 'drafts'), 0o755);
    const path = await draftFolder(() => home).write('one.md', '');
    expect([await modeOf(join(home, 'drafts')), await modeOf(path)]).toEqual(['755', '600']);
  });

  it('are empty without a folder', async () => {
    expect(await draftFolder(() => join(home, 'none')).names()).toEqual([]);
  });

  it('never overwrite another draft, and use another folder if theirs cannot be created', async () => {
    const drafts = draftFolder(() => home);
    await drafts.write('one.md', 'first');
    const second = await drafts.write('one.md', 'second');
    expect(await drafts.read(drafts.pathOf('one.md'))).toBe('first');
    await writeFile(join(home, 'file'), '');
    const third = await draftFolder(() => join(home, 'file')).write('one.md', 'third');
    for (const [path, text] of [[second, 'second'], [third, 'third']] as const) {
      expect(await drafts.read(path)).toBe(text);
      expect([await modeOf(path), await modeOf(dirname(path)), await readdir(dirname(path))]).toEqual(['600', '700', ['one.md']]);
      await drafts.remove(path);
      await expect(stat(dirname(path))).rejects.toMatchObject({ code: 'ENOENT' });
    }
  });

  describe.each(disks)('on a full disk of %s', (room) => {
    const rejected = (drafts: DraftFolder, stdin: string) =>
      testApp({ draftFolder: drafts, stdin, answer: () => json(401, { message: '401 Unauthorized' }) });
    const textsIn = async ({ names, read, pathOf }: DraftFolder) => Promise.all((await names()).map((name) => read(pathOf(name))));
    const full = () => {
      const folder = ownDisk(room);
      return draftFolder(() => folder);
    };

    it('stay whole when the service rejects them, also for a second time', async () => {
      const [drafts, text] = [full(), 'x'.repeat(40_000)];
      const { run } = await rejected(drafts, text);
      for (const flags of [[], ['--recover']]) {
        expect(await run('notes', 'add', '!1', ...flags)).toMatchObject({ code: 4, err: expect.stringContaining('run again with --recover') as string });
        expect((await textsIn(drafts)).map((one) => one === text)).toEqual([true]);
      }
    });

    it('are in another folder if they do not fit, and not in part in theirs', async () => {
      const [drafts, text] = [full(), 'x'.repeat(100_000)];
      const { err } = await (await rejected(drafts, text)).run('notes', 'add', '!1');
      const path = /draft saved; send it with -F \((.*)\)/.exec(err)![1]!;
      expect([await drafts.read(path) === text, await drafts.names()]).toEqual([true, []]);
      await drafts.remove(path);
    });
  });

  describe.each(disks)('on a disk of %s that is read-only now', (room) => {
    const readOnly = async (...names: string[]) => {
      const folder = ownDisk(room);
      const drafts = draftFolder(() => folder);
      for (const name of names) await drafts.write(name, 'text');
      return { drafts, lock: () => makeReadOnly(folder) };
    };

    it.each([401, 500])('are sent by --recover after a response of %i, with a warning that they are still there', async (status) => {
      const { drafts, lock } = await readOnly();
      const state = { isBroken: true };
      const { run } = await testApp({ draftFolder: drafts, stdin: 'text',
        answer: ({ method }) => state.isBroken && method === 'POST' ? json(status, { message: 'no' }) : undefined });
      await run('notes', 'add', '!1', '--retries', '0');
      state.isBroken = false;
      lock();
      const { code, out, err } = await run('notes', 'add', '!1', '--recover', '-o', 'id');
      const [name] = await drafts.names();
      expect([code, out]).toEqual([0, expect.stringMatching(/^\d+\n$/)]);
      expect(err).toContain(`warning: cannot remove the saved text ${drafts.pathOf(name!)}: the disk is read-only\n`);
    });

    it('are written elsewhere although old ones cannot be removed', async () => {
      const { drafts, lock } = await readOnly('1-1-0123456789abcdef-notes-add-mr-2.md');
      lock();
      const { run } = await testApp({ draftFolder: drafts, stdin: 'text', answer: () => json(401, { message: 'no' }) });
      const { err } = await run('notes', 'add', '!1');
      const path = /draft saved; send it with -F \((.*)\)/.exec(err)![1]!;
      expect([await drafts.read(path), err]).toEqual(['text', expect.not.stringContaining('no draft')]);
      await drafts.remove(path);
    });
  });

  it.each([
    ['Latin-1', (page: string) => Buffer.from(`caf\u00e9\n${page}`, 'latin1')],
    ['UTF-16', (page: string) => Buffer.from(`\ufeffHello\n${page}`, 'utf16le')],
  ])('that an editor saved as %s are not sent, stay as they are, and are recovered once they are UTF-8', async (_, saved) => {
    const drafts = draftFolder(() => home);
    const world = await testApp({ draftFolder: drafts, terminal: true, columns: 400 });
    const edits = (change: (page: string) => string | Buffer) => Object.assign(world.app.ask, {
      edit: async (path: string) => { await writeFile(path, change(await readFile(path, 'utf8'))); } });
    edits(saved);
    const { code, err, sent } = await world.run('notes', 'add', '!1', '-e');
    const [name] = await drafts.names();
    const path = drafts.pathOf(name!);
    expect([code, sent, err]).toEqual([2, [], `colloquy: ${path} is not UTF-8 text\nconvert it to UTF-8 first\n`
      + `draft saved; run again with --recover (${path})\n`]);
    expect((await world.run('saved', 'list')).err).toBe(`warning: ${path} is not UTF-8 text\nno saved comments\n`);
    await writeFile(path, 'Bonjour\n');
    edits((page) => page);
    const recovered = await world.run('notes', 'add', '!1', '--recover');
    expect([recovered.code, sentBody(recovered)]).toEqual([0, 'Bonjour']);
  });

  it('that are pages of reviews are opened again by --resume if the editor did not save UTF-8', async () => {
    const world = await testApp({ draftFolder: draftFolder(() => home), terminal: true, columns: 400 });
    Object.assign(world.app.ask, { edit: async (path: string) => { await writeFile(path, Buffer.of(0x63, 0xe9)); } });
    for (const words of [[], ['--resume']]) {
      const { code, err } = await world.run('discussions', 'review', '!1', '--yes', ...words);
      expect([code, err]).toEqual([2, expect.stringMatching(/ is not UTF-8 text\n(.*\n)*.*discussions review mr\/1 --resume/)]);
    }
    expect(await draftFolder(() => home).names()).toHaveLength(1);
  });

  it('that cannot be read are named, and others are listed', async () => {
    const drafts = draftFolder(() => home);
    const name = (at: number) => `${at}-1-0123456789abcdef-notes-add-mr-${at}.md`;
    await drafts.write(name(1), 'my text');
    const make: readonly ((path: string) => unknown)[] = [
      (path) => mkdir(path), (path) => symlink(join(home, 'none'), path), (path) => symlink('/dev/full', path), (path) => symlink('/dev/zero', path),
      (path) => execFileSync('mkfifo', [path]), (path) => symlink(path, path),
      (path) => writeFile(path, '').then(() => truncate(path, 200_000_000)),
    ];
    for (const [i, made] of make.entries()) await made(drafts.pathOf(name(i + 2)));
    const { run } = await testApp({ draftFolder: drafts });
    const { code, out, err } = await run('saved', 'list', '--json=ref,text');
    expect([code, JSON.parse(out)]).toEqual([0, [{ ref: 'mr/1', text: 'my text' }]]);
    const reasons = ['it is a folder', 'no such file', ...Array<string>(3).fill('it is not a regular file'), 'it is a link that leads back to itself',
      'it is larger than 33554432 bytes'];
    expect(err.trim().split('\n').toReversed().map((line) => line.split(': '))).toEqual(reasons.map((reason, i) =>
      ['warning', `cannot read the saved text ${drafts.pathOf(name(i + 2))}`, reason]));
  });
});
