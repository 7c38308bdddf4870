import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ran } from '../../../support/app.js';

/** The candidates that bash offers for a command line; `known` are the values that the program returns. */
const offered = async (...words: string[]) => offeredOf([], ...words);
const offeredOf = async (known: readonly string[], ...words: string[]) => {
  const list = words.map(quoted).join(' ');
  const program = known.length === 0 ? '' : `colloquy() { printf '%s\\t\\n' ${known.map(quoted).join(' ')}; }\n`;
  const line = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}`;
  const asked = `${(await ran('completion', 'bash')).out}\n${program}${line}; _colloquy; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync('bash', ['--norc', '-c', asked], { encoding: 'utf8', cwd: folder }).stdout.trim().split('\n');
};
const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

const folder = mkdtempSync(join(tmpdir(), 'colloquy-'));
afterAll(() => { rmSync(folder, { recursive: true }); });

describe('completion in bash', () => {
  it('offers nouns, verbs, flags and choices', async () => {
    expect(await offered('colloquy', 'dis')).toEqual(['discussions']);
    expect(await offered('colloquy', 'notes', '')).toEqual(['list', 'add', 'edit', 'delete', 'resolve', 'unresolve', 'upsert', 'post', 'exec']);
    expect(await offered('colloquy', 'notes', 'add', '--mes')).toEqual(['--message']);
    expect(await offered('colloquy', 'n', 'add', '--mes')).toEqual(['--message']);
    expect(await offered('colloquy', '--quiet', 'd', 'tri')).toEqual(['triage']);
    expect(await offered('colloquy', '--quiet', 'epics', 'reorder', '--be')).toEqual(['--before']);
    expect(await offered('colloquy', 'notes', 'list', '-o', 'nd')).toEqual(['ndjson']);
    expect(await offered('colloquy', 'notes', 'list', '--type', 'th')).toEqual(['thread']);
    expect(await offered('colloquy', 'help', 'e')).toEqual(['epics', 'exit-codes', 'environment']);
    expect(await offered('colloquy', 'completion', 'z')).toEqual(['zsh']);
    expect(await offered('colloquy', 'notes', 'add', '--message', '')).toEqual(['']);
    expect(await offered('colloquy', 'serve', 'diff', '--w')).toEqual(['--world']);
    expect(await offered('colloquy', 'serve', 'recording', '--po')).toEqual(['']);
  });

  it.each([
    ['my prof', '', 'my\\ prof'], ['my prof', 'my\\ p', 'my\\ prof'], ['my prof', '"my', 'my prof'], ['my prof', "'my p", 'my prof'],
    ['$(reboot)', '', '\\$\\(reboot\\)'], ['$(reboot)', '"$', ''], ['`reboot`', '"', ''], ["it's", "'it", ''], ['a;b', 'a', 'a\\;b'],
    ['id,notes', '--json=id', 'id,notes'], ['co:lon=x', 'co:', 'lon=x'],
  ])('inserts %s after %s without any special effect: %s', async (value, typed, put) => {
    const words = typed.startsWith('--json') ? ['discussions', 'list', '--json', '=', 'id'] : ['config', 'list', '--profile', ...typed.split(/(?<=:)|(?=:)/)];
    expect(await offeredOf([value], 'colloquy', ...words)).toEqual([put]);
  });

  it('completes whole file names, whatever characters they contain', async () => {
    writeFileSync(join(folder, 'my logo.png'), '');
    expect(await offered('colloquy', 'appearance', 'set', '--logo', 'my')).toEqual(['my logo.png']);
  });
});

describe('values that the program knows, in bash', () => {
  /** The candidates that bash shows for words as it splits them, when the program responds with `answer`. */
  const offered = async (answer: string, ...words: string[]) => {
    const script = (await ran('completion', 'bash')).out;
    const line = words.map((word) => `"${word.replace(/["\\]/g, '\\$&')}"`).join(' ');
    const program = `colloquy() { printf '%s\\n' "$@" >&2; printf '${answer}'; }`;
    const call = `COMP_TYPE=9; COMP_WORDS=(colloquy ${line}); COMP_CWORD=${words.length}; _colloquy 2>/dev/null`;
    const asked = `${script}\n${program}\n${call}; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['--norc', '-c', asked], { encoding: 'utf8' }).stdout.trim().split('\n');
  };

  it('shows values with their descriptions while there is a choice', async () => {
    expect(await offered('aa\\tone\\nab\\ttwo\\n', 'discussions', 'get', 'mr/1', 'a')).toEqual(['aa  (one)', 'ab  (two)']);
    expect(await offered('aa\\tone\\n', 'discussions', 'get', 'mr/1', 'a')).toEqual(['aa']);
    expect(await offered('work\\t\\nhome\\t\\n', 'auth', 'status', '--profile', '')).toEqual(['work', 'home']);
  });

  it('joins words split at = and :, and does not repeat existing text', async () => {
    expect(await offered('id,notes\\t\\n', 'discussions', 'list', '--json', '=', 'id,n')).toEqual(['id,notes']);
    expect(await offered('id:501\\tA\\n', 'epics', 'unassign', 'epic/1', 'id', ':', '5')).toEqual(['501']);
    expect(await offered('', 'notes', 'list', '--output', '=', 'nd')).toEqual(['ndjson']);
  });

  it('never takes the value of a flag for a command', async () => {
    expect(await offered('', '--profile', 'notes', 'auth', 'to')).toEqual(['token']);
    expect(await offered('', 'notes', '-p', 'list', 'ed')).toEqual(['edit']);
    expect(await offered('', '--quiet', 'notes', 'ed')).toEqual(['edit']);
  });

  it('falls back to files where the program knows none', async () => {
    expect(await offered('src/a.ts\\t\\n', 'notes', 'add', 'mr/1', '--file', 'src/')).toEqual(['src/a.ts']);
    const script = (await ran('completion', 'bash')).out;
    expect(script).toMatch(/--file\) _colloquy_ask; .* \|\| _colloquy_files;/);
  });

  it('starts no process for words that the script itself knows', async () => {
    expect(await offered('never', 'discussions', 'lis')).toEqual(['list']);
    expect(await offered('never', 'discussions', 'get', '--md')).toEqual(['']);
    expect(await offered('never', 'completion', 'z')).toEqual(['zsh']);
  });
});
