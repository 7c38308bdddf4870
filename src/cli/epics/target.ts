import type { PlanProblem } from '../changes/problems.js';
import { Problem, usage } from '../command-line/errors/failure.js';
import { plainLine } from '../../text/plain.js';
import type { EpicDocument } from './document.js';
import type { DocumentNode } from './document-nodes.js';
import { lineOf } from './forest.js';
import { nameIn, type Live, type LiveReader } from './live.js';
import { isSameButCase, isSameTitle, normalizedTitle, oddnessOf } from './titles.js';
import type { LinkTarget } from './plan.js';

interface DocumentTarget extends LinkTarget {
  /** Deviations that do not prevent a run. */
  readonly findings: readonly PlacedProblem[];
  /** With the place where the document names the epic, as in `plan.yaml:3: …`; only the file for others. */
  readonly placed: (epic: number, finding: PlanProblem) => PlacedProblem;
}

interface PlacedProblem extends PlanProblem {
  /** 0 if the document does not name the epic. */
  readonly line: number;
}

/** @throws Problem with the place */
export const locate = async (
  reader: LiveReader, document: EpicDocument,
): Promise<ReadonlyMap<DocumentNode, number>> => {
  const located = new Map<DocumentNode, number>();
  for (const node of nodesOf(document.nodes)) {
    if (node.ref === null) continue;
    const epic = await atNode(document, node, () => reader.find(node.ref!));
    await reader.add(epic);
    located.set(node, epic.id);
  }
  return located;
};

const nodesOf = (nodes: readonly DocumentNode[]): DocumentNode[] =>
  nodes.flatMap((node) => [node, ...nodesOf(node.children ?? [])]);

const atNode = async <T>(
  { file }: EpicDocument, { line, column }: DocumentNode, work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new Problem(error.code, `${file}:${line}:${column}: ${error.message}`, error.hint, { cause: error });
  }
};

export interface TargetOptions {
  /** Removes children that the document does not name. */
  readonly prune: boolean;
  /** Whether new epics may have titles that are probably mistakes. */
  readonly allowOddTitles?: boolean | undefined;
  /** The parents below which an earlier part of this run created epics. One without a parent is used again. */
  readonly createdBelow?: ReadonlyMap<number, number> | undefined;
}

interface Resolving {
  readonly allowOddTitles: boolean;
  readonly createdBelow: ReadonlyMap<number, number>;
  readonly document: EpicDocument;
  readonly live: Live;
  readonly located: ReadonlyMap<DocumentNode, number>;
  /** By the epics that they name. */
  readonly named: Map<number, DocumentNode>;
  /** For every epic whose children the document lists. */
  readonly lists: Map<number, readonly number[]>;
  readonly created: Map<number, string>;
}

/**
 * A title means the one child of its parent with that title, else a new epic. Unnamed children stay after the named
 * ones, or are removed with `prune`. @throws Problem for an ambiguous or odd title, an epic that is named twice, and a
 * cycle
 */
export const documentTargetOf = (
  document: EpicDocument, live: Live, located: ReadonlyMap<DocumentNode, number>,
  { prune, allowOddTitles = false, createdBelow = new Map() }: TargetOptions,
): DocumentTarget => {
  const run: Resolving = {
    document, live, located, allowOddTitles, createdBelow, named: new Map(), lists: new Map(), created: new Map(),
  };
  const nodes = belowTop(run);
  if (nodes) resolveList(run, live.root, nodes);
  const { named, created } = run;
  const children = new Map<number, readonly number[]>();
  const removed: number[] = [];
  for (const [parent, list] of run.lists) {
    const others = (live.forest.children.get(parent) ?? []).filter((id) => !named.has(id));
    if (prune) removed.push(...others);
    children.set(parent, prune ? list : [...list, ...others]);
  }
  const placed = (epic: number, finding: PlanProblem) => {
    const line = named.get(epic)?.line ?? 0;
    const place = line === 0 ? document.file : `${document.file}:${line}`;
    return { ...finding, line, message: plainLine(`${place}: ${finding.message}`) };
  };
  const findings = titleWarnings(run).map(([epic, finding]) => placed(epic, finding));
  return { children, created, removed, findings, placed };
};

/** The output of `epics tree` starts with the epic at the top. */
const belowTop = ({ document: { nodes }, live: { root }, located }: Resolving): DocumentNode['children'] => {
  const [first, ...others] = nodes;
  return first && others.length === 0 && located.get(first) === root ? first.children : nodes;
};

