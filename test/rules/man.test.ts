import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, describe, expect, it } from 'vitest';
import type { App } from '../../src/cli/app.js';
import { taskPagesOf } from '../../src/cli/command-line/command.js';
import { manualPages } from '../../src/cli/help/manual.js';
import { wholeProgram } from '../../src/cli/program.js';

const program = await wholeProgram({ program: { version: '0' } } as App);
const pages = Object.entries(manualPages(program, '0'));
const folder = mkdtempSync(join(tmpdir(), 'colloquy-man-'));
afterAll(() => rmSync(folder, { recursive: true }));
const leaves = (command: Command): Command[] => command.commands.length > 0 ? command.commands.flatMap(leaves) : [command, ...taskPagesOf(command)];
const nameOf = (command: Command): string => command.parent ? `${nameOf(command.parent)}-${command.name()}` : command.name();

/** `man` starts groff as well, several programs for each page: it takes a hundred times as long for all of them. */
const formatters = ([
  ['mandoc', ['-T', 'lint', '-W', 'warning']],
  ['groff', ['-K', 'utf8', '-m', 'andoc', '-T', 'utf8', '-ww', '-z']],
] as const).filter(([name]) => spawnSync(name, ['-v']).error === undefined);

const head = /^\.TH COLLOQUY\S* 1 \d{4}-\d\d-\d\d "colloquy [\d.]+" "Colloquy"\n\.SH NAME\ncolloquy\S* \\-\n/;
const macros = ['TH', 'SH', 'TP', 'PP', 'nf', 'fi', 'sp'];

/** The problems of a page, each with its line. */
const problemsOf = (text: string): string[] => [
  ...head.test(text) ? [] : ['1: no title, name and summary'],
  ...text.split('\n').flatMap((line, i) => /^[.']/.test(line) && !macros.includes(/^.(\S*)/.exec(line)![1]!) ? [`${i + 1}: ${line}`] : []),
];

describe('the manual', () => {
  it('has a page for the program, one for every command, and those of the tasks of serve', () => {
    expect(pages.map(([name]) => name)).toEqual(['colloquy', ...leaves(program).map(nameOf)]);
  });

  it('has a name and a summary on each page, and no lines that formatters interpret', () => {
    const wrong = pages.flatMap(([name, page]) => problemsOf(page).map((problem) => `${name}:${problem}`));
    expect(wrong, wrong.join('\n')).toEqual([]);
  });

  it.each(formatters)('passes %s', (name, flags) => {
    for (const [file, page] of pages) writeFileSync(join(folder, `${file}.1`), page);
    const { status, stderr, stdout } = spawnSync(name, [...flags, ...pages.map(([file]) => join(folder, `${file}.1`))], { encoding: 'utf8' });
    expect({ status, stderr, complaints: name === 'mandoc' ? stdout : '' }).toEqual({ status: 0, stderr: '', complaints: '' });
  });
});
