import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { examplesOf } from '../../src/cli/command-line/command.js';
import { program, wholeProgram } from '../../src/cli/program.js';
import { ran, testApp } from '../support/app.js';
import { everyRow } from '../support/rows.js';

const root = await wholeProgram((await testApp()).app);
const under = (command: Command): Command[] => command.commands.length > 0 ? command.commands.flatMap(under) : [command];
const wordsOf = (command: Command): string[] => command.parent ? [...wordsOf(command.parent), command.name()] : [];
const verbs = under(root).map((command) => [wordsOf(command).join(' '), command] as const);

describe('every command', () => {
  it('that is documented exists', () => {
    expect(verbs.map(([name]) => name)).toEqual([
      ...['list', 'get', 'view', 'create', 'reply', 'resolve', 'unresolve', 'check', 'inbox', 'watch', 'drafts', 'triage', 'review',
        'suggestions', 'lines', 'export', 'import'].map((verb) => `discussions ${verb}`),
      ...['list', 'add', 'edit', 'delete', 'resolve', 'unresolve', 'upsert', 'post', 'exec'].map((verb) => `notes ${verb}`),
      ...['list', 'show', 'delete'].map((verb) => `saved ${verb}`),
      ...['get', 'set', 'export', 'diff', 'apply', 'undo', 'banner', 'preview'].map((verb) => `appearance ${verb}`),
      ...['list', 'tree', 'assign', 'create', 'reorder', 'unassign', 'apply'].map((verb) => `epics ${verb}`),
      ...['login', 'logout', 'status', 'switch', 'token'].map((verb) => `auth ${verb}`),
      ...['get', 'set', 'unset', 'list', 'path'].map((verb) => `config ${verb}`),
      'serve', 'api', 'doctor', 'mcp', 'conformance', 'completion',
    ]);
  });

  it('is listed with the same summary whether its flags are loaded or not', async () => {
    const { app } = await testApp();
    const listed = (await program(app, () => undefined, [])).commands.map((command) => [command.name(), command.summary()]);
    expect(listed).toEqual(root.commands.map((command) => [command.name(), command.summary()]));
  });

  it('takes d and n for discussions and notes, also after options, in help and in completions', async () => {
    for (const [short, long] of [['d', 'discussions'], ['n', 'notes']] as const) {
      const rows = [['list', 'mr/1', '--json'], ['list', '--help'], ['--help'], [], ['lst'], ['help'], ['list', '--help', '--json']];
      await everyRow(rows, (words) => `${short} ${words.join(' ')}`, async (words) => {
        for (const before of [[], ['-p', 'acme/app']]) {
          expect(await ran(...before, short, ...words)).toEqual(await ran(...before, long, ...words));
        }
      });
      expect(await ran('help', short, 'list')).toEqual(await ran('help', long, 'list'));
      expect((await ran('help', short, 'paint')).err).toBe((await ran('help', long, 'paint')).err);
      expect((await ran('__complete', '--', short, 'list', '--json=i')).out).toBe((await ran('__complete', '--', long, 'list', '--json=i')).out);
      expect((await ran('--help')).out).toMatch(new RegExp(`^ {2}${long}, ${short} `, 'm'));
    }
    const names = root.commands.flatMap((one) => [one.name(), ...one.aliases()]);
    expect(new Set(names).size).toBe(names.length);
    expect(JSON.parse((await ran('--help', '--json')).out)).toMatchObject({ aliases: { d: 'discussions', n: 'notes' } });
  });

  it.each(['discussions', 'serve'])('is the only one in the program if the line begins with it: %s', async (name) => {
    const { commands, options } = await program((await testApp()).app, () => undefined, [name, '--url', 'x']);
    expect(commands.map((command) => command.name())).toEqual([name]);
    expect(options).toEqual([]);
  });

  it.each(verbs)('%s has a summary and two or three examples', (name, command) => {
    expect(command.summary()).toMatch(/^[A-Z].*[^.]$/);
    expect(examplesOf(command).length).toBeGreaterThanOrEqual(2);
    expect(examplesOf(command).length).toBeLessThanOrEqual(3);
    for (const example of examplesOf(command)) expect(example).toContain(name);
  });

  it.each(verbs)('%s has each flag once, each with a description, and the global flags', (_, command) => {
    const names = command.options.flatMap(({ short, long }) => [short, long]).filter((name) => name !== undefined);
    expect(new Set(names).size).toBe(names.length);
    for (const option of command.options) expect(option.description).toMatch(/^([a-z]|CA|HTTP|Markdown|YAML|SQLite).*[^.]$/);
    expect(names).toEqual(expect.arrayContaining([
      '--url', '--token', '--profile', '-p', '--project', '-g', '--group', '--json', '-o', '--output', '--all', '-L', '--limit',
      '--no-input', '-y', '--yes', '-n', '--dry-run', '--quiet', '--debug', '--timeout', '--retries', '--sandbox',
      '--ca-cert', '--client-cert', '--client-key', '--version']));
  });

  it.each(verbs)('%s rejects an unknown flag and an unexpected argument', async (name) => {
    expect(await ran(...name.split(' '), '--no-such-flag')).toMatchObject({ code: 2, out: '', sent: [] });
    expect(await ran(...name.split(' '), ...'abcdefgh')).toMatchObject({ code: 2, out: '', sent: [] });
  });
});

describe('start-up', () => {
  it('loads no package but commander', () => {
    const packages = new Set<string>();
    const seen = new Set<string>();
    const visit = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      const imports = readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type\b)[^;]*?from '([^']+)'/gm);
      for (const [, to] of imports) {
        if (to!.startsWith('.') && to!.endsWith('.js')) visit(join(dirname(path), to!.replace(/\.js$/, '.ts')));
        else if (!to!.startsWith('.') && !to!.startsWith('node:')) packages.add(to!);
      }
    };
    visit(join(import.meta.dirname, '../../src/cli/main.ts'));
    expect([...packages]).toEqual(['commander']);
    expect([...seen].filter((path) => path.includes('/server/'))).toEqual([]);
  });

  it('sends no request for help', async () => {
    const { code, out, err, sent } = await ran('--help');
    expect({ code, err, sent }).toEqual({ code: 0, err: '', sent: [] });
    for (const noun of ['discussions', 'notes', 'appearance', 'epics', 'auth', 'config', 'serve', 'completion']) {
      expect(out).toContain(`  ${noun}`);
    }
    expect((await ran('help', 'notes', 'add')).out).toBe((await ran('notes', 'add', '--help')).out);
    for (const words of [['notes', 'help', 'add'], ['help', 'notes', 'add']]) expect(await ran(...words)).toEqual(await ran('notes', 'add', '--help'));
    expect(await ran('notes', 'help')).toEqual(await ran('notes', '--help'));
    expect(await ran('doctor', 'help')).toEqual(await ran('doctor', '--help'));
    expect(await ran('notes', 'help', 'nope')).toMatchObject({ code: 2, out: '', err: expect.stringContaining('unknown command "nope"') as string });
    expect((await ran('-p', 'help', 'discussions', 'list', '!1')).sent[0]!.target).toContain('/projects/help/');
    expect((await ran('epics', '--help')).out).toContain('reorder <epic> [child]');
  });
});