const resolveList = (run: Resolving, parent: number, nodes: readonly DocumentNode[]): void => {
  const byTitle = childrenByTitle(run, parent);
  const list = nodes.map((node) => {
    const epic = run.located.get(node) ?? childWithTitle(run, byTitle, node) ?? removedAgain(run, parent, node)
      ?? -(run.created.size + 1);
    const isNew = epic < 0;
    checkNode(run, node, epic);
    if (isNew) {
      checkNewTitle(run, parent, node, nodes);
      run.created.set(epic, node.title!);
    }
    run.named.set(epic, node);
    return epic;
  });
  checkTitles(run, nodes, list);
  run.lists.set(parent, list);
  nodes.forEach((node, i) => {
    if (node.children) resolveList(run, list[i]!, node.children);
  });
};

const fail = (
  { document: { file } }: Resolving, { line, column }: DocumentNode, reason: string, hint: string,
): Problem => usage(`${file}:${line}:${column}: ${reason}`, hint);

type ByTitle = ReadonlyMap<string, readonly number[]>;

const childrenByTitle = ({ live: { forest, epics } }: Resolving, parent: number): ByTitle => {
  const found = new Map<string, number[]>();
  for (const child of forest.children.get(parent) ?? []) {
    const title = normalizedTitle(epics.get(child)?.title);
    const same = found.get(title);
    if (same) same.push(child);
    else found.set(title, [child]);
  }
  return found;
};

const childWithTitle = (run: Resolving, byTitle: ByTitle, node: DocumentNode): number | undefined => {
  const found = byTitle.get(normalizedTitle(node.title)) ?? [];
  if (found.length <= 1) return found[0];
  throw fail(run, node, `several children have the title "${node.title}"`,
    `name one of them by ref: ${found.map((id) => `id:${id}`).join(', ')}`);
};

/** This run created it here, and a rollback removed it from its parent. */
const removedAgain = (
  { live: { forest, epics }, createdBelow, named }: Resolving, parent: number, { title }: DocumentNode,
): number | undefined => [...createdBelow].find(([epic, below]) => below === parent && !named.has(epic)
  && forest.parents.get(epic) === null && isSameTitle(epics.get(epic)?.title, title))?.[0];

const checkNode = (run: Resolving, node: DocumentNode, epic: number): void => {
  const { live, named } = run;
  const first = named.get(epic);
  const name = nameIn(live, epic);
  if (first) {
    throw fail(run, node, `${name} is named twice, first on line ${first.line}`,
      'keep one of them; an epic has one parent');
  }
  if (epic === live.root) throw fail(run, node, `${name} cannot be below itself`, 'remove it from the file');
  if (lineOf(live.forest, live.root).includes(epic)) {
    throw fail(run, node, `${name} is above ${nameIn(live, live.root)}: the change would create a cycle`,
      'remove it from the file, or unassign it first');
  }
};

/** The API cannot delete epics, so that a file in another format must not create any. @throws Problem */
const checkNewTitle = (
  run: Resolving, parent: number, node: DocumentNode, siblings: readonly DocumentNode[],
): void => {
  if (run.allowOddTitles) return;
  const { live: { forest, epics } } = run;
  const title = node.title!;
  const reason = oddnessOf(title);
  if (reason !== null) {
    throw fail(run, node, `${reason}: ${JSON.stringify(title)}`,
      'correct it, or pass --allow-odd-titles to create an epic with this title');
  }
  const others = [...(forest.children.get(parent) ?? []).map((id) => epics.get(id)?.title),
    ...siblings.slice(0, siblings.indexOf(node)).map((sibling) => sibling.title)];
  const similar = others.find((other) => isSameButCase(other, title));
  if (typeof similar !== 'string') return;
  throw fail(run, node, `${JSON.stringify(title)} differs only in case from its sibling ${JSON.stringify(similar)}`,
    'use the title of the sibling, or pass --allow-odd-titles to create another epic');
};

/** Otherwise the next run could not tell the epics apart. @throws Problem */
const checkTitles = (run: Resolving, nodes: readonly DocumentNode[], list: readonly number[]): void => {
  const { live: { epics } } = run;
  const titles = new Map<string, DocumentNode>();
  const byTitle = nodes.map((node, i) => ({ node, title: normalizedTitle(epics.get(list[i]!)?.title ?? node.title) }));
  for (const { node, title } of [...byTitle.filter((one) => one.node.ref !== null), ...byTitle]) {
    const first = titles.get(title);
    if (first && first !== node && node.ref === null) {
      throw fail(run, node, `"${plainLine(title)}" is also the title of the epic on line ${first.line}`,
        'use another title, or name existing epics by ref');
    }
    titles.set(title, first ?? node);
  }
};

const titleWarnings = ({ live: { epics }, named }: Resolving): [epic: number, PlanProblem][] =>
  [...named].flatMap(([epic, { ref, title }]) => {
    const actual = epics.get(epic)?.title;
    if (ref === null || title === null || actual === undefined) return [];
    if (isSameTitle(actual, title) || plainLine(actual) === plainLine(title)) return [];
    const message = `${ref} has the title "${actual}", not "${title}"`;
    return [[epic, { level: 'warning', message, hint: 'correct one of them; epics are not renamed' }]];
  });
