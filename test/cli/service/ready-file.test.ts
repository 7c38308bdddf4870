import { execFileSync, spawn } from 'node:child_process';
import { lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readyFile, readyText } from '../../../src/cli/service/ready-file.js';
import { kindOf, readLimitedFile, writeWhole } from '../../../src/cli/terminal/io/files.js';
import { ranIn, testApp } from '../../support/app.js';
import { ended } from '../../support/program.js';
import { everyRow } from '../../support/rows.js';

const ready = { url: 'http://127.0.0.1:1', tokens: { ada: 'ada-token' } };

it('a file that no server wrote is refused before anything starts, and stays', async () => {
  await everyRow(['mine', '{"url":"http://a.test"}', '{"name":"a","pid":1}', '[]', 'null'], (text) => text, async (text) => {
    const world = await testApp({ files: { 'ready.json': text } });
    await expect(readyFile(world.app, 'ready.json')).rejects.toMatchObject({ code: 'usage', message: 'refusing to replace ready.json: no server wrote it' });
    expect(world.fileWrites).toEqual([]);
  });
  expect(await ranIn({ files: { 'ready.json': 'mine' } }, 'serve', '--ready-file', 'ready.json', '--proxy', 'http://127.0.0.1:9', '--record', 'a')).toMatchObject({
    code: 2, out: '', err: 'colloquy: refusing to replace ready.json: no server wrote it\nname a new file with --ready-file, or remove this one\n' });
});

it('the file that an earlier server left, or an empty one, is removed until this server is ready', async () => {
  const { app, files } = await testApp();
  await everyRow([readyText({ ...app, program: { ...app.program, pid: 7 } }, ready), ''], (text) => text, async (text) => {
    files.set('ready.json', text);
    const file = await readyFile(app, 'ready.json');
    expect(files.has('ready.json')).toBe(false);
    await file.write(ready);
    expect(files.get('ready.json')).toBe(readyText(app, ready));
    await file.remove();
    expect(files.has('ready.json')).toBe(false);
  });
});

it('a file that another server has written since stays at the end', async () => {
  const { app, files } = await testApp();
  const file = await readyFile(app, 'ready.json');
  await file.write(ready);
  files.set('ready.json', readyText({ ...app, program: { ...app.program, pid: 7 } }, ready));
  await file.remove();
  expect(files.has('ready.json')).toBe(true);
});

it('a pipe takes the content and stays, and a link is refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-ready-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [pipe, link] = [join(folder, 'pipe'), join(folder, 'link')];
  execFileSync('mkfifo', [pipe]);
  symlinkSync('nowhere', link);
  const { app } = await testApp();
  const remove = async (path: string) => rmSync(path);
  const disk = { ...app, files: { ...app.files, kindOf, readLimited: readLimitedFile, write: writeWhole, remove } };
  await expect(readyFile(disk, link)).rejects.toMatchObject({ message: `refusing to replace ${link}: it is a link` });
  const file = await readyFile(disk, pipe);
  const read = ended(spawn('cat', [pipe]));
  await expect.poll(() => file.write(ready).then(() => true, () => false)).toBe(true);
  await file.remove();
  expect([await read, lstatSync(pipe).isFIFO()]).toEqual([expect.objectContaining({ code: 0, out: readyText(app, ready) }), true]);
});
