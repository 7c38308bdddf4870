import * as Type from '@sinclair/typebox';
import { Option, type Command } from 'commander';
import { Epic } from '../../../contract/epics.js';
import type { App } from '../../app.js';
import { readEpicTree, readGroupTree, type EpicNode, type EpicTree, type TreeOptions } from '../../epics/tree.js';
import { usage } from '../../command-line/errors/failure.js';
import { defineCommand, handler, optionalEpicArgument } from '../../command-line/flags/command.js';
import { count, formats, type GlobalFlags } from '../../command-line/flags/global.js';
import { agent } from '../../command-line/flags/output.js';
import { withListFlags, type ListFlags } from '../../command-line/flags/list.js';
import { say } from '../../terminal/io/messages.js';
import { showText } from '../../terminal/io/pager.js';
import { plainLine } from '../../../text/plain.js';
import { progressOn } from '../../terminal/io/progress.js';
import { fieldsOf, formatOf, printJson } from '../../terminal/output/format.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { displayFor, selectableNames, selectorOf, type View } from '../../terminal/output/view.js';
import { noteableUrl } from '../../command-line/refs/ref.js';
import { groupOf, parentOf } from '../../service/targets/epic.js';
import type { ShownTree } from '../../epics/tree-text.js';
import { epicView } from '../../notes/views/records.js';

interface Input extends ListFlags { readonly depth?: number }

/** An epic of a tree as a row. */
type TreeRow = Epic & { readonly depth: number };

const treeView: View<TreeRow> = {
  ...epicView,
  columns: [
    { name: 'depth', cell: ({ depth }) => String(depth) },
    { name: 'parent', cell: ({ parent_id }) => parent_id === null ? '' : String(parent_id) },
    ...epicView.columns,
  ],
  shape: Type.Object({ ...Epic.properties, depth: Type.Integer() }),
  emptyText: 'no epics',
};

const graphFormats = ['dot', 'mermaid'] as const;

export const epicsTreeCommand = (app: App): Command =>
  withListFlags(defineCommand('tree', 'Show the hierarchy below an epic, or the epics of a group as trees', [
    "epics tree '&1' -g acme", 'epics tree -g acme --depth 2',
    '# Save the hierarchy for epics apply\n'
      + "epics tree '&1' -g acme -o yaml > roadmap.yaml",
  ], selectableNames(treeView)))
    .addArgument(optionalEpicArgument())
    .addOption(new Option('--depth <n>', 'number of levels to show; default all').argParser(count('--depth')))
    .addOption(new Option('-o, --output <format>', 'output format; dot is for Graphviz, yaml for `epics apply`')
      .choices([...formats, ...graphFormats, agent]))
    .action(handler<Input>((flags, epic?: string) => epicsTree(app, flags, epic)));

const epicsTree = async (app: App, input: Input, epic: string | undefined): Promise<void> => {
  const print = treePrinter(app, input);
  const progress = progressOn(app, input);
  const options = { depth: input.depth, progress };
  let found: Found;
  try {
    found = await (epic === undefined ? ofGroup(app, input, options) : ofEpic(app, input, epic, options));
  } finally {
    await progress.done();
  }
  await print(found.shown);
  await reportRepeated(app, input, found.tree, found.shown);
};

interface Found { readonly tree: EpicTree; readonly shown: ShownTree }

const ofEpic = async (app: App, input: Input, word: string, options: TreeOptions): Promise<Found> => {
  const parent = await parentOf(app, input, word);
  const tree = await readEpicTree(parent.client, parent.path, options);
  const { base, path, name } = parent;
  return { tree, shown: await shownTree(tree, { name, group: path.id, base }) };
};

const ofGroup = async (app: App, input: Input, options: TreeOptions): Promise<Found> => {
  const { client, id } = await groupOf(app, input);
  const tree = await readGroupTree(client, id, options);
  return { tree, shown: await shownTree(tree, { name: id, group: id, base: null }) };
};

interface Home {
  readonly name: string;
  /** Id or path of the group at the top. */
  readonly group: string;
  readonly base: string | null;
}

