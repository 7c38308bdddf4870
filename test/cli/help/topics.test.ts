import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resultFields } from '../../../src/cli/notes/findings/result.js';
import { topics } from '../../../src/cli/help/topics.js';
import { faultsFrom, openService } from '../../../src/server/index.js';
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
    expect((await ran('help', name)).out.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('have the JSON Schema of world files', async () => {
    const file = join(import.meta.dirname, '../../../docs/world.schema.json');
    expect((await ran('help', 'world-schema')).out).toBe(readFileSync(file, 'utf8'));
  });

  it('have the names that guides use', async () => {
    const { out } = await ran('help', 'findings');
    for (const name of ['keys', 'accept', 'post']) expect((await ran('help', name)).out).toBe(out);
    expect(out).toContain('colloquy help reports ');
    expect((await ran('help', 'gate')).out).toContain('discussions check');
    expect((await ran('help', 'pipelines')).out).toBe((await ran('help', 'ci')).out);
  });

  it('explain every row and count of notes post', async () => {
    const rows = new Set((await ran('help', 'findings')).out.match(/(?<=^ {2})[a-z]+(?= {2,})/gm));
    expect([...resultFields, 'accepted', 'answered'].filter((name) => !rows.has(name))).toEqual([]);
  });

  it('explain pipelines on one screen, with variables of the environment', async () => {
    const [lines, environment] = [(await ran('help', 'ci')).out.split('\n'), (await ran('help', 'environment')).out];
    expect([lines.length <= 40, lines.filter((line) => line.length > 80)]).toEqual([true, []]);
    const names = lines.join('\n').match(/\b(?:CI|COLLOQUY)_\w+/g)!.filter((name) => !['CI_JOB_TOKEN', 'CI_PIPELINE_SOURCE'].includes(name));
    expect(names).toContain('CI_MERGE_REQUEST_IID');
    expect(names.filter((name) => !environment.includes(name))).toEqual([]);
  });

  it('have every kind of fault, and rules that the test server takes', async () => {
    const { out } = await ran('help', 'faults');
    expect((await ran('help', 'fault')).out).toBe(out);
    const { err } = await ran('serve', '--fault', '* => unknown');
    const forms = err.split('use one of: ')[1]!.trim().split(', ').map((form) => form.replace('{…}', '{}'));
    expect(forms.length).toBeGreaterThan(10);
    expect(forms.filter((form) => !out.includes(`\n  ${form}`))).toEqual([]);
    const file = out.slice(out.indexOf('  seed: 7\n'), out.indexOf('\nExamples:'));
    const examples = [...out.matchAll(/--fault '(.*?)'/g)].map(([, rule]) => rule!);
    const service = await openService();
    const { rules } = await faultsFrom(file, 'faults.yaml');
    await service.faults([...rules, ...examples]);
    expect((await service.faults()).rules).toHaveLength(rules.length + examples.length);
    expect([rules.length, examples.length]).toEqual([2, 2]);
    await service.close();
  });

  it('have in their examples only options that exist', async () => {
    const texts = await Promise.all(['gate', 'findings', 'ci'].map(async (name) => (await ran('help', name)).out));
    const examples = texts.join('')
      .match(/(?<=^ {2}(?:colloquy )?)(?:discussions|notes) .*?(?= {3}|$)/gm)!;
    await everyRow(examples, (words) => words, async (words) => {
      const help = (await ran(...words.split(' ').slice(0, 2), '--help', '--all')).out;
      expect((words.match(/--[\w-]+/g) ?? []).filter((flag) => !help.includes(flag))).toEqual([]);
    });
  });
});
