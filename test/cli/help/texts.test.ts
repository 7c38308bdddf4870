import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exits } from '../../../src/cli/command-line/failure.js';
import { exitCodes, variables } from '../../../src/cli/help/texts.js';
import { parseRef } from '../../../src/cli/command-line/ref.js';
import { ran } from '../../support/app.js';

describe('the texts of help', () => {

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

  it('list each variable once', () => {
    const told = variables.flatMap(({ names, meaning }) => [...names, ...meaning.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []])
      .filter((name) => name !== 'COLLOQUY_CONFIG_DIR');
    expect(told.filter((name, at) => told.indexOf(name) !== at)).toEqual([]);
  });

  it('list exactly the variables that are read', () => {
    const sources = readdirSync(join(import.meta.dirname, '../../../src/cli'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.startsWith('help'))
      .map((file) => readFileSync(join(import.meta.dirname, '../../../src/cli', file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''));
    const pattern = /(?<!\$)\b((?:COLLOQUY|GITLAB|CI|XDG)_[A-Z\d_]+|[A-Z]+_PROXY|NO_COLOR|CLICOLOR\w*|FORCE_COLOR|FORCE_HYPERLINK|TERM|PAGER|EDITOR|VISUAL)\b/g;
    const read = [...sources.join('\n').matchAll(pattern)].map(([name]) => name);
    const told = variables.flatMap(({ names, meaning }) => [...names, ...meaning.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []]);
    const silent = ['CI_JOB_TOKEN'];
    expect([...new Set(read)].filter((name) => !told.includes(name) && !silent.includes(name) && !name.endsWith('_'))).toEqual([]);
  });
});
