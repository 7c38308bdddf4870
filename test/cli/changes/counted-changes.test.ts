import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PostResult } from '../../../src/cli/notes/findings/result.js';
import { yamlText } from '../../../src/cli/terminal/output/yaml.js';
import { asRoot } from '../../support/appearance.js';
import { testApp } from '../../support/app.js';
import { runsOf } from '../../support/extent.js';
import { forests } from '../../support/forests.js';
import { serviceOf, yamlOf } from '../../support/hierarchy.js';
import { testService } from '../../support/service.js';

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The lines of epics that a plan marks. */
const marked = /^ +[+~-] /gm;
/** The lines of fields; those of a long text are indented. */
const fieldLines = /^[-+~] [a-z_]+:/gm;

const apply = (world: Awaited<ReturnType<typeof testApp>>, ...words: string[]) => world.run('epics', 'apply', '&1', '-g', 'acme', ...words);

describe('the number of changes is that of the lines shown', () => {
  it('in plans of `epics apply`, with and without --prune, and of its rollback', async () => {
    await fc.assert(fc.asyncProperty(forests([1, 2, 3, 4, 5, 6]), forests([1, 2, 3, 4, 5, 6, -1, -2]), fc.boolean(), async (live, wanted, prunes) => {
      const world = await testApp({ service: await serviceOf(live), files: { 'plan.yaml': yamlOf(wanted) }, ...asRoot });
      const words = ['plan.yaml', ...(prunes ? ['--prune'] : [])];
      const planned = await apply(world, ...words, '--dry-run');
      expect([0, 8], planned.err).toContain(planned.code);
      expect(count(planned.err, marked)).toBe(numberIn(planned.err, /^would apply (\d+) change/m));
      const made = await apply(world, ...words, '--yes');
      expect([made.code, numberIn(made.err, /^made (\d+) change/m)], made.err).toEqual([0, count(planned.err, marked)]);
      if (planned.code === 0) return;
      const undo = await apply(world, '--rollback', '--dry-run');
      expect(count(undo.err, marked), undo.err).toBe(numberIn(undo.err, /^would roll back (\d+) change/m));
    }), { numRuns: runsOf(12) });
  }, 60_000);

  const long = fc.constantFrom('One line.', 'One\ntwo\nthree', 'One\n2\nthree', `${'word '.repeat(40)}end`, '', 'title: x\ndescription: y');
  const values = fc.record({
    title: fc.constantFrom('A', 'B', ''), description: long, header_message: long, footer_message: fc.constantFrom('', 'F'),
    message_background_color: fc.constantFrom('#000000', '#111111'), email_header_and_footer_enabled: fc.boolean(), new_project_guidelines: long,
  }, { requiredKeys: [] });

  it('in plans of `appearance apply`, in `appearance set`, `banner` and `undo`', async () => {
    await fc.assert(fc.asyncProperty(values, values, long.filter((text) => text !== ''), async (first, second, text) => {
      const files = { 'first.yaml': yamlText(first), 'second.yaml': yamlText(second) };
      const { run } = await testApp({ ...asRoot, files });
      const numberOf = ({ code, err }: { readonly code: number; readonly err: string }, pattern: RegExp) => {
        expect([0, 8], err).toContain(code);
        expect(count(err.replaceAll(/^warning:.*$/gm, ''), fieldLines), err).toBe(numberIn(err, pattern));
        return numberIn(err, pattern);
      };
      await run('appearance', 'apply', 'first.yaml', '--yes');
      const planned = numberOf(await run('appearance', 'apply', 'second.yaml', '--dry-run'), /^would change (\d+) field/m);
      expect(numberOf(await run('appearance', 'apply', 'second.yaml', '--yes'), /^changed (\d+) field/m)).toBe(planned);
      numberOf(await run('appearance', 'set', '--title', text, '--description', 'New.', '--dry-run'), /^would change (\d+) field/m);
      const set = numberOf(await run('appearance', 'set', '--title', text, '--description', 'New.'), /^changed (\d+) field/m);
      numberOf(await run('appearance', 'banner', text, '--footer', 'F', '--dry-run'), /^would change (\d+) field/m);
      const { err } = await run('appearance', 'undo', '--dry-run');
      expect(count(err, fieldLines), err).toBe(set);
    }), { numRuns: runsOf(12) });
  }, 60_000);

  const lists = ['created', 'updated', 'resolved', 'reopened'] as const;
  const reports = fc.array(fc.subarray([1, 2, 3, 4, 5, 6]), { minLength: 2, maxLength: 3 });

  it('in plans of `notes post`: the findings that change, and what it says besides', async () => {
    await fc.assert(fc.asyncProperty(reports, fc.integer({ min: 1, max: 4 }), async (runs, max) => {
      const service = await testService();
      for (const messages of runs) {
        const report = messages.map((one) => `app.js:2: error: Problem ${one}.\n`).join('');
        const { run } = await testApp({ service, files: { report } });
        const words = ['notes', 'post', '!1', '--from', 'lines', '--key', 'k', '--max', String(max), '--allow-empty', 'report', '--json'];
        const planned = await run(...words, '--dry-run');
        const result = JSON.parse(planned.out) as PostResult;
        const shown = lists.reduce((sum, list) => sum + result[list].length, 0) + count(planned.err, /^would /gm);
        expect(shown, planned.err).toBe(numberIn(planned.err, /"message":"(\d+) changes? to make"/));
        const { sent, err, code } = await run(...words);
        expect(code, err).toBe(0);
        expect(sent.some(({ method }) => method !== 'GET')).toBe(shown > 0);
      }
    }), { numRuns: runsOf(6) });
  }, 60_000);

  const notes = fc.array(fc.record({ count: fc.integer({ min: 1, max: 3 }), resolved: fc.boolean() }), { minLength: 1, maxLength: 4 });

  it('in plans of `discussions import`: those that the import then makes', async () => {
    await fc.assert(fc.asyncProperty(notes, async (threads) => {
      const file = threads.map((thread, at) => JSON.stringify({
        id: String(at + 1).repeat(40), individual_note: false, notes: Array.from({ length: thread.count }, (_, i) => ({
          id: at * 10 + i, body: `Note ${at}.${i}`, author: { username: 'ada' }, system: false, created_at: '2024-05-01T12:00:00Z',
          resolvable: true, resolved: thread.resolved,
        })),
      })).join('\n');
      const { run } = await testApp({ files: { file } });
      const counts = ({ err }: { readonly err: string }) => [numberIn(err, /import(?:ed)? (\d+) note/), numberIn(err, /resolved? (\d+)/)];
      const planned = await run('discussions', 'import', '!1', 'file', '--dry-run');
      expect(counts(planned), planned.err).toEqual(counts(await run('discussions', 'import', '!1', 'file')));
      expect(counts(planned)[0]).toBe(threads.reduce((sum, one) => sum + one.count, 0));
    }), { numRuns: runsOf(6) });
  }, 60_000);
});
