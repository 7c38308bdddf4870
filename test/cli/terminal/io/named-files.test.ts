import { execFileSync, spawn } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kindOf, readLimitedFile, writeWhole } from '../../../../src/cli/terminal/io/files.js';
import { writeFiles, type NewFile } from '../../../../src/cli/terminal/io/named-files.js';
import type { GlobalFlags } from '../../../../src/cli/command-line/flags.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { ended } from '../../../support/program.js';
import { written as captured } from '../../../support/written.js';

const write = async (files: readonly NewFile[], flags: GlobalFlags = {}, options: WorldOptions = {}) => {
  const world = await testApp(options);
  const { app, texts } = captured(world.app);
  const result = await writeFiles(app, flags, files).catch((error: Error) => error.message);
  return { result, err: texts.err, asked: world.asked, wrote: world.fileWrites.map(([path]) => path) };
};
let folder: string;

beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'colloquy-named-')); });

afterEach(() => rmSync(folder, { recursive: true }));

/** On the disk. */
const written = async (files: readonly NewFile[], flags: GlobalFlags = {}) => {
  const { app } = await testApp();
  const disk = { ...app.files, kindOf, readLimited: readLimitedFile, write: writeWhole };
  return writeFiles({ ...app, files: disk }, flags, files).catch((error: Error) => error.message);
};
const a = { path: 'a', content: 'new' };
const b = { path: 'b', content: new Uint8Array([1, 2]) };

describe('files', () => {
  it('are written in their order', async () => {
    expect(await write([b, a])).toEqual({ result: 2, err: '', asked: [], wrote: ['b', 'a'] });
  });

  it('that have the content already are left', async () => {
    expect(await write([a, b], {}, { files: { a: 'new', b: new Uint8Array([1, 2]) } })).toMatchObject({ result: 0, wrote: [] });
  });

  it('with another content are replaced after a question, all or none', async () => {
    const files = { a: 'old', b: new Uint8Array([1, 2, 3]) };
    expect(await write([a, b], {}, { files, terminal: true, answers: [true] })).toMatchObject({ asked: ['Replace a and b?'], wrote: ['a', 'b'] });
    expect(await write([a, b], {}, { files, terminal: true, answers: [false] })).toMatchObject({ result: 'cancelled', wrote: [] });
    expect(await write([a, { path: 'c', content: '' }], {}, { files })).toMatchObject({ result: 'refusing to replace a without confirmation', wrote: [] });
    expect(await write([a], { yes: true }, { files })).toMatchObject({ result: 1, wrote: ['a'] });
  });

  it('are only named in a dry run', async () => {
    expect(await write([a, b], { dryRun: true }, { files: { a: 'old' } })).toEqual({
      result: 2, err: 'would replace a\nwould write a\nwould write b\n', asked: [], wrote: [] });
  });

  it('behind a link that leaves the folder are replaced, even with the same content', async () => {
    const files = { '/elsewhere/a': 'new' };
    expect(await write([{ path: '/elsewhere/a', content: 'new', folder: '/app' }], {}, { files })).toMatchObject({
      result: 'refusing to replace /elsewhere/a without confirmation', wrote: [] });
    expect(await write([{ path: '/elsewhere/a', content: 'new', folder: '/elsewhere' }], {}, { files })).toMatchObject({ result: 0 });
  });

  it('that are empty are written without a question: they have nothing to lose', async () => {
    expect(await write([a], {}, { files: { a: '' } })).toMatchObject({ result: 1, asked: [], wrote: ['a'] });
  });

  it('that are links are refused even with --yes, and those in place of other files are replaced after a question', async () => {
    const link = { ...a, path: join(folder, 'link') };
    symlinkSync('nowhere', link.path);
    expect(await written([link], { yes: true })).toBe(`cannot write ${link.path}: it is a link`);
    expect(await written([{ ...link, folder }])).toBe(`refusing to replace ${link.path} without confirmation`);
    expect([await written([{ ...link, folder }], { yes: true }), lstatSync(link.path).isFile(), existsSync(join(folder, 'nowhere'))]).toEqual([1, true, false]);
  });

  it('that are pipes or devices take the content without a question', async () => {
    const [pipe, device] = [join(folder, 'pipe'), join(folder, 'device')];
    execFileSync('mkfifo', [pipe]);
    symlinkSync('/dev/null', device);
    const read = ended(spawn('cat', [pipe]));
    await expect.poll(() => written([{ ...a, path: pipe }])).toBe(1);
    expect(await read).toMatchObject({ code: 0, out: 'new' });
    expect([await written([{ ...a, path: device }]), lstatSync(device).isSymbolicLink(), lstatSync(pipe).isFIFO()]).toEqual([1, true, true]);
  });

  it('that cannot be read or written are named', async () => {
    const failing = async (name: 'readLimited' | 'write') => {
      const { app } = await testApp();
      const fail = () => Promise.reject(Object.assign(new Error('permission denied'), { code: 'EACCES' }));
      return writeFiles({ ...app, files: { ...app.files, [name]: fail } }, {}, [a]).catch((error: Error) => error.message);
    };
    expect(await failing('readLimited')).toMatch(/^cannot write a: /);
    expect(await failing('write')).toMatch(/^cannot write a: /);
  });
});
