import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/server/world-file/schema.js';
import { testApp } from '../../support/app.js';
import { runsOf } from '../../support/extent.js';
import { forestOf, forests, top } from '../../support/forests.js';
import { worldOf } from '../../support/hierarchy.js';
import { testService } from '../../support/service.js';

/** Titles that formats could read as something else. */
const title = fc.oneof(fc.constantFrom(
  '&3', 'acme&3', 'id:501', 'https://host/groups/acme/-/epics/3', '[ ] x', '[a](b)', '- A', '# One', '\\ back', '`code` **bold**', '"quoted"', "'x'",
  'ref: x', 'a\tb', 'a  b', '|', '<b>', '---', 'null', '2024', ': x'), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }))
  .filter((text) => text.trim() !== '' && !/[\u0000-\u001f]/.test(text.replaceAll('\t', '')));

const titled = (world: World, titles: readonly string[]): World => ({ ...world, groups: world.groups!.map((group) => ({
  ...group, epics: group.epics!.map((epic, i) => ({ ...epic, title: titles[i] ?? epic.title! })),
})) });

/** The lines of `-o table` without the drawing, as a user would write an outline. */
const outlineOf = (table: string): string => table.split('\n')
  .map((line) => line.replace(/^((?:[| ] {3})*)(?:\|--|`--) /, (_, before: string) => ' '.repeat(before.length + 4))).join('\n');

describe('the output of epics tree', () => {
  it.each([
    ['yaml', 'yaml'], ['markdown', 'markdown'], ['tsv', 'tsv'], ['csv', 'csv'], ['table', 'an outline'],
  ])('-o %s is read from standard input and changes nothing: %s', async (format) => {
    const trees = fc.tuple(forests([1, 2, 3, 4, 5, 6], 7), fc.array(title, { minLength: 7, maxLength: 7 }), fc.boolean());
    await fc.assert(fc.asyncProperty(trees, async ([forest, titles, isPruned]) => {
      const service = await testService({ world: titled(worldOf(forest), titles) });
      const env = { COLLOQUY_TOKEN: 'root-token' };
      const { out } = await (await testApp({ service, env })).run('epics', 'tree', '&1', '-o', format);
      const app = await testApp({ service, env, stdin: format === 'table' ? outlineOf(out) : out });
      const ran = await app.run('epics', 'apply', '&1', '-', '--dry-run', ...isPruned && forest.children.get(top)!.length > 0 ? ['--prune'] : []);
      expect({ tree: out, ...ran }).toMatchObject({ code: 0, err: expect.stringContaining('nothing would change: acme&1') as string });
      await service.close();
    }), { numRuns: runsOf(40) });
  }, 60_000);

  it('of a group in Markdown is read without a difference, also where a child has no link', async () => {
    const forest = forestOf([1, 2, 3, 4, 5, 6], { [top]: [1, 2, 3], 1: [4, 5], 4: [6] });
    await fc.assert(fc.asyncProperty(fc.array(title, { minLength: 7, maxLength: 7 }), fc.boolean(), async (titles, isLinked) => {
      const service = await testService({ world: titled(worldOf(forest), titles) });
      const env = { COLLOQUY_TOKEN: 'root-token' };
      const { out } = await (await testApp({ service, env })).run('epics', 'tree', '-o', 'markdown');
      expect(out.match(/^ *- \[&\d\]\(<http/gm)).toHaveLength(7);
      const stdin = isLinked ? out : out.replace(/^( +- )\[(&\d)\]\(<[^>]*>\)/gm, '$1$2');
      const ran = await (await testApp({ service, env, stdin })).run('epics', 'apply', '&1', '-', '--dry-run', '--strict');
      expect({ stdin, ...ran }).toMatchObject({ code: 0, err: expect.stringContaining('nothing would change: acme&1') as string });
      await service.close();
    }), { numRuns: runsOf(20) });
  }, 60_000);
});
