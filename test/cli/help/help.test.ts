import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exits } from '../../../src/cli/command-line/errors/failure.js';
import { exitCodes, topics, variables } from '../../../src/cli/help/topics.js';
import { parseRef } from '../../../src/cli/command-line/refs/ref.js';
import { ran, ranIn } from '../../support/app.js';

interface Mapped {
  readonly commands: readonly {
    readonly name: string; readonly fields: readonly string[]; readonly examples: readonly string[];
    readonly arguments: readonly { readonly name: string; readonly required: boolean; readonly choices: readonly string[] | null }[];
    readonly options: readonly { readonly name: string; readonly type: string; readonly choices: readonly string[] | null; readonly value: string }[];
  }[];
  readonly global_options: readonly { readonly name: string; readonly type: string; readonly short: string | null }[];
  readonly exit_codes: readonly { readonly exit: number; readonly code: string | null }[];
}

const map = async (...words: string[]) => JSON.parse((await ran(...words)).out) as Mapped;

it('the options of a command fit on a narrow terminal, wrapped beside their names', async () => {
  const { out } = await ranIn({ terminal: true, columns: 60 }, 'discussions', 'list', '--help');
  const options = out.slice(out.indexOf('Arguments:')).split('\n');
  expect(options.filter((line) => line.length > 60)).toEqual([]);
  expect(out).toMatch(/--path <path> {2,}only those on this file, in\n {20,}this folder/);
});

it('the choices of an argument are in the help and the manual page of its command', async () => {
  const { commands } = await map('--help', '--json');
  const chosen = commands.flatMap(({ name, arguments: all }) => all.flatMap(({ choices }) => choices ? [{ name, choices }] : []));
  expect(chosen.map(({ name }) => name)).toEqual(expect.arrayContaining(['completion', 'config set', 'api']));
  for (const { name, choices } of chosen) {
    const page = readFileSync(join(import.meta.dirname, `../../../man/colloquy-${name.replace(' ', '-')}.1`), 'utf8').replaceAll('\\-', '-');
    expect(page.replace(/\s+/g, ' '), name).toContain(`(${choices.join(', ')})`);
    expect((await ran(...name.split(' '), '--help')).out.replace(/\s+/g, ' '), name).toContain(choices.map((word) => `"${word}"`).join(', '));
  }
});

describe('the layout of help', () => {
  const globals = 'Global options: --url, --project, --json, … (list them with --help --all)\n';

  it('shows the examples of a command directly after the usage line, and its fields after its options', async () => {
    const { out } = await ran('discussions', 'reply', '--help');
    expect(out.slice(0, out.indexOf('Arguments:')).split('\n')).toEqual([
      'Usage: colloquy discussions reply [options] [ref] [thread]', '',
      'Examples:', '  colloquy discussions reply mr/12 0287db -m "Done."', '  git log -1 --format=%B | colloquy discussions reply mr/12 0287db', '',
      'add a note to a thread', '', '']);
    expect(out.indexOf('Options:')).toBeLessThan(out.indexOf('Fields for --json:'));
  });

  it('shows the global options on one line, and lists them with --all', async () => {
    for (const words of [['notes', 'add'], ['doctor'], ['notes'], []]) {
      const [short, long] = [(await ran(...words, '--help')).out, (await ran(...words, '--help', '--all')).out];
      expect(short, words.join(' ')).toContain(`\n${globals}`);
      expect(short, words.join(' ')).not.toContain('--client-cert');
      expect(long, words.join(' ')).toMatch(/^Global options:\n {2}--url <url> {2,}base URL of the service\n/m);
      expect(long, words.join(' ')).not.toContain(globals);
      expect((await ran(...words, '--all', '-h')).out).toBe(long);
    }
    expect((await ran('help', 'notes', 'add', '--all')).out).toBe((await ran('notes', 'add', '--help', '--all')).out);
  });

  it('groups the commands by purpose', async () => {
    const { out } = await ran('--help');
    const groups = [...out.matchAll(/^([A-Z][a-z]+):\n((?: {2}.*\n)+)/gm)]
      .map(([, heading, rows]) => [heading, rows!.match(/^ {2}\w+/gm)!.map((row) => row.trim())]);
    expect(groups.slice(0, 4)).toEqual([['Discuss', ['discussions', 'notes']], ['Administer', ['appearance', 'epics']],
      ['Configure', ['auth', 'config', 'doctor', 'completion']], ['Tools', ['serve', 'api', 'help']]]);
  });

  it('is printed for a call without arguments', async () => {
    expect(await ran()).toEqual(await ran('--help'));
    expect(await ran()).toMatchObject({ code: 0, err: '' });
  });
});

