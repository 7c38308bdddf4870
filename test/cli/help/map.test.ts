import { describe, expect, it } from 'vitest';
import { manualPages } from '../../../src/cli/help/manual.js';
import { wholeProgram } from '../../../src/cli/program.js';
import { ran, ranIn, testApp } from '../../support/app.js';

interface Mapped {
  readonly commands: readonly {
    readonly name: string; readonly fields: readonly string[]; readonly examples: readonly string[];
    readonly arguments: readonly { readonly name: string; readonly required: boolean; readonly choices: readonly string[] | null }[];
    readonly options: readonly {
      readonly name: string; readonly type: string; readonly description: string; readonly choices: readonly string[] | null; readonly value: string;
    }[];
  }[];
  readonly global_options: readonly { readonly name: string; readonly type: string; readonly short: string | null }[];
  readonly exit_codes: readonly { readonly exit: number; readonly code: string | null }[];
}

const map = async (...words: string[]) => JSON.parse((await ran(...words)).out) as Mapped;

it('the choices of an argument are in the help and the manual page of its command', async () => {
  const { commands } = await map('--help', '--json');
  const chosen = commands.flatMap(({ name, arguments: all }) => all.flatMap(({ choices }) => choices ? [{ name, choices }] : []));
  expect(chosen.map(({ name }) => name)).toEqual(expect.arrayContaining(['completion', 'config set', 'api']));
  const pages = manualPages(await wholeProgram((await testApp()).app), '0');
  for (const { name, choices } of chosen) {
    const page = pages[`colloquy-${name.replace(' ', '-')}`]!.replaceAll('\\-', '-');
    expect(page.replace(/\s+/g, ' '), name).toContain(`(${choices.join(', ')})`);
    expect((await ran(...name.split(' '), '--help')).out.replace(/\s+/g, ' '), name).toContain(choices.map((word) => `"${word}"`).join(', '));
  }
});

describe('--help --json', () => {
  it('maps every command with its arguments, options, types, choices and fields', async () => {
    const { commands, global_options, exit_codes } = await map('--help', '--json');
    expect(commands.map(({ name }) => name)).toEqual(expect.arrayContaining(['discussions list', 'serve', 'api', 'doctor', 'auth switch']));
    const create = commands.find(({ name }) => name === 'discussions create')!;
    expect(create.arguments[0]).toMatchObject({ name: 'ref', required: false });
    expect(create.fields).toEqual([
      'id', 'individual_note', 'resolvable', 'resolved', 'notes', 'thread', 'state', 'author', 'created', 'place', 'text', 'first_line']);
    expect(create.options.find(({ name }) => name === '--mr')).toMatchObject({ type: 'integer', value: 'required' });
    expect(commands.find(({ name }) => name === 'serve')!.options.find(({ name }) =>
      name === '--dialect')).toMatchObject({ type: 'choice', choices: ['document', 'live'] });
    expect(commands.every(({ examples }) => examples.length >= 2)).toBe(true);
    expect(global_options.find(({ name }) => name === '--json')).toMatchObject({ type: 'string', value: 'after =' });
    expect(global_options.find(({ name }) => name === '--yes')).toMatchObject({ type: 'boolean', short: '-y' });
    expect(commands.flatMap(({ name, options }) => options.filter((one) => one.name === '--dry-run').map(({ description }) => [name, description])))
      .toEqual([['notes exec', 'print the command and the request instead of running and sending them'],
        ['appearance apply', 'print the plan and the request instead of making changes'],
        ['epics apply', 'print the plan instead of making changes; exit code 8 if there are any']]);
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
    'discussions create': ['mr/1', '-m', 'x'], 'discussions reply': ['mr/1', 'x', '-m', 'x'], serve: ['diff', 'a', 'b'],
    'appearance preview': ['--port', 'none'], 'discussions list': ['mr/1'], 'discussions drafts': ['mr/1'], 'discussions review': ['mr/1'],
    'discussions check': ['mr/1'], 'appearance banner': ['x'], 'appearance diff': ['a.yaml'], 'appearance apply': ['a.yaml'],
    'notes list': ['mr/1'], 'discussions view': ['mr/1'], 'discussions inbox': [], 'saved show': ['x'],
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
      else expect(err, name).not.toContain('choose from: ');
    }
  });

  it('are suggested for mistyped ones', async () => {
    expect((await ran('discussions', 'list', 'mr/1', '--json=ntoes')).err).toContain('did you mean notes?');
  });
});
