import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorOf, readShort } from '../../support/epic-documents.js';

describe('a file without a name that tells its format', () => {
  it('is YAML if its first line or a key shows it, else an outline', async () => {
    for (const text of ['- title: A\n', '[A]', '["A"]', '---\n- A\n', '{"children": ["A"]}', '- "A"\n', '# plan\n- ref: "&2"\n']) {
      expect(await readShort(text, 'plan'), text).toHaveLength(1);
      expect(await readShort(text, 'plan.yaml'), text).toEqual(await readShort(text, 'plan'));
    }
    for (const title of ['A', '[x] A', '[A](b) c', 'A: B']) expect(await readShort(`- ${title}\n`, 'plan')).toEqual([`|${title}`]);
  });
});

describe('hostile files', () => {
  it.each([
    ['deep YAML', 'plan.yaml', '['.repeat(100_000)], ['deep closed YAML', 'plan.yaml', '['.repeat(20_000) + ']'.repeat(20_000)],
    ['deep children', 'plan.json', '[{"title":"A","children":'.repeat(60) + '[]' + '}]'.repeat(60)],
    ['a deep outline', 'plan.txt', Array.from({ length: 60 }, (_, i) => `${' '.repeat(i)}A`).join('\n')],
    ['many epics', 'plan.txt', 'A\n'.repeat(20_001)], ['many epics in YAML', 'plan.yaml', '- A\n'.repeat(20_001)],
    ['many keys', 'plan.json', `[{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":1`).join(',')}}]`],
    ['expanding aliases', 'plan.yaml', 'children: [&a [x], &b [*a,*a], &c [*b,*b]]'],
    ['a large file', 'plan.txt', 'x'.repeat(5_000_001)],
  ])('are rejected: %s', async (_, file, text) => {
    expect(await errorOf(text, file)).toMatchObject({ code: 'usage' });
  });

  it('end in a hierarchy or in a usage error', async () => {
    const fragments = fc.array(fc.constantFrom(
      '- ', '\n', '  ', '\t', '&2', '*a', 'title: ', 'ref: ', 'children:', '[', ']', '{', '}', '"', "'", '#', '\\', 'A', ': ', ',', '---', '!!', '|', '>'));
    await fc.assert(fc.asyncProperty(fragments, fc.constantFrom('a.txt', 'a.yaml'), async (parts, file) => {
      const error = await errorOf(parts.join(''), file);
      expect(['usage', undefined]).toContain(error?.code);
    }), { numRuns: 500 });
  });
});
