import { titleLimit } from '../../contract/conventions.js';
import type { Epic } from '../../contract/epics.js';
import { plainLine } from '../../text/plain.js';
import { linked, painter, safeAddress } from '../terminal/io/style.js';
import { shortened } from '../terminal/io/width.js';
import type { Display } from '../terminal/output/view.js';
import { yamlText } from '../terminal/output/yaml.js';
import type { EpicNode } from './tree.js';

export interface ShownTree {
  /** Null where the nodes have no common parent, or where the service has no lookup of an epic. */
  readonly epic: Epic | null;
  readonly name: string;
  readonly nodes: readonly EpicNode[];
  /** `&2`, `acme/sub&2` or `id:501`. */
  readonly refOf: (epic: Epic) => string;
  readonly pageOf: (epic: Epic) => string | null;
}

interface Lines { readonly next: string; readonly last: string; readonly beside: string; readonly below: string }

const unicodeLines: Lines = { next: '├── ', last: '└── ', beside: '│   ', below: '    ' };
const asciiLines: Lines = { next: '|-- ', last: '`-- ', beside: '|   ', below: '    ' };

export const isUnicode = (env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean =>
  isTerminal && (env['OS'] === 'Windows_NT' || /utf-?8/i.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''));

/** One epic on each line. @param unicode whether the lines can be Unicode characters */
export const treeLines = async (tree: ShownTree, display: Display, unicode: boolean): Promise<string> => {
  const paint = await painter(display.colors);
  const lines = unicode ? unicodeLines : asciiLines;
  const line = (before: string, epic: Epic): string => {
    const name = tree.refOf(epic);
    const page = display.links ? tree.pageOf(epic) : null;
    const more = detailsOf(epic);
    const room = Math.max(display.columns - before.length - name.length - more.length - 1, 12);
    const title = shortened(plainLine(epic.title), room);
    const shownName = paint('strong', name);
    return `${before}${page === null ? shownName : linked(shownName, page)} ${title}${paint('faint', more)}`.trimEnd();
  };
  const found = [tree.epic ? line('', tree.epic) : paint('strong', plainLine(tree.name))];
  const addAll = (nodes: readonly EpicNode[], before: string): void => nodes.forEach(({ epic, children }, at) => {
    const isLast = at === nodes.length - 1;
    found.push(line(before + (isLast ? lines.last : lines.next), epic));
    addAll(children ?? [], before + (isLast ? lines.below : lines.beside));
  });
  addAll(tree.nodes, '');
  return `${found.join('\n')}\n`;
};

const detailsOf = ({ state, start_date, due_date }: Epic): string => {
  const dates = start_date && due_date ? `${start_date} to ${due_date}`
    : start_date ? `from ${start_date}` : due_date ? `due ${due_date}` : '';
  const parts = [state === 'closed' ? state : '', dates].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${plainLine(parts.join(', '))})`;
};

/** One epic a line, two spaces a level: the reference, the title, and what is not usual. */
export const treeAgent = (tree: ShownTree): string => indented(tree, (epic) =>
  `${tree.refOf(epic)} ${plainLine(epic.title)}${detailsOf(epic)}`);

export const treeMarkdown = (tree: ShownTree): string => indented(tree, (epic) => {
  const page = tree.pageOf(epic);
  const name = tree.refOf(epic);
  return `- ${page === null ? name : `[${name}](<${page}>)`} ${markdownText(epic.title)}`;
});

const indented = (tree: ShownTree, line: (epic: Epic) => string): string => flatTree(tree).map((epic) =>
  `${'  '.repeat(tree.epic ? epic.depth : epic.depth - 1)}${line(epic)}\n`).join('');

const markdownText = (text: string): string => plainLine(text).replace(/[\\`*_[\]{}<>#!|~&$@]/g, '\\$&');

export const treeDot = (tree: ShownTree): string => {
  const node = (epic: Epic): string => {
    const page = tree.pageOf(epic);
    return `  e${epic.id} [label=${dotText(`${tree.refOf(epic)} ${plainLine(epic.title)}`)}`
      + `${page === null ? '' : `, URL=${dotText(page)}`}];\n`;
  };
  return `digraph epics {\n  graph [rankdir=LR, ordering=out];\n  node [shape=box];\n${
    graphLines(tree, node, (from, to) => `  e${from} -> e${to};\n`)}}\n`;
};

/** Graphviz reads escapes that start with a backslash, and HTML entities, in quoted texts too. */
const dotText = (text: string): string =>
  `"${text.replaceAll('&', '&amp;').replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

export const treeMermaid = (tree: ShownTree): string => `flowchart LR\n${graphLines(tree,
  (epic) => `  e${epic.id}["${mermaidText(`${tree.refOf(epic)} ${plainLine(epic.title)}`)}"]\n`,
  (from, to) => `  e${from} --> e${to}\n`)}`;

/** Mermaid's entity codes replace all that could end the text, start Markdown or be HTML. */
const mermaidText = (text: string): string =>
  text.replace(/[^\p{L}\p{M}\p{N} .,:/()_+-]/gu, (character) => `#${character.codePointAt(0)!};`);

const graphLines = (
  { epic: top, nodes }: ShownTree, node: (epic: Epic) => string, edge: (from: number, to: number) => string,
): string => {
  const epics: string[] = top ? [node(top)] : [];
  const edges: string[] = [];
  const addAll = (children: readonly EpicNode[], parent: Epic | null): void => {
    for (const { epic, children: below } of children) {
      epics.push(node(epic));
      if (parent) edges.push(edge(parent.id, epic.id));
      addAll(below ?? [], epic);
    }
  };
  addAll(nodes, top);
  return [...epics, ...edges].join('');
};

/** The children as a document for `epics apply`. Without `children`, apply leaves the children of an epic alone. */
export const treeYaml = ({ nodes, refOf }: ShownTree): string => {
  const listed = (list: readonly EpicNode[]): unknown[] => list.map(({ epic, children }) => ({
    ref: refOf(epic),
    ...(epic.title.trim() !== '' && [...epic.title].length <= titleLimit && { title: epic.title }),
    ...(children !== null && children.length > 0 && { children: listed(children) }),
  }));
  return yamlText(listed(nodes));
};

/** In the order of the lines; 0 is the level of the epic at the top, 1 that of its children. */
export const flatTree = ({ epic, nodes }: ShownTree): readonly (Epic & { readonly depth: number })[] => {
  const found = epic ? [{ ...epic, depth: 0 }] : [];
  const addAll = (list: readonly EpicNode[], depth: number): void => {
    for (const { epic: one, children } of list) {
      found.push({ ...one, depth });
      addAll(children ?? [], depth + 1);
    }
  };
  addAll(nodes, 1);
  return found;
};

/** Null if it is not a web address. */
export const reportedPage = ({ web_url }: Epic): string | null => web_url === undefined ? null : safeAddress(web_url);
