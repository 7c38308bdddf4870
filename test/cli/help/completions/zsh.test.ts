import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Flag, Tree } from '../../../../src/cli/help/completions/tree.js';
import { zsh } from '../../../../src/cli/help/completions/zsh.js';
import { ran } from '../../../support/app.js';
import { hasShell } from '../../../support/shells.js';

/** The lines that zsh prints for commands after a script, with stand-ins for the completion system. */
const printed = (script: string, ...commands: string[]) => {
  const standIns = `compdef() { : }\n_arguments() { state=verb }\n_describe() { print -rl -- "\${(@P)2}" }`;
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', [standIns, script, ...commands].join('\n')], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').slice(0, -1);
};

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
const script = async () => (await ran('completion', 'zsh')).out;

const plain: Flag = { names: ['--a'], text: 'text', takesValue: false, isOptional: false, choices: [], isFile: false, isDynamic: false };
const treeWith = (...globals: Partial<Flag>[]): Tree => ({ globals: globals.map((flag) => ({ ...plain, ...flag })), aliases: [], nodes: [] });

/** How zsh reads the specifications of flags in the script. */
const specifications = (...flags: Partial<Flag>[]) => printed(zsh(treeWith(...flags)), 'print -rl -- "${_colloquy_globals[@]}"');

if (hasShell('zsh')) {
  describe('a flag in zsh', () => {
    it('has a specification for each of its names, and its long name also takes the value after an equals sign', () => {
      expect(specifications({ names: ['-m', '--message'], takesValue: true })).toEqual(['*-m[text]:value:', '*--message=[text]:value:']);
      expect(specifications({ names: ['-y', '--yes'] })).toEqual(['*-y[text]', '*--yes[text]']);
    });

    it.each<[string, Partial<Flag>, string]>([
      ['after the equals sign alone', { isOptional: true }, '*--a=-[text]::value:'],
      ['of a few words', { takesValue: true, choices: ['b', 'c'] }, '*--a=[text]:value:(b c)'],
      ['that is a file', { takesValue: true, isFile: true }, '*--a=[text]:file:_files'],
      ['that the program knows', { takesValue: true, isDynamic: true }, '*--a=[text]:value:_colloquy_ask'],
      ['that the program may know', { isOptional: true, isDynamic: true }, '*--a=-[text]::value:_colloquy_ask'],
      ['that the program or the disk knows', { takesValue: true, isDynamic: true, isFile: true }, '*--a=[text]:value:_colloquy_ask_or_files'],
    ])('may have a value %s', (_, flag, specification) => {
      expect(specifications(flag)).toEqual([specification]);
    });

    it.each(["it's", 'a [b]: c', 'a\\b', '$(reboot) `reboot` $HOME', '"x"'])('keeps its text, and runs none of it: %s', (text) => {
      expect(specifications({ text })).toEqual([`*--a[${text.replace(/[\\[\]:]/g, '\\$&')}]`]);
    });
  });

  describe('values that the program knows, in zsh', () => {
    const asked = async (answer: string) => printed(await script(),
      `colloquy() { printf %s ${quoted(answer)} }`, '_colloquy_line=(colloquy x)', '_colloquy_ask');

    it('have their descriptions after a colon', async () => {
      expect(await asked('aa\tone\nab\ttwo\n')).toEqual(['aa:one', 'ab:two']);
      expect(await asked('work\t\nhome\t\n')).toEqual(['work', 'home']);
    });

    it('keep colons and backslashes, which separate and escape', async () => {
      expect(await asked('id:501\tA: b\nc\\d\t\n')).toEqual(['id\\:501:A\\: b', 'c\\\\d']);
    });

    it('are none if the program has none', async () => {
      expect((await asked('')).filter((line) => line !== '')).toEqual([]);
    });

    it('are asked for with the words of the line, without their quotes', async () => {
      const words = ['colloquy', 'notes', 'add', "'acme/my app!1'", '--thread', 'my\\ t'];
      const lines = printed(await script(), `words=(${words.map(quoted).join(' ')})`, `CURRENT=${words.length}`, `PREFIX=${quoted(words.at(-1)!)}`,
        '_colloquy > /dev/null', 'colloquy() { print -rl -- "$@" >&3 }', 'exec 3>&1', '_colloquy_ask > /dev/null');
      expect(lines).toEqual(['__complete', '--', 'notes', 'add', 'acme/my app!1', '--thread', 'my t']);
    });
  });

  it('zsh offers the flags of a task after its word', async () => {
    const flagsAfter = async (...words: string[]) => printed(await script(), '_arguments() { print -rl -- "$@" }',
      `words=(${words.join(' ')} "")`, `CURRENT=${words.length + 1}`, '_colloquy_serve').flatMap((line) => /^\*(--[a-z-]+)/.exec(line)?.[1] ?? []);
    expect(await flagsAfter('serve')).toContain('--port');
    const [diff, recording] = [await flagsAfter('serve', 'diff'), await flagsAfter('serve', 'recording')];
    expect([diff.includes('--world'), diff.includes('--port')]).toEqual([true, false]);
    expect([recording.includes('--json'), recording.includes('--world')]).toEqual([true, false]);
  });

  it('zsh offers the nouns with their summaries at the first word', async () => {
    const lines = printed(await script(), 'words=(colloquy "")', 'CURRENT=2', 'PREFIX=', '_colloquy');
    expect(lines).toContain('notes:List, add, edit, delete and resolve notes');
    expect(lines.length).toBeGreaterThan(9);
  });
}

it('the script registers itself when it is evaluated, and completes when it is a function in fpath', async () => {
  const text = await script();
  expect(text.startsWith('#compdef colloquy\n')).toBe(true);
  expect(text.trimEnd().split('\n').slice(-5)).toEqual([
    'if [ "$funcstack[1]" = "_colloquy" ]; then', '  _colloquy "$@"', 'else', '  compdef _colloquy colloquy', 'fi']);
});