const shownTree = async ({ epic, children }: EpicTree, { name, group, base }: Home): Promise<ShownTree> => {
  const { groupPathsOf, reportedPage } = await import('../../epics/tree-text.js');
  const paths = groupPathsOf(epic, children);
  const isNumber = /^\d+$/.test(group);
  if (epic && !isNumber) paths.set(epic.group_id, group);
  const isHome = ({ group_id }: Epic): boolean =>
    group_id === epic?.group_id || (isNumber ? group_id === Number(group) : paths.get(group_id) === group);
  const refOf = (one: Epic): string => {
    const path = paths.get(one.group_id);
    return isHome(one) ? `&${one.iid}` : path === undefined ? `id:${one.id}` : `${path}&${one.iid}`;
  };
  const pageOf = (one: Epic): string | null => {
    const path = paths.get(one.group_id);
    const known = base === null || path === undefined ? null
      : noteableUrl(base, path, { kind: 'epic', id: String(one.iid) });
    return reportedPage(one) ?? known;
  };
  return { epic, name, nodes: children, refOf, pageOf };
};

/** @throws Problem for an invalid combination of flags, before any request */
const treePrinter = (app: App, input: Input): (tree: ShownTree) => Promise<void> => {
  const graph = graphFormats.find((name) => name === String(input.output));
  if (graph) {
    formatOf(input, app.out);
    checkWhole(input, graph);
    return async (tree) => {
      const { treeDot, treeMermaid } = await import('../../epics/tree-text.js');
      await app.out.write(graph === 'dot' ? treeDot(tree) : treeMermaid(tree));
    };
  }
  const format = formatOf(input, app.out);
  const fields = fieldsOf(input, selectableNames(treeView));
  const isNested = ['json', 'table', 'yaml', 'markdown', agent].includes(format)
    && (fields === null || format === 'json');
  const printRows = listPrinter(app, input, treeView);
  if (!isNested) return async (tree) => printRows(wholeList((await import('../../epics/tree-text.js')).flatTree(tree)));
  checkWhole(input, format);
  if (format === 'json') return (tree) => printJson(app, input, nestedJson(app, tree, fields));
  return async (tree) => {
    const { isUnicode, treeAgent, treeLines, treeMarkdown, treeYaml } = await import('../../epics/tree-text.js');
    if (format === 'yaml') return app.out.write(treeYaml(tree));
    if (format === 'markdown') return app.out.write(treeMarkdown(tree));
    if (String(format) === agent) return app.out.write(treeAgent(tree));
    if (tree.epic === null && tree.nodes.length === 0) await say(app, input, treeView.emptyText);
    else await showText(app, input, await treeLines(tree, displayFor(app), isUnicode(app.env, app.out.isTerminal)));
  };
};

const checkWhole = ({ limit }: GlobalFlags, format: string): void => {
  if (limit !== undefined) throw usage(`--limit and -o ${format} cannot be combined`, 'limit the levels with --depth');
};

/** The epic at the top with its children, or the list of roots; `children` is null below the depth limit. */
const nestedJson = (app: App, { epic, nodes }: ShownTree, fields: readonly string[] | null): unknown => {
  const select = selectorOf<TreeRow>(treeView, displayFor(app), fields);
  const objectOf = (one: Epic, children: readonly EpicNode[] | null, depth: number): unknown => {
    const selected = fields === null ? one : select({ ...one, depth }) as object;
    return { ...selected, children: children && listOf(children, depth + 1) };
  };
  const listOf = (list: readonly EpicNode[], depth: number): unknown[] =>
    list.map((node) => objectOf(node.epic, node.children, depth));
  return epic ? objectOf(epic, nodes, 0) : listOf(nodes, 1);
};

const reportRepeated = async (
  app: App, input: GlobalFlags, { repeated }: EpicTree, { refOf, name }: ShownTree,
): Promise<void> => {
  for (const { epic, parent } of repeated) {
    const child = `${refOf(epic)} "${plainLine(epic.title)}"`;
    await say(app, input, `warning: the service also lists ${child} below ${parent ? refOf(parent) : name}; `
      + 'it is shown only once');
  }
};
