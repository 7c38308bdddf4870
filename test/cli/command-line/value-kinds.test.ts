import { Argument, Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { defineCommand } from '../../../src/cli/command-line/command.js';
import { kindOfArgument, kindOfOption, parseLine } from '../../../src/cli/command-line/value-kinds.js';

/** A program with the commands that completion must tell apart. */
const root = () => {
  const program = new Command('colloquy').option('--profile <name>').option('-q, --quiet');
  const notes = new Command('notes');
  program.addCommand(notes);
  notes.addCommand(defineCommand('edit', 'edit', [], ['id', 'body', 'author']).argument('[ref]').argument('[note]')
    .option('-m, --message <text>').option('--thread <id>').option('--json [fields]').option('--file <path>'));
  notes.addCommand(defineCommand('resolve', 'resolve', []).argument('[ref]').argument('[thread...]'));
  return program;
};

const parsed = (...line: string[]) => {
  const { command, flags, words, kind, typed } = parseLine(root(), line);
  return { command: command.name(), flags, words, kind, typed };
};

describe('the word to complete', () => {
  it('belongs to the argument at its place', () => {
    expect(parsed('notes', 'edit', '')).toMatchObject({ command: 'edit', words: [], kind: 'ref', typed: '' });
    expect(parsed('notes', 'edit', 'mr/1', '12')).toMatchObject({ command: 'edit', words: ['mr/1'], kind: 'note', typed: '12' });
    expect(parsed('notes', 'edit', 'mr/1', '12', 'x')).toMatchObject({ words: ['mr/1', '12'], kind: undefined });
  });

  it('belongs to the last argument as often as that may be repeated', () => {
    expect(parsed('notes', 'resolve', 'mr/1', 'aa', 'bb', 'c')).toMatchObject({ words: ['mr/1', 'aa', 'bb'], kind: 'thread', typed: 'c' });
  });

  it('belongs to an option that needs a value', () => {
    expect(parsed('notes', 'edit', 'mr/1', '--thread', 'a')).toMatchObject({ words: ['mr/1'], kind: 'thread', typed: 'a' });
    expect(parsed('notes', 'edit', '-m', 'mr')).toMatchObject({ words: [], kind: undefined, typed: 'mr' });
  });

  it('is the part after the equals sign of an option', () => {
    expect(parsed('notes', 'edit', '--thread=a=b')).toMatchObject({ kind: 'thread', typed: 'a=b' });
    expect(parsed('notes', 'edit', '--thread=')).toMatchObject({ kind: 'thread', typed: '' });
    expect(parsed('notes', 'edit', '--none=x')).toMatchObject({ kind: undefined, typed: 'x' });
  });

  it('is of no kind while it is the name of an option', () => {
    expect(parsed('notes', 'edit', '--th')).toMatchObject({ kind: undefined, typed: '--th' });
    expect(parsed('notes', 'edit', '-')).toMatchObject({ kind: undefined, typed: '-' });
  });

  it('may begin the name of a field after --json, else it is an argument', () => {
    expect(parsed('notes', 'edit', '--json', 'bo')).toMatchObject({ kind: 'fields', typed: 'bo' });
    expect(parsed('notes', 'edit', '--json', 'id,bo')).toMatchObject({ kind: 'fields', typed: 'id,bo' });
    expect(parsed('notes', 'edit', '--json', 'mr/')).toMatchObject({ kind: 'ref', typed: 'mr/' });
    expect(parsed('notes', 'edit', '--json', '')).toMatchObject({ kind: 'ref', typed: '' });
  });

  it('of an empty line belongs to the program', () => {
    expect(parsed()).toEqual({ command: 'colloquy', flags: {}, words: [], kind: undefined, typed: '' });
  });
});

describe('the words before it', () => {
  it('are commands only where they are not the value of an option', () => {
    expect(parsed('--profile', 'notes', 'edit', '')).toMatchObject({ command: 'colloquy', flags: { profile: 'notes' }, words: ['edit'] });
    expect(parsed('notes', 'edit', '--message', 'resolve', '')).toMatchObject({ command: 'edit', flags: { message: 'resolve' } });
  });

  it('are arguments after the first argument, even with the name of a command', () => {
    expect(parsed('notes', 'x', 'edit', '')).toMatchObject({ command: 'notes', words: ['x', 'edit'] });
  });

  it('give the values of options by long name, however they were written', () => {
    expect(parsed('notes', 'edit', '-m', 'hi', '--thread=ab', '--json', 'id', 'mr/1', ''))
      .toMatchObject({ flags: { message: 'hi', thread: 'ab', json: 'id' }, words: ['mr/1'], kind: 'note' });
    expect(parsed('notes', 'edit', '--json', 'mr/1', '')).toMatchObject({ flags: { json: '' }, words: ['mr/1'] });
    expect(parsed('-q', 'notes', 'edit', '')).toMatchObject({ command: 'edit', flags: { quiet: '' } });
  });

  it('may contain unknown options and a dash', () => {
    expect(parsed('notes', 'edit', '--none', '-', '')).toMatchObject({ flags: {}, words: ['-'], kind: 'note' });
  });
});

describe('the kind of a value', () => {
  it('comes from the name of its argument or option', () => {
    expect(['ref', 'thread', 'note', 'epic', 'child', 'profile', 'file', 'key'].map((name) => kindOfArgument(new Argument(`[${name}]`))))
      .toEqual(['ref', 'thread', 'note', 'epic', 'child', 'profile', 'file', undefined]);
    expect(['--before <child>', '--author <name>', '--json [fields]', '--yes', '-x'].map((flags) => kindOfOption(new Option(flags))))
      .toEqual(['child', 'author', 'fields', undefined, undefined]);
    expect(kindOfArgument(undefined)).toBeUndefined();
  });
});
