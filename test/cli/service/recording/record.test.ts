import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kindOf, openToAppend } from '../../../../src/cli/terminal/io/files.js';
import { run } from '../../../../src/cli/run.js';
import { readRecording } from '../../../../src/recording/read.js';
import { startServer, type RunningServer } from '../../../../src/server/index.js';
import { ran, testApp } from '../../../support/app.js';

let folder: string;
let file: string;
let upstream: RunningServer;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'colloquy-record-'));
  file = join(folder, 'recording.ndjson');
  upstream = await startServer();
});
afterEach(async () => {
  await upstream.close();
  rmSync(folder, { recursive: true });
});

/** Serves until `visit` is done, on the real disk. */
const serving = async (flags: readonly string[], visit: (url: string) => Promise<unknown>, broken = false) => {
  const { app, stop } = await testApp();
  const said: string[] = [];
  const err = { ...app.err, write: async (text: string) => { said.push(text); } };
  const files = {
    ...app.files, kindOf, read: readFile, readLimited: async (path: string) => {
      const bytes = await readFile(path);
      if (bytes.length > 0) throw Object.assign(new Error('too big'), { code: 'EFBIG' });
      return bytes;
    },
    write: (path: string, text: string | Uint8Array) => writeFile(path, text, { mode: 0o600 }),
    openToAppend: async (path: string) => {
      const opened = await openToAppend(path);
      return { ...opened, append: (text: string) => {
        if (broken) throw new Error('no space left on device');
        opened.append(text);
      } };
    },
  };
  let told: (text: string) => void;
  const ready = new Promise<string>((resolve) => { told = resolve; });
  const end = run(['serve', ...flags], { ...app, files, err, out: { ...app.out, write: async (text) => { told(text.trim()); } } });
  await Promise.race([ready.then(visit), end]);
  stop.abort();
  return { code: await end, err: said.join('') };
};
const get = async (url: string) => (await fetch(url, { headers: { 'private-token': 'ada-token' } })).text();

describe('serve --proxy --record', () => {
  it('keeps each exchange in a file that only its owner can read, and says how many there were', async () => {
    const { code, err } = await serving(['--proxy', upstream.url, '--record', file], async (url) => {
      for (const path of ['/api/v4/user', '/api/v4/version']) {
        await get(url + path);
        expect(readRecording(readFileSync(file, 'utf8'), file).at(-1)!.request.target).toBe(path);
      }
      await Promise.all(Array.from({ length: 20 }, (_, i) => get(`${url}/api/v4/projects?page=${i}`)));
    });
    expect(code).toBe(0);
    expect(err).toContain(`recording ${upstream.url} to ${file}; credentials with a known name or form are redacted, other secrets stay in it`);
    expect(err).toContain(`recorded 22 exchanges in ${file}`);
    expect(readRecording(readFileSync(file, 'utf8'), file)).toHaveLength(22);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toMatch(/ada-token|"ada"/);
  });

  it('redacts at its end what it recognized as a credential only later', async () => {
    const post = (url: string, body: object) => fetch(`${url}/api/v4/projects/acme%2Fapp/issues/7/notes`, {
      method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', 'private-token': 'ada-token' },
    });
    const { code } = await serving(['--proxy', upstream.url, '--record', file], async (url) => {
      await post(url, { body: 'it is S3cret-value-1 today' });
      expect(readFileSync(file, 'utf8')).toContain('S3cret-value-1');
      await post(url, { body: 'no', password: 'S3cret-value-1' });
    });
    const text = readFileSync(file, 'utf8');
    expect([code, text.includes('S3cret-value-1'), readRecording(text, file).length, statSync(file).mode & 0o777]).toEqual([0, false, 2, 0o600]);
  });

  it('says that exchanges are missing if the disk is full, and fails at its end', async () => {
    const { code, err } = await serving(['--proxy', upstream.url, '--record', file], async (url) => {
      expect(JSON.parse(await get(`${url}/api/v4/user`))).toMatchObject({ username: 'ada' });
      await get(`${url}/api/v4/version`);
    }, true);
    expect(code).not.toBe(0);
    expect(err.match(/no space left on device/g)).toHaveLength(1);
    expect(err).toContain(`2 exchanges could not be written to ${file}`);
  });

  it.each([['was removed', () => rmSync(file)], ['has another content', () => writeFileSync(file, '')]])(
    'fails at its end if the file %s while it runs', async (_, change) => {
      const { code, err } = await serving(['--proxy', upstream.url, '--record', file], async (url) => {
        await get(`${url}/api/v4/user`);
        change();
      });
      expect([code, err]).toEqual([1, expect.stringContaining(`${file} lacks what was recorded: another program removed or replaced it`)]);
    });

  it('adds to what another server records to the same file, and loses none of it', async () => {
    await serving(['--proxy', upstream.url, '--record', file], async () => {
      const second = await serving(['--proxy', upstream.url, '--record', file], (url) => get(`${url}/api/v4/user`));
      expect(second.code).toBe(0);
    });
    expect(readRecording(readFileSync(file, 'utf8'), file)).toHaveLength(1);
  });

  it('never writes over a file', async () => {
    writeFileSync(file, 'precious');
    const { code, err } = await serving(['--proxy', upstream.url, '--record', file], async () => undefined);
    expect([code, err, readFileSync(file, 'utf8')]).toEqual([2, expect.stringContaining(`${file} is not empty`), 'precious']);
  });

  it('refuses a link, which would be replaced', async () => {
    symlinkSync('nowhere', file);
    const { code, err } = await serving(['--proxy', upstream.url, '--record', file], async () => undefined);
    expect([code, err, lstatSync(file).isSymbolicLink()]).toEqual([2, expect.stringContaining(`cannot write ${file}: it is not a regular file`), true]);
  });

  it('says that a folder is no file', async () => {
    const { code, err } = await serving(['--proxy', upstream.url, '--record', dirname(file)], async () => undefined);
    expect([code, err]).toEqual([2, expect.stringContaining(`cannot write ${dirname(file)}: it is a folder`)]);
  });
});

it.each([
  [['--record', 'a'], '--record requires --proxy'], [['--proxy', 'nonsense'], 'invalid value "nonsense" for --proxy'],
  [['--strict'], '--strict requires --replay'],
  [['--proxy', 'http://127.0.0.1:9', '--replay', 'a'], '--proxy and --replay cannot be used together'], [['--replay', 'missing'], 'missing'],
])('serve %j is refused', async (flags, message) => {
  expect(await ran('serve', ...flags)).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
});
