import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runEditor } from '../../../../../src/cli/terminal/io/tools.js';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'colloquy-editor-'));
  file = join(folder, 'a "quoted" $(name).md');
  await writeFile(file, '');
});
afterEach(() => rm(folder, { recursive: true }));

/** An editor that writes its words into the file, its last argument. */
const script = async (path: string, end = '') => {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\nfor last; do :; done\nprintf '%s\\n' "$@" > "$last"\n${end}`);
  await chmod(path, 0o755);
  return path;
};
const edit = async (env: Record<string, string>, signal = new AbortController().signal) => {
  await runEditor({ env, isWindows: false, isTerminal: false }, file, signal);
  return (await readFile(file, 'utf8')).trimEnd().split('\n');
};

describe('the editor', () => {
  it('is VISUAL before EDITOR, and receives the file as one argument', async () => {
    const editor = await script(join(folder, 'editor'));
    expect(await edit({ VISUAL: editor, EDITOR: 'false' })).toEqual([file]);
    expect(await edit({ VISUAL: '', EDITOR: editor })).toEqual([file]);
  });

  it('ends when it is asked to, even if it ignores that', async () => {
    const leave = new AbortController();
    const ready = join(folder, 'ready');
    const editor = await script(join(folder, 'editor'), `trap "" TERM; echo > "${ready}"; while :; do sleep 0.1; done`);
    const edited = edit({ EDITOR: editor }, leave.signal);
    await expect.poll(() => existsSync(ready)).toBe(true);
    leave.abort();
    await expect(edited).rejects.toMatchObject({ code: 'interrupted', message: `the editor ${editor} was terminated by SIGKILL` });
  });

  it('may have arguments, with quotes and spaces', async () => {
    const editor = await script(join(folder, 'editor'));
    expect(await edit({ EDITOR: `${editor} --wait -c 'set spell'` })).toEqual(['--wait', '-c', 'set spell', file]);
    const spaced = await script(join(folder, 'my editor', 'ed'));
    expect(await edit({ EDITOR: `"${spaced}" --wait` })).toEqual(['--wait', file]);
    expect(await edit({ EDITOR: spaced })).toEqual([file]);
    expect(await edit({ EDITOR: `A=b true && ${editor}` })).toEqual([file]);
  });

  it('that cannot be started is reported with a hint', async () => {
    for (const EDITOR of ['no-such-editor-here', folder]) {
      await expect(edit({ EDITOR })).rejects.toMatchObject({
        code: 'failure', message: `cannot start the editor ${EDITOR}`, hint: expect.stringContaining('VISUAL or EDITOR') as string });
    }
  });

  it('needs a terminal unless the environment names one, which may be a script', async () => {
    await expect(edit({})).rejects.toMatchObject({
      code: 'usage', message: 'cannot open an editor without a terminal', hint: 'set VISUAL or EDITOR to a program that edits the file' });
  });

  it('that exits with an error cancels', async () => {
    const EDITOR = await script(join(folder, 'editor'), 'exit 7');
    await expect(edit({ EDITOR })).rejects.toMatchObject({ code: 'cancelled', message: `the editor ${EDITOR} exited with 7; nothing was sent` });
  });

  it('that is ended by a signal interrupts, and ends with the program', async () => {
    const EDITOR = await script(join(folder, 'editor'), 'kill -INT $$');
    await expect(edit({ EDITOR })).rejects.toMatchObject({ code: 'interrupted' });
    const stop = new AbortController();
    const waiting = await script(join(folder, 'waiting'), 'exec sleep 60');
    const ended = edit({ EDITOR: waiting }, stop.signal);
    stop.abort();
    await expect(ended).rejects.toMatchObject({ code: 'interrupted', message: `the editor ${waiting} was terminated by SIGTERM` });
  });
});
