import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Inquirer from 'inquirer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleOf } from '../support/extent.js';
import { images } from '../support/images.js';

const root = join(import.meta.dirname, '..', '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };

let folder: string;

/** A copy of the installed files, from which tests remove parts. The only dependency it needs is the database. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'colloquy-launcher-'));
  for (const part of ['bin', 'dist']) {
    cpSync(join(root, part), join(folder, part), { recursive: true, filter: (path) => !/\/dist\/(lib|esm)$/.test(path) });
  }
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(root, 'node_modules', 'libsql'), join(folder, 'node_modules', 'libsql'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const colloquy = (args: readonly string[], env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bin', 'colloquy.cjs'), ...args], {
    encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: folder, COLLOQUY_CONFIG_DIR: folder, ...env },
  });
  return { status, stdout, stderr };
};
const wordsOf = (call: string) => call === '' ? [] : call.split(' ');
const take = (part: string) => rmSync(join(folder, 'dist', part), { recursive: true });
const title = ['appearance', 'get', '--sandbox', '--json=title'];
const shown = { status: 0, stdout: '{"title":"Colloquy"}\n', stderr: '' };

describe('the launcher', () => {
  it('prints the version', () => {
    expect(colloquy(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each(['', '--version', '--help', 'completion bash', 'completion zsh', 'completion fish', 'completion powershell'])(
    'answers "%s" like the program itself', (call) => {
      const written = colloquy(wordsOf(call));
      take('constant');
      expect(written).toMatchObject({ status: 0, stderr: '' });
      expect(colloquy(wordsOf(call))).toEqual(written);
    });

  it.each(['', '--version', '--help', 'completion bash'])('answers "%s" without loading the program', (call) => {
    writeFileSync(join(folder, 'dist', 'cli.cjs'), 'throw new Error("read")');
    take('cli.cache');
    expect(colloquy(wordsOf(call))).toMatchObject({ status: 0, stderr: '' });
  });

  it('runs the program', () => expect(colloquy(title)).toEqual(shown));

  it('runs each command from a bundle that has it', { timeout: 120_000 }, () => {
    const { commands } = JSON.parse(colloquy(['--help', '--json']).stdout) as { readonly commands: readonly { readonly name: string }[] };
    expect(commands.length).toBeGreaterThan(40);
    for (const { name } of sampleOf(commands, 30)) {
      const { status, stdout } = colloquy([...wordsOf(name), '--help']);
      expect([status, stdout.includes(`colloquy ${name}`)], name).toEqual([0, true]);
    }
  });

  it.each(['discussions list', 'serve'])('describes the commands below %s as JSON, which loads them all', (words) => {
    const { status, stdout } = colloquy([...wordsOf(words), '--help', '--json']);
    expect([status, (JSON.parse(stdout) as { commands: { name: string }[] }).commands[0]?.name]).toEqual([0, words]);
  });

  it('has lists of frequent commands that exist', () => {
    const bundles = JSON.parse(readFileSync(join(root, 'bin', 'bundles.json'), 'utf8')) as Record<string, Record<string, Record<string, string[]>>>;
    const lists = Object.values(bundles).flatMap((caches) => Object.values(caches));
    const { commands } = JSON.parse(colloquy(['--help', '--json']).stdout) as { readonly commands: readonly { readonly name: string }[] };
    const names = commands.map(({ name }) => wordsOf(name).slice(0, 2).join(' '));
    const listed = lists.flatMap((list) => Object.entries(list)).flatMap(([noun, verbs]) => verbs.map((verb) => `${noun} ${verb}`));
    expect(listed.filter((one, i) => !names.includes(one) || listed.indexOf(one) !== i)).toEqual([]);
  });

  it('starts frequent commands and the server without the others', () => {
    writeFileSync(join(folder, 'dist', 'cli.cjs'), 'throw new Error("read")');
    take('cli.cache');
    expect(colloquy(title)).toEqual(shown);
    expect(colloquy(['notes', 'add', 'mr/12', '-m', 'text', '--sandbox'])).toMatchObject({ status: 0 });
    for (const short of ['d', 'n']) {
      expect(colloquy([short, 'list', '--json=bdoy'])).toMatchObject({ status: 2, stderr: expect.not.stringContaining('Error: read') as string });
    }
    expect(colloquy(['serve', '--port', 'none'])).toMatchObject({ status: 2, stdout: '' });
    expect(colloquy(['discussions', 'export', 'mr/1', '--sandbox'])).toMatchObject({ stdout: '', stderr: expect.stringContaining('read') as string });
  });

  it('does not load node:crypto for a request, which takes longer than to check its code cache', () => {
    const loaded = join(folder, 'loaded.cjs');
    writeFileSync(loaded, `process.on('exit', () => { console.log(process.moduleLoadList.includes('NativeModule crypto')); });`);
    const asked = ['appearance', 'get', '--json', '--url', 'http://127.0.0.1:1', '--token', 'abc'];
    expect(colloquy(asked, { NODE_OPTIONS: `--require=${loaded}` }).stdout).toBe('false\n');
  });

  it('passes the exit code of the program on', () => {
    expect(colloquy(['dance'])).toMatchObject({ status: 2, stdout: '' });
    expect(colloquy(['appearance', 'get'])).toMatchObject({ status: 4, stdout: '' });
  });

  it('uses no precomputed answer for a path', () => {
    expect(colloquy(['../cli.cjs'])).toMatchObject({ status: 2, stdout: '' });
  });

  it('finds the libraries that are separate files', () => {
    writeFileSync(join(folder, 'a.png'), images.png);
    const upload = ['appearance', 'set', '--logo', join(folder, 'a.png'), '--sandbox', '-o', 'yaml'];
    expect(colloquy(upload).stdout).toMatch(/^title: Colloquy\n.*\nlogo: .*\/a\.png$/m);
    expect(colloquy(['config', 'set', 'url', 'http://service.test'])).toMatchObject({ status: 0 });
    expect(colloquy(['config', 'get', 'url'])).toMatchObject({ status: 0, stdout: 'http://service.test\n' });
    const inquirer = createRequire(import.meta.url)(join(folder, 'dist', 'parts', 'inquirer.cjs')) as typeof Inquirer;
    const { prompts } = inquirer.createPromptModule();
    for (const prompt of ['confirm', 'input', 'password', 'search']) expect(prompts[prompt]).toBeTypeOf('function');
  });

  it.each(['gets.cache', 'writes.cache', 'cli.cache', 'serve.cache', 'server.cache', 'constant'])('works without %s', (part) => {
    take(part);
    expect(colloquy(title)).toEqual(shown);
  });

  it('ends a command that only reads at once, and lets others finish', () => {
    const late = join(folder, 'late');
    const script = join(folder, 'late.cjs');
    const isFinished = (milliseconds: number, ...args: string[]) => {
      writeFileSync(script, `setTimeout(() => require('node:fs').writeFileSync(${JSON.stringify(late)}, ''), ${milliseconds});`);
      expect(colloquy(args, { NODE_OPTIONS: `--require ${script}` }).status).toBe(0);
      return existsSync(late);
    };
    expect(isFinished(40_000, 'config', 'path')).toBe(false);
    expect(isFinished(1_500, 'config', 'set', 'url', 'http://service.test')).toBe(true);
  });

  it('does not reveal its build path', () => {
    const { stderr } = colloquy(['discussions', 'get', 'mr/12', '0000', '--sandbox', '--debug']);
    expect(stderr).toContain('\n    at ');
    expect(stderr).not.toContain(join(root, 'dist'));
  });

  it('works with a code cache that this Node rejects', () => {
    writeFileSync(join(folder, 'dist', 'gets.cache'), 'made by another');
    expect(colloquy(title)).toEqual(shown);
  });

  it('works with a damaged code cache, wherever the damage is', { timeout: 120_000 }, () => {
    const file = join(folder, 'dist', 'gets.cache');
    const whole = readFileSync(file);
    for (const part of sampleOf([...Array(40).keys()], 20)) {
      const damaged = Buffer.from(whole);
      const start = Math.floor(whole.length * part / 40);
      damaged.fill(part % 2 ? 0 : 0xff, start, start + 512);
      writeFileSync(file, damaged);
      expect(colloquy(title), `${start}`).toEqual(shown);
    }
    writeFileSync(file, whole.subarray(0, 1000));
    expect(colloquy(title)).toEqual(shown);
    writeFileSync(file, '');
    expect(colloquy(title)).toEqual(shown);
  });

  it.each(['cli', 'reads/gets', 'reads/lists', 'writes', 'serve', 'server'])('has a code cache of %s that Node accepts', (name) => {
    const [bundle, cache = bundle] = name.split('/').map((part) => join(folder, 'dist', part));
    const compile = `const { readFileSync } = require('node:fs');
      const cachedData = readFileSync(${JSON.stringify(`${cache}.cache`)}).subarray(0, -4);
      const text = readFileSync(${JSON.stringify(`${bundle}.cjs`)}, 'utf8');
      console.log(new (require('node:vm').Script)(text, { cachedData }).cachedDataRejected);`;
    expect(spawnSync(process.execPath, ['-e', compile], { encoding: 'utf8' }).stdout).toBe('false\n');
  });

  it('loads of Node.js no HTTP in the sandbox', () => {
    const listed = join(folder, 'listed.cjs');
    writeFileSync(listed, `process.on('exit', () => {
      console.log(process.moduleLoadList.filter((name) => /^NativeModule (?:_?https?|net|crypto)\\b/.test(name)).sort().join());
    });`);
    const { stdout } = colloquy(['discussions', 'list', 'mr/12', '--sandbox', '--json=id'], { NODE_OPTIONS: `--require=${listed}` });
    expect(stdout.trim().split('\n').at(-1)).toBe('NativeModule crypto,NativeModule net');
  });

  it('loads the highlighter of code at a terminal with colors alone', () => {
    const listed = join(folder, 'listed.cjs');
    writeFileSync(listed, `const { writeFileSync } = require('node:fs');
      if (process.env.AT_TERMINAL) require('node:tty').isatty = (file) => file === 1;
      process.stdout.getColorDepth = () => 4;
      process.on('exit', () => writeFileSync(process.env.LOADED, Object.keys(require.cache).filter((name) => name.includes('sugar-high')).join()));`);
    const loaded = (env: Record<string, string>, ...flags: string[]) => {
      const [list, words] = [join(folder, 'loaded'), ['discussions', 'view', 'mr/12', '--sandbox', '--no-input', ...flags]];
      expect(colloquy(words, { NODE_OPTIONS: `--require=${listed}`, LOADED: list, ...env }).status).toBe(0);
      return readFileSync(list, 'utf8') !== '';
    };
    const terminal = { AT_TERMINAL: '1' };
    expect([loaded(terminal), loaded({ FORCE_COLOR: '1' }), loaded({ ...terminal, NO_COLOR: '1' }), loaded(terminal, '--json')])
      .toEqual([true, false, false, false]);
  });

  it('leaves the V8 flags alone on request', () => {
    expect(colloquy(title, { COLLOQUY_V8_FLAGS: 'off' })).toEqual(shown);
  });

  it('exits with 1 and a message if a command never settles and nothing is left to wait for', () => {
    const silent = join(folder, 'silent.cjs');
    writeFileSync(silent, `const { EventEmitter } = require('node:events');
      const nothing = () => undefined;
      require('node:http').request = () => Object.assign(new EventEmitter(), { setTimeout: nothing, end: nothing, destroy: nothing });`);
    const asked = ['appearance', 'get', '--json', '--url', 'http://127.0.0.1:1', '--token', 'abc'];
    const { status, stdout, stderr } = colloquy(asked, { NODE_OPTIONS: `--require=${silent}` });
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'failure', message: 'the command stopped before it finished, without an error' } });
  });

  it('explains how to build the program if it is not built', () => {
    take('cli.cjs');
    expect(colloquy(['appearance', 'get'])).toEqual({
      status: 1, stdout: '', stderr: 'colloquy is not built yet; run: npm install && npm run build\n',
    });
  });

  it.each(['--help', 'discussions list mr/12 --sandbox', 'discussions list mr/12 --sandbox -o csv'])(
    'reports in one line that %s found no space on the disk', (call) => {
      const command = `"${process.execPath}" "${join(folder, 'bin', 'colloquy.cjs')}" ${call} > /dev/full`;
      const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', env: { HOME: folder, PATH: process.env['PATH'] } });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^colloquy: cannot write(: no space left)? \(ENOSPC\)\n(free some space or write elsewhere\n)?$/);
    });

  it.each(['--help --json', 'discussions list mr/12 --sandbox --json'])('prints all of %s to a reader that begins late', (call) => {
    const command = `"${process.execPath}" "${join(folder, 'bin', 'colloquy.cjs')}" ${call}`;
    const printed = (end: string) => spawnSync('sh', ['-c', `${command} ${end}`], {
      encoding: 'utf8', env: { HOME: folder, PATH: process.env['PATH'] }, maxBuffer: 1e8,
    }).stdout;
    const whole = printed(`> "${folder}/whole"; cat "${folder}/whole"`);
    expect(whole).toMatch(/^[{[].*[}\]]\n$/s);
    expect(printed('| { sleep 0.5; cat; }') === whole).toBe(true);
  });

  it('exits quietly when its reader closes the pipe', () => {
    const command = `"${process.execPath}" "${join(folder, 'bin', 'colloquy.cjs')}" completion zsh | head -c 1`;
    expect(spawnSync('sh', ['-c', command], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
});
