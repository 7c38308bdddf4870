import { Argument, Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import type { App } from '../../../../src/cli/app.js';
import { commandPaths, flagsWithValue, flagNames, treeOf } from '../../../../src/cli/help/completions/tree.js';
import { topics } from '../../../../src/cli/help/topics.js';
import { wholeProgram } from '../../../../src/cli/program.js';

/** A program with a noun, two verbs and global options. */
const small = () => {
  const root = new Command('tool').option('--url <url>', 'address').option('-y, --yes', 'agree');
  const noun = root.command('notes').summary('work with notes').option('--url <url>', 'address');
  noun.command('list').summary('list notes').option('-s, --sort <order>', 'order').addOption(new Option('--secret').hideHelp())
    .option('--json [fields]', 'as JSON').addOption(new Option('--type <type>', 'type').choices(['a', 'b'])).argument('<ref>');
  noun.command('set').summary('set a note').addArgument(new Argument('<key>').choices(['url', 'group'])).option('--file <path>', 'file');
  return root;
};

const tree = treeOf(small());
const nodeAt = (...words: string[]) => tree.nodes.find((node) => node.words.join(' ') === words.join(' '))!;

describe('the tree of a program', () => {
  it('has a node for each command, parents before children, and one for help', () => {
    expect(tree.nodes.map(({ words }) => words.join(' '))).toEqual(['', 'notes', 'notes list', 'notes set', 'help']);
    expect(tree.nodes.filter(({ hasCommands }) => hasCommands).map(({ words }) => words)).toEqual([[], ['notes']]);
  });

  it('offers the commands below a command with their summaries, and at the top also help', () => {
    expect(nodeAt('notes').next).toEqual([{ word: 'list', text: 'list notes' }, { word: 'set', text: 'set a note' }]);
    expect(nodeAt().next.map(({ word }) => word)).toEqual(['notes', 'help']);
  });

  it('offers commands and topics after help', () => {
    expect(nodeAt('help').next.map(({ word }) => word)).toEqual(['notes', ...topics.map(({ name }) => name)]);
  });

  it('offers the choices of the first argument', () => {
    expect(nodeAt('notes', 'set').next.map(({ word }) => word)).toEqual(['url', 'group']);
    expect(nodeAt('notes', 'list').next).toEqual([]);
  });

  it('has the flags of the root once, not again in each command', () => {
    expect(flagNames(tree.globals)).toEqual(['--url', '-y', '--yes', '-h', '--help']);
    expect(nodeAt('notes').flags).toEqual([]);
  });

  it('leaves out hidden flags', () => {
    expect(flagNames(nodeAt('notes', 'list').flags)).toEqual(['-s', '--sort', '--json', '--type']);
  });

  it('has a node for each task of a command, with its own flags', async () => {
    const { nodes } = treeOf(await wholeProgram({ program: { version: '0' } } as App));
    const at = (place: string) => nodes.find(({ words }) => words.join(' ') === place)!;
    expect(flagNames(at('serve diff').flags)).toEqual(['--world', '--dialect']);
    expect(at('serve recording')).toMatchObject({ flags: [], next: [], isDynamic: false });
    expect(at('serve').next.map(({ word }) => word)).toEqual(['diff', 'recording']);
    expect(flagNames(at('serve').flags)).toContain('--port');
  });

  it('says of each flag whether and how it takes a value', () => {
    const [sort, json, type] = nodeAt('notes', 'list').flags;
    expect(sort).toMatchObject({ takesValue: true, isOptional: false, isFile: false, isDynamic: false, choices: [] });
    expect(json).toMatchObject({ takesValue: false, isOptional: true, isDynamic: true });
    expect(type).toMatchObject({ takesValue: true, choices: ['a', 'b'] });
    expect(nodeAt('notes', 'set').flags[0]).toMatchObject({ isFile: true, isDynamic: true });
  });

  it('marks the commands with an argument whose values the program knows', () => {
    expect(tree.nodes.filter(({ isDynamic }) => isDynamic).map(({ words }) => words.join(' '))).toEqual(['notes list']);
  });
});

it('the flags whose value is the next word are listed once, with both names', () => {
  expect(flagsWithValue(tree)).toEqual(['--url', '-s', '--sort', '--type', '--file']);
  expect(flagsWithValue({ ...tree, nodes: [...tree.nodes, ...tree.nodes] })).toEqual(flagsWithValue(tree));
});

it('the path of the root is no path of a command', () => {
  expect(commandPaths(tree.nodes)).toEqual(['notes', 'notes list', 'notes set', 'help']);
});

it('a name that takes a value in some commands only is none of them', async () => {
  const whole = treeOf(await wholeProgram({ program: { version: '0' } } as App));
  const takes = new Map<string, Set<boolean>>();
  for (const { names, takesValue } of [...whole.globals, ...whole.nodes.flatMap(({ flags }) => flags)]) {
    for (const name of names) takes.set(name, new Set([...takes.get(name) ?? [], takesValue]));
  }
  const both = [...takes].filter(([, all]) => all.size > 1).map(([name]) => name);
  expect(both).toEqual(['--commit', '--now']);
  expect(flagsWithValue(whole).filter((name) => both.includes(name))).toEqual([]);
});
