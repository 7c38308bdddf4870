import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { topics } from '../../../src/cli/help/topics.js';
import { ran } from '../../support/app.js';
import { everyRow } from '../../support/rows.js';

describe('help topics', () => {
  it.each(topics.map(({ name }) => name))('explain %s', async (name) => {
    const { code, out, err } = await ran('help', name);
    expect({ code, err, isEmpty: out === '' }).toEqual({ code: 0, err: '', isEmpty: false });
    expect((await ran('--help')).out).toContain(name);
  });

  it.each(topics.map(({ name }) => name)
    .filter((name) => name !== 'manual' && name !== 'world-schema'))('explain %s in lines that fit', async (name) => {
    expect((await ran('help', name)).out.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it('have the JSON Schema of world files', async () => {
    const file = join(import.meta.dirname, '../../../docs/world.schema.json');
    expect((await ran('help', 'world-schema')).out).toBe(readFileSync(file, 'utf8'));
  });

  it('have the names that guides use', async () => {
    expect((await ran('help', 'findings')).out).toBe((await ran('help', 'reports')).out);
    expect((await ran('help', 'gate')).out).toContain('discussions check');
  });

  it('have in their examples only options that exist', async () => {
    const examples = (await ran('help', 'gate')).out.match(/(?<=^ {2}(?:colloquy )?)(?:discussions|notes) .*?(?= {3}|$)/gm)!;
    await everyRow(examples, (words) => words, async (words) => {
      const help = (await ran(...words.split(' ').slice(0, 2), '--help', '--all')).out;
      expect((words.match(/--[\w-]+/g) ?? []).filter((flag) => !help.includes(flag))).toEqual([]);
    });
  });
});