describe('help topics', () => {
  it.each(topics.map(({ name }) => name))('explain %s in lines that fit', async (name) => {
    const { code, out, err } = await ran('help', name);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
    expect((await ran('--help')).out).toContain(name);
  });

  it('list every exit code with its name', async () => {
    const { out } = await ran('help', 'exit-codes');
    for (const [word, exit] of Object.entries(exits)) expect(out).toMatch(new RegExp(`^  ${exit} +${word}$`, 'm'));
    expect(exitCodes.map(({ exit }) => exit)).toEqual([...exitCodes.map(({ exit }) => exit)].sort((a, b) => a - b));
  });

  it('say which exit code no command uses yet', async () => {
    expect((await ran('help', 'exit-codes')).out).toContain('\n  8    pending: a diff has changes, a check found open threads\n');
  });

  it('contain references that can be parsed', async () => {
    const rows = (await ran('help', 'refs')).out.split('\n').filter((line) => line.startsWith('  '));
    const refs = rows.flatMap((line) => line.trim().split(/ {2,}/).slice(0, -1)).flatMap((part) => part.split(' ')).filter((word) => !/SHA|…/.test(word));
    expect(refs.length).toBeGreaterThan(7);
    expect(refs.filter((word) => parseRef(word) === null)).toEqual([]);
  });

  it('list exactly the variables that are read', () => {
    const sources = readdirSync(join(import.meta.dirname, '../../../src/cli'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('help'))
      .map((file) => readFileSync(join(import.meta.dirname, '../../../src/cli', file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''));
    const pattern = /\b((?:COLLOQUY|GITLAB|CI|XDG)_[A-Z0-9_]+|[A-Z]+_PROXY|NO_COLOR|CLICOLOR\w*|FORCE_COLOR|FORCE_HYPERLINK|TERM|PAGER|EDITOR|VISUAL)\b/g;
    const read = [...sources.join('\n').matchAll(pattern)].map(([name]) => name);
    const told = variables.flatMap(({ names, meaning }) => [...names, ...meaning.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []]);
    const silent = ['CI_JOB_TOKEN'];
    expect([...new Set(read)].filter((name) => !told.includes(name) && !silent.includes(name) && !name.endsWith('_'))).toEqual([]);
  });
});

describe('--help --json', () => {
  it('maps every command with its arguments, options, types, choices and fields', async () => {
    const { commands, global_options, exit_codes } = await map('--help', '--json');
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(['discussions list', 'serve', 'api', 'doctor', 'auth switch']));
    const create = commands.find(({ name }) => name === 'discussions create')!;
    expect(create.arguments[0]).toMatchObject({ name: 'ref', required: false });
    expect(create.fields).toEqual([
      'id', 'individual_note', 'notes', 'thread', 'state', 'author', 'created', 'place', 'text', 'first_line']);
    expect(create.options.find(({ name }) => name === '--mr')).toMatchObject({ type: 'integer', value: 'required' });
    expect(commands.find(({ name }) => name === 'serve')!.options.find(({ name }) =>
      name === '--dialect')).toMatchObject({ type: 'choice', choices: ['document', 'live'] });
    expect(commands.every(({ examples }) => examples.length >= 2)).toBe(true);
    expect(global_options.find(({ name }) => name === '--json')).toMatchObject({ type: 'string', value: 'after =' });
    expect(global_options.find(({ name }) => name === '--yes')).toMatchObject({ type: 'boolean', short: '-y' });
    expect(exit_codes).toContainEqual({ exit: 9, code: 'rate_limited', meaning: 'rate limited: 429' });
  });

  it('maps the given command, however the map is requested', async () => {
    for (const words of [['notes', 'add', '--help', '--json'], ['help', 'notes', 'add', '--json'], ['notes', 'add', '--json', '-h']]) {
      expect((await map(...words)).commands.map(({ name }) => name)).toEqual(['notes add']);
    }
    expect((await map('epics', '--help', '--json')).commands.map(({ name }) => name)).toContain('epics reorder');
  });

  it('is not triggered by the text of a note', async () => {
    expect((await ran('notes', 'add', 'mr/1', '-n', '-m', 'x', '--json', '--', '--help')).code).toBe(2);
  });
});

describe('the fields that a command declares', () => {
  const calls: Readonly<Record<string, readonly string[]>> = {
    'discussions create': ['mr/1', '-m', 'x'], 'discussions reply': ['mr/1', 'x', '-m', 'x'], serve: ['--port', 'none'],
    'appearance preview': ['--port', 'none'], 'discussions list': ['mr/1'],
    'discussions check': ['mr/1'], 'appearance banner': ['x'], 'appearance diff': ['a.yaml'], 'appearance apply': ['a.yaml'],
      'notes list': ['mr/1'],
    'notes add': ['mr/1', '-m', 'x'], 'notes upsert': ['mr/1', '--key', 'x', '-m', 'x'], 'notes edit': ['mr/1', '1', '-m', 'x'],
    'notes post': ['mr/1', '--from', 'eslint'], 'epics create': ['&1', '--title', 'x'],
    'epics reorder': ['&1', '&2', '--before', '&3'], 'epics assign': ['&1', '&2'], 'epics unassign': ['&1', '&2'], 'epics list': ['&1'], 'epics tree': ['&1'],
    'epics apply': ['&1', '--rollback'],
  };

  it('are the fields that it accepts', async () => {
    const { commands } = await map('--help', '--json');
    for (const { name, fields } of commands) {
      const words = [...name.split(' '), ...calls[name] ?? (/^(discussions|notes)/.test(name) ? ['mr/1', '1'] : [])];
      const { code, err } = await ranIn({ terminal: false }, ...words, '--json=nonsense');
      if (fields.length > 0) expect({ name, code, err: err.includes(fields.join(', ')) }).toEqual({ name, code: 2, err: true });
      else expect(err, name).not.toContain('fields: ');
    }
  });

  it('are suggested for mistyped ones', async () => {
    expect((await ran('discussions', 'list', 'mr/1', '--json=ntoes')).err).toContain('did you mean notes?');
  });
});

describe('mistyped words', () => {
  it.each([[['discusions', 'list'], 'discussions'], [['discussions', 'lst'], 'list'], [['discussions', 'list', '--limt', '3'], '--limit'],
    [['docter'], 'doctor'],
    [['help', 'exit-code'], 'exit-codes']])('%j: did you mean %s?', async (words, meant) => {
    expect(await ran(...words)).toMatchObject({ code: 2, err: expect.stringContaining(`did you mean ${meant}?`) as string });
  });
});
