import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorOf, hintOf, readShort } from '../../support/epic-documents.js';
import { everyRow } from '../../support/rows.js';

describe('a file without a name that tells its format', () => {
  it('is YAML if its first line or a key shows it, else an outline', async () => {
    for (const text of ['- title: A\n', '[A]', '["A"]', '---\n- A\n', '{"children": ["A"]}', '- "A"\n', '# plan\n- ref: "&2"\n']) {
      expect(await readShort(text, 'plan'), text).toHaveLength(1);
      expect(await readShort(text, 'plan.yaml'), text).toEqual(await readShort(text, 'plan'));
    }
    for (const title of ['A', '[x] A', '[A](b) c', 'A: B']) expect(await readShort(`- ${title}\n`, 'plan')).toEqual([`|${title}`]);
  });
});

const header = 'depth,parent,epic,id,group,start,due,title\n';

describe('other output of the program', () => {
  it('is refused at the first line that shows it', async () => {
    const form = (format: string) => `this is a line of \`${format}\`, which does not have the hierarchy in a form that can be read`;
    await everyRow<[string, string]>([
      ['500\n501\n', `1:1: ${form('epics tree -o id')}`], ['# ids\n500\n', `2:1: ${form('epics tree -o id')}`],
      ['digraph epics {\n  e500 [label="A"];\n}\n', `1:1: ${form('epics tree -o dot')}`], ['# a graph\n  e500 -> e501;\n', `2:3: ${form('epics tree -o dot')}`],
      ['flowchart LR\n  e500["A"]\n', `1:1: ${form('epics tree -o mermaid')}`], ['Roadmap\n  e500 --> e501\n', `2:3: ${form('epics tree -o mermaid')}`],
      ['&2\t501\t1\t\t\tA\n', `1:1: ${form('epics list')}`], ['acme/sub&2\t501\tacme/sub\t\t\tA\n', `1:1: ${form('epics list')}`],
      ['# saved in May\n{"id":500,"iid":1,"title":"A"}\n{"id":501,"iid":2,"title":"B"}\n', `2:1: ${form('epics tree -o ndjson')}`],
      ['{"id":500,"iid":1,"title":"A","children":[]}', '1:1: this is an epic as the service reports it'],
      ['[{"id":500,"iid":1,"title":"A"}]', '1:2: this is an epic as the service reports it'],
    ], ([text]) => text, async ([text, message]) => { expect(await errorOf(text)).toEqual({ code: 'usage', message: `plan.txt:${message}` }); });
  });
});

describe('the problems of a document', () => {
  it('are printed together, each with its line and what was meant', async () => {
    expect(await errorOf("- title: A\n  childs: [B]\n- ref: &2\n- titel: C\n- name: D\n- title: ''\n", 'plan.yaml'))
      .toEqual({ code: 'usage', message: '5 problems in plan.yaml' });
    expect(await hintOf("- title: A\n  childs: [B]\n- ref: &2\n- titel: C\n- name: D\n- title: ''\n", 'plan.yaml')).toBe([
      '  plan.yaml:2:3: unknown key "childs"; did you mean children?', '  plan.yaml:3:10: &2 without quotes is an anchor in YAML; write it in quotes: "&2"',
      '  plan.yaml:4:3: unknown key "titel"; did you mean title?', '  plan.yaml:5:3: unknown key "name"; did you mean title?',
      '  plan.yaml:6:10: the title is empty; write a title, or name an epic with ref'].join('\n'));
  });

  it('are printed together for an outline and a table', async () => {
    expect((await hintOf(`A\n  B\n \tC\n- \n   D\n  E\n${'x'.repeat(256)}\n`))!.split('\n').map((line) => line.trim().split(':').slice(1, 3).join(':')))
      .toEqual(['3:2', '4:2', '6:3', '7:1']);
    expect((await hintOf(`${header}a\n1,,,501,,,,A\nb\n1,,,,,,,\n`))!.split('\n').map((line) => line.trim().split(':')[1])).toEqual(['2', '4', '5']);
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
