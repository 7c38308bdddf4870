import fc from 'fast-check';
import { marked } from 'marked';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Epic } from '../../../src/contract/epics.js';
import type { EpicNode } from '../../../src/cli/epics/tree.js';
import {
  flatTree, isUnicode, reportedPage, treeDot, treeLines, treeMarkdown, treeMermaid, treeYaml, type ShownTree,
} from '../../../src/cli/epics/tree-text.js';
import type { Display } from '../../../src/cli/terminal/output/view.js';

const epic = (id: number, title: string, more: Partial<Epic> = {}): Epic => ({
  id, iid: id, group_id: 10, parent_id: null, title, description: null, labels: [], start_date: null, due_date: null,
  author: { id: 1, username: 'a', name: 'A', state: 'active', avatar_url: null, web_url: 'http://s.test/a' },
  created_at: '2024-01-01T00:00:00Z', updated_at: '2024-01-01T00:00:00Z', ...more,
});
const node = (id: number, title: string, children: readonly EpicNode[] | null = [], more: Partial<Epic> = {}): EpicNode =>
  ({ epic: epic(id, title, more), children });
const shown = (nodes: readonly EpicNode[], top: Epic | null = epic(1, 'Top')): ShownTree =>
  ({ epic: top, name: 'acme', nodes, refOf: ({ iid }) => `&${iid}`, pageOf: ({ iid }) => `http://s.test/groups/acme/-/epics/${iid}` });
const display: Display = { isTerminal: true, now: new Date(0), columns: 60, colors: 0, links: false, web: null };

const hostile = ['"quoted" \\ back', 'a\nb\r\n- c', '<script>alert(1)</script>', '--> x["y"]', '`code` **bold** [link](javascript:x)',
  '&lt;b&gt; &amp; #35; #quot;', '\u001b[31mred\u202e', 'end', '"];\n} digraph { x', '%% comment', '| pipe |', '{{x}} $1 @all', "it's; done"];

describe('treeLines', () => {
  const tree = shown([
    node(2, 'First', [node(3, 'Below', [], { state: 'closed', start_date: '2024-02-01', due_date: '2024-03-31' })]),
    node(4, 'Last', [node(5, 'Cut', null)], { due_date: '2024-05-01' }),
  ]);

  it('connects epics with Unicode or ASCII lines, and shows what is closed and when', async () => {
    expect(await treeLines(tree, { ...display, columns: 100 }, true)).toBe([
      '&1 Top', '├── &2 First', '│   └── &3 Below (closed, 2024-02-01 to 2024-03-31)', '└── &4 Last (due 2024-05-01)', '    └── &5 Cut', '',
    ].join('\n'));
    expect(await treeLines(tree, { ...display, columns: 100 }, false)).toBe([
      '&1 Top', '|-- &2 First', '|   `-- &3 Below (closed, 2024-02-01 to 2024-03-31)', '`-- &4 Last (due 2024-05-01)', '    `-- &5 Cut', '',
    ].join('\n'));
  });

  it('shortens titles to the width, and keeps every epic on one line without control characters', async () => {
    const lines = (await treeLines(shown(hostile.map((title, at) => node(at + 2, `${title}${' long'.repeat(30)}`))), display, true)).split('\n');
    expect(lines).toHaveLength(hostile.length + 2);
    expect(lines.every((line) => line.length <= 60)).toBe(true);
    expect(lines.join('')).not.toMatch(/[\u0000-\u001f\u202e]/);
  });

  it('links the epics on a terminal that can', async () => {
    const text = await treeLines(shown([node(2, 'A')]), { ...display, links: true }, true);
    expect(text).toContain('\u001b]8;;http://s.test/groups/acme/-/epics/2\u001b\\&2\u001b]8;;\u001b\\ A\n');
  });

  it('starts with the name of the group if there is no epic at the top', async () => {
    expect(await treeLines(shown([node(2, 'A')], null), display, false)).toBe('acme\n`-- &2 A\n');
  });

  it('uses Unicode on terminals with such a locale alone', () => {
    expect(isUnicode({ LANG: 'en_US.UTF-8' }, true)).toBe(true);
    expect(isUnicode({ LC_ALL: 'C', LANG: 'en_US.UTF-8' }, true)).toBe(false);
    expect(isUnicode({ LC_ALL: '', LC_CTYPE: 'C.utf8' }, true)).toBe(true);
    expect(isUnicode({ OS: 'Windows_NT' }, true)).toBe(true);
    expect([isUnicode({}, true), isUnicode({ LANG: 'en_US.UTF-8' }, false)]).toEqual([false, false]);
  });
});

