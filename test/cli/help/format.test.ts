import type { Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { commandPath, exampleLines, examplesOf } from '../../../src/cli/command-line/command.js';
import { wholeProgram } from '../../../src/cli/program.js';
import { ran, ranIn, testApp } from '../../support/app.js';
import { everyRow } from '../../support/rows.js';

it('the options of a command fit on a narrow terminal, wrapped beside their names', async () => {
  const { out } = await ranIn({ terminal: true, columns: 60 }, 'discussions', 'list', '--help');
  const options = out.slice(out.indexOf('Arguments:')).split('\n');
  expect(options.filter((line) => line.length > 60)).toEqual([]);
  expect(out).toMatch(/--path <path> {2,}only those on this file, in\n {20,}this folder/);
});

const confirming = ['--yes', '--dry-run'];

describe('the layout of help', () => {
  const globals = 'Global options: --url, --project, --json, … (list them with --help --all)\n';

  it('shows what a command does, then usage, commented examples, arguments, options and fields', async () => {
    const { out } = await ran('discussions', 'reply', '--help');
    expect(out.slice(0, out.indexOf('Arguments:')).split('\n')).toEqual([
      'Add a note to a thread', '', 'Usage: colloquy discussions reply [options] [ref] [thread]', '',
      'Examples:', '  # Reply with a short text', '  colloquy discussions reply mr/12 0287db -m "Done."',
      '  # Reply with the output of another program', '  git log -1 --format=%B | colloquy discussions reply mr/12 0287db', '', '']);
    const order = ['Arguments:', 'Instead of REF:', 'Text:', 'Options:', 'Fields for --json:', 'Global options:'];
    const places = order.map((heading) => out.indexOf(`\n${heading}`));
    expect(places.filter((place) => place >= 0)).toEqual(places.filter((place) => place >= 0).sort((a, b) => a - b));
  });

  it('fits a daily command on one screen, and explains every option with --all', async () => {
    const daily = ['list', 'get', 'view', 'reply', 'resolve', 'create', 'inbox'].map((verb) => ['discussions', verb]);
    for (const words of [...daily, ['notes', 'add'], ['notes', 'list'], ['notes', 'upsert'], ['notes', 'post']]) {
      const short = (await ranIn({ terminal: true, columns: 80 }, ...words, '--help')).out;
      const long = (await ran(...words, '--help', '--all')).out;
      expect(short.trimEnd().split('\n').length, words.join(' ')).toBeLessThanOrEqual(40);
      for (const [name] of short.replace(/--help\s--all/g, '').matchAll(/--[a-z][a-z-]+/g)) expect(long, words.join(' ')).toContain(name);
      expect(long).not.toContain('More options:');
    }
  });

  it('shows the required options and those of the examples first, on every page', async () => {
    const root = await wholeProgram((await testApp()).app);
    const leaves = root.commands.flatMap((one) => one.commands.length > 0 ? one.commands : [one]);
    await everyRow(leaves, commandPath, async (command) => {
      const { out } = await ranIn({ terminal: true, columns: 80 }, ...commandPath(command).split(' '), '--help');
      const isUsed = ({ long, short }: Option) => examplesOf(command).some((example) => example
        .replace(/^.*colloquy /, '').split(' -- ', 1)[0]!.split(/[ =]/).some((word) => word === long || word === short));
      const main = command.options.filter((one) => one.helpGroupHeading !== 'Global options:' && (one.mandatory || isUsed(one)));
      const [, first = ''] = /\n(?:Main options):\n((?: {2}.*\n)*)/.exec(out) ?? [];
      const shown = [...first.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name!)
        .filter((name) => !confirming.includes(name));
      expect(shown.toSorted()).toEqual(main.map(({ long }) => long).toSorted());
      expect(out.indexOf('\nMain options:')).toBeLessThanOrEqual(Math.min(...['Text', 'Filters', 'Position', 'Output', 'Options']
        .map((heading) => out.indexOf(`\n${heading}:\n`)).filter((at) => at >= 0), out.length));
    });
  });

  it('shows how to confirm and how to try on the pages of commands that ask', async () => {
    const asking = ['appearance apply', 'appearance undo', 'epics apply', 'epics unassign', 'discussions resolve', 'notes delete', 'saved delete'];
    for (const words of [...asking, 'appearance set', 'epics tree']) {
      const { out } = await ranIn({ terminal: true, columns: 80 }, ...words.split(' '), '--help');
      const main = out.slice(out.indexOf('Main options:')).split('\n\n')[0]!;
      expect(confirming.map((name) => main.includes(`, ${name} `)), words).toEqual([asking.includes(words), asking.includes(words)]);
    }
  });

  it('shows the options that beginners look for', async () => {
    const rows = [
      ['notes add', '--key', '--suggest', '--editor'], ['notes post', '--key', '--no-resolve', '--allow-empty', '--prefix', '--accept-by'],
      ['serve', '--proxy', '--record', '--replay', '--seed', '--now'],
    ] as const;
    await everyRow(rows, ([words]) => words, async ([words, ...options]) => {
      const { out } = await ranIn({ terminal: true, columns: 80 }, ...words.split(' '), '--help');
      for (const option of options) expect(out).toMatch(new RegExp(`^ {2}(-\\w, )?${option}\\b`, 'm'));
      expect(out).not.toMatch(/^ {2}--durability/m);
    });
  });

  it('has a page for each task of serve', async () => {
    for (const words of [['serve', 'diff', '--help'], ['help', 'serve', 'diff']]) {
      const { out } = await ran(...words);
      expect(out).toMatch(/^Compare two recordings.*\n\nUsage: colloquy serve diff \[options\] <before> \[after\]\n/);
      expect(out).toMatch(/^ {2}--world <path>/m);
      expect(out).not.toMatch(/--port|--fault/);
    }
    const { out } = await ran('serve', 'recording', '--help', '--all');
    expect(out).toMatch(/^List the requests of a recording\n\nUsage: colloquy serve recording \[options\] <file>\n/);
    expect(out).toMatch(/^ {2}--output|-o, --output/m);
    expect(out).not.toMatch(/--port|--fault/);
  });

  it('shows choices in braces, and at most twelve fields', async () => {
    const { out } = await ran('notes', 'upsert', '--help', '--all');
    expect(out.replace(/\s+/g, ' ')).toContain('{cut|error} (default: cut)');
    expect((await ran('notes', 'list', '--help')).out).toMatch(/Fields for --json:\n(?:.*\n)*?.*… \(--help --all lists them all\)/);
    expect(out).not.toContain('(choices:');
  });

  it('starts every description with a capital letter, and explains every example that uses the shell or jq', async () => {
    const root = await wholeProgram((await testApp()).app);
    const commands = root.commands.flatMap((one) => [one, ...one.commands]).filter((one) => one.name() !== 'help');
    for (const one of commands) {
      expect(one.summary(), one.name()).toMatch(/^[A-Z]/);
      const lines = exampleLines(one);
      for (const [at, line] of lines.entries()) {
        if (/ [|>] | -q |^source <|^[A-Z_]+=/.test(line)) expect(lines[at - 1], line).toMatch(/^# [A-Z]/);
      }
    }
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
    expect(groups.slice(0, 4)).toEqual([['Discuss', ['discussions', 'notes', 'saved']], ['Administer', ['appearance', 'epics']],
      ['Configure', ['auth', 'config', 'doctor', 'completion']], ['Tools', ['serve', 'api', 'mcp', 'conformance', 'help']]]);
  });

  it('is printed for a call without arguments', async () => {
    expect(await ran()).toEqual(await ran('--help'));
    expect(await ran()).toMatchObject({ code: 0, err: '' });
  });
});
