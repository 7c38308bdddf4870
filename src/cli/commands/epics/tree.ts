import * as Type from '@sinclair/typebox';
import { Option } from 'commander';
import { Epic } from '../../../contract/epics.js';
import type { App } from '../../app.js';
import {
  epicsIn, readEpicTree, readGroupTree, type EpicNode, type EpicTree, type TreeOptions,
} from '../../epics/tree.js';
import { usage } from '../../command-line/failure.js';
import { defineCommand, epicArgument, handler } from '../../command-line/command.js';
import { agent, count, formats, type GlobalFlags, type ListFlags, withListFlags } from '../../command-line/flags.js';
import { say, showingProgress, showText } from '../../terminal/io/messages.js';
import { plainLine } from '../../../text/plain.js';
import { selectedFields, formatOf, printJson } from '../../terminal/output/format.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { displayFor, selectableNames, selectorOf, type View } from '../../terminal/output/view.js';
import { noteableUrl } from '../../command-line/ref.js';
import { groupOf, parentOf } from '../../service/targets/epic.js';
import type { ShownTree } from '../../epics/tree-text.js';
import { epicNames, type EpicNames, epicView } from '../../epics/names.js';

interface Input extends ListFlags { readonly depth?: number }

type TreeRow = Epic & { readonly depth: number };

const treeView = (names: EpicNames): View<TreeRow> => {
  const view = epicView(names);
  return {
    ...view,
    columns: [
      { name: 'depth', cell: ({ depth }) => String(depth) },
      { name: 'parent', cell: ({ parent_id }) => parent_id === null ? '' : String(parent_id) },
      ...view.columns,
    ],
    shape: Type.Object({ ...Epic.properties, depth: Type.Integer() }),
    emptyText: 'no epics',
  };
};

const graphFormats = ['dot', 'mermaid'] as const;

export const epicsTreeCommand = (app: App) =>
  withListFlags(defineCommand('tree', 'Show the hierarchy below an epic, or the epics of a group as trees', [
    "epics tree '&1' -g acme", 'epics tree -g acme --depth 2',
    '# Save the hierarchy for epics apply\n'
      + "epics tree '&1' -g acme -o yaml > roadmap.yaml",
  ], selectableNames(treeView(epicNames()))))
    .addArgument(epicArgument('[epic]'))
    .addOption(new Option('--depth <n>', 'number of levels to show; default all').argParser(count('--depth')))
    .addOption(new Option('-o, --output <format>', 'output format; dot is for Graphviz, yaml for `epics apply`')
      .choices([...formats, ...graphFormats, agent]))
    .action(handler<Input>((flags, epic?: string) => epicsTree(app, flags, epic)));

const epicsTree = async (app: App, input: Input, epic: string | undefined): Promise<void> => {
  const names = epicNames();
  const print = treePrinter(app, input, treeView(names));
  const { tree, shown } = await showingProgress(app, input, (progress) => {
    const options = { depth: input.depth, progress };
    return epic === undefined ? ofGroup(app, input, names, options) : ofEpic(app, input, epic, names, options);
  });
  await print(shown);
  await reportRepeated(app, input, tree, shown);
};

const ofEpic = async (app: App, input: Input, word: string, names: EpicNames, options: TreeOptions) => {
  const { client, path, base, name } = await parentOf(app, input, word);
  const tree = await readEpicTree(client, path, options);
  names.begin(client, path.id, tree.epic);
  return { tree, shown: await shownTree(tree, name, base, names) };
};

const ofGroup = async (app: App, input: Input, names: EpicNames, options: TreeOptions) => {
  const { client, id, base } = await groupOf(app, input);
  const tree = await readGroupTree(client, id, options);
  names.begin(client, id);
  return { tree, shown: await shownTree(tree, id, base, names) };
};

const shownTree = async (
  { epic, children }: EpicTree, name: string, base: string | null, { learn, pathOf, refOf }: EpicNames,
): Promise<ShownTree> => {
  const { reportedPage } = await import('../../epics/tree-text.js');
  await learn([...epic ? [epic] : [], ...epicsIn(children)]);
  const epicPage = (one: Epic): string | null => {
    const path = pathOf(one);
    const known = base === null || path === undefined ? null
      : noteableUrl(base, path, { kind: 'epic', id: String(one.iid) });
    return reportedPage(one) ?? known;
  };
  return { epic, name, nodes: children, refOf, pageOf: epicPage };
};

/** @throws Problem for an invalid combination of flags, before any request */
const treePrinter = (app: App, input: Input, view: View<TreeRow>): (tree: ShownTree) => Promise<void> => {
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
  const fields = selectedFields(input, selectableNames(view));
  const isNested = ['json', 'table', 'yaml', 'markdown', agent].includes(format)
    && (fields === null || format === 'json');
  const printRows = listPrinter(app, input, view);
  if (!isNested) return async (tree) => printRows(wholeList((await import('../../epics/tree-text.js')).flatTree(tree)));
  checkWhole(input, format);
  if (format === 'json') return (tree) => printJson(app, input, nestedJson(app, view, tree, fields));
  return async (tree) => {
    const { isUnicode, treeAgent, treeLines, treeMarkdown, treeYaml } = await import('../../epics/tree-text.js');
    if (format === 'yaml') return app.out.write(treeYaml(tree));
    if (format === 'markdown') return app.out.write(treeMarkdown(tree));
    if (String(format) === agent) return app.out.write(treeAgent(tree));
    if (tree.epic === null && tree.nodes.length === 0) await say(app, input, view.emptyText);
    else await showText(app, input, await treeLines(tree, displayFor(app), isUnicode(app.env, app.out.isTerminal)));
  };
};

const checkWhole = ({ limit }: GlobalFlags, format: string): void => {
  if (limit !== undefined) throw usage(`--limit and -o ${format} cannot be combined`, 'limit the levels with --depth');
};

/** The epic at the top with its children, or the list of roots; `children` is null below the depth limit. */
const nestedJson = (
  app: App, view: View<TreeRow>, { epic, nodes }: ShownTree, fields: readonly string[] | null,
): unknown => {
  const select = selectorOf(view, displayFor(app), fields);
  const epicObject = (one: Epic, children: readonly EpicNode[] | null, depth: number): unknown => {
    const selected = fields === null ? one : select({ ...one, depth }) as object;
    return { ...selected, children: children && epicObjects(children, depth + 1) };
  };
  const epicObjects = (list: readonly EpicNode[], depth: number): unknown[] =>
    list.map((node) => epicObject(node.epic, node.children, depth));
  return epic ? epicObject(epic, nodes, 0) : epicObjects(nodes, 1);
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