describe('treeMarkdown', () => {
  it('nests items with links', () => {
    expect(treeMarkdown(shown([node(2, 'A', [node(3, 'B')])]))).toBe([
      '- [&1](<http://s.test/groups/acme/-/epics/1>) Top', '  - [&2](<http://s.test/groups/acme/-/epics/2>) A',
      '    - [&3](<http://s.test/groups/acme/-/epics/3>) B', ''].join('\n'));
    expect(treeMarkdown({ ...shown([node(2, 'A')], null), pageOf: () => null })).toBe('- &2 A\n');
  });

  it('shows any title as it is', () => {
    for (const title of hostile) {
      const html = marked.parse(treeMarkdown({ ...shown([node(2, title)], null), pageOf: () => null, refOf: () => 'X' }), { async: false });
      expect(html).toMatch(/^<ul>\n<li>X [^<]*<\/li>\n<\/ul>\n$/);
    }
  });
});

describe('treeDot', () => {
  it('has a box for every epic and an arrow to every child', () => {
    expect(treeDot({ ...shown([node(2, 'A', [node(3, 'B')])]), pageOf: () => null })).toBe([
      'digraph epics {', '  graph [rankdir=LR, ordering=out];', '  node [shape=box];', '  e1 [label="&amp;1 Top"];', '  e2 [label="&amp;2 A"];',
      '  e3 [label="&amp;3 B"];', '  e1 -> e2;', '  e2 -> e3;', '}', ''].join('\n'));
    expect(treeDot(shown([], epic(1, 'T')))).toContain('[label="&amp;1 T", URL="http://s.test/groups/acme/-/epics/1"];');
  });

  it('keeps any title within its quotes', () => {
    for (const title of hostile) {
      const [label] = /\[label="((?:[^"\\]|\\.)*)"\];$/m.exec(treeDot({ ...shown([], epic(1, title)), pageOf: () => null }))!.slice(1);
      expect(label!.replace(/\\(.)/g, '$1').replaceAll('&amp;', '&')).toMatch(/^&1 /);
      expect(label).not.toMatch(/&(?!amp;)|[\n\r]/);
    }
  });
});

describe('treeMermaid', () => {
  it('has a box for every epic and an arrow to every child', () => {
    expect(treeMermaid(shown([node(2, 'Größe (1)')]))).toBe(
      'flowchart LR\n  e1["#38;1 Top"]\n  e2["#38;2 Größe (1)"]\n  e1 --> e2\n');
  });

  it('keeps any title within its quotes, as entity codes', () => {
    for (const title of hostile) {
      const text = treeMermaid(shown([], epic(1, title)));
      expect(text).toMatch(/^flowchart LR\n {2}e1\["(?:[\p{L}\p{M}\p{N} .,:/()_+-]|#\d+;)*"\]\n$/u);
      const decoded = /\["(.*)"\]/.exec(text)![1]!.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
      expect(decoded.startsWith('&1 ')).toBe(true);
    }
  });
});

describe('treeYaml', () => {
  it('names epics by reference, with their title, and children only where there are some', () => {
    expect(parse(treeYaml(shown([node(2, 'A', [node(3, 'B')]), node(4, 'C', null)])))).toEqual([
      { ref: '&2', title: 'A', children: [{ ref: '&3', title: 'B' }] }, { ref: '&4', title: 'C' }]);
    expect(treeYaml(shown([]))).toBe('[]\n');
  });

  it('keeps any title, but leaves out those that no epic can have', () => {
    fc.assert(fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.constantFrom(...hostile)), (title) => {
      const [read] = parse(treeYaml(shown([node(2, title)]))) as { title?: string }[];
      expect(read!.title).toBe(title.trim() === '' ? undefined : title);
    }));
    expect(parse(treeYaml(shown([node(2, 'x'.repeat(256))])))).toEqual([{ ref: '&2' }]);
  });
});

describe('the parts of a tree', () => {
  it('are listed with their levels', () => {
    const tree = [node(2, 'A', [node(3, 'B')]), node(4, 'C', null)];
    expect(flatTree(shown(tree)).map(({ id, depth }) => [id, depth])).toEqual([[1, 0], [2, 1], [3, 2], [4, 1]]);
    expect(flatTree(shown(tree, null)).map(({ id, depth }) => [id, depth])).toEqual([[2, 1], [3, 2], [4, 1]]);
  });

  it('have a page only if that is a web address', () => {
    expect(reportedPage(epic(1, 'T', { web_url: 'javascript:x' }))).toBeNull();
    expect(reportedPage(epic(1, 'T', { web_url: 'http://s/a>b"c' }))).toBe('http://s/a%3Eb%22c');
  });
});
