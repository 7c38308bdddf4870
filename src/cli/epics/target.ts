import type { PlanProblem } from '../changes/report.js';
import { Problem } from '../command-line/failure.js';
import { groupedBy } from '../../text/groups.js';
import { plainLine } from '../../text/plain.js';
import type { EpicDocument } from './document.js';
import { type DocumentNode, isSameButCase, isSameTitle, normalizedTitle, oddnessOf } from './document-nodes.js';
import { lineToTop, type LinkTarget } from './plan.js';
import { nameIn, type Live, type LiveReader } from './live.js';

interface DocumentTarget extends LinkTarget {
  readonly isMasked: boolean;
  readonly findings: readonly PlacedProblem[];
  /** With the place where the document names the epic, as in `plan.yaml:3: …`; only the file for others. */
  readonly placed: (epic: number, finding: PlanProblem) => PlacedProblem;
}

interface PlacedProblem extends PlanProblem {
  /** 0 if the document does not name the epic. */
  readonly line: number;
}

/** Epics that are not found are problems of the document. */
export const locate = async (
  reader: LiveReader, document: EpicDocument,
): Promise<ReadonlyMap<DocumentNode, number>> => {
  const located = new Map<DocumentNode, number>();
  for (const node of flatNodes(document.nodes)) {
    if (node.ref === null) continue;
    const epic = await found(document, node, reader.find(node.ref));
    if (epic === null) continue;
    await reader.add(epic);
    located.set(node, epic.id);
  }
  return located;
};

const flatNodes = (nodes: readonly DocumentNode[]): DocumentNode[] =>
  nodes.flatMap((node) => [node, ...flatNodes(node.children ?? [])]);

const found = async <T>({ problems }: EpicDocument, node: DocumentNode, search: Promise<T>): Promise<T | null> => {
  try {
    return await search;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    problems.add(node, error.message, error.hint, error.code);
    return null;
  }
};

export interface TargetOptions {
  readonly prune: boolean;
  /** Whether new epics may have titles that are probably mistakes. */
  readonly allowOddTitles?: boolean | undefined;
  /** Whether hints name options; an agent has none. */
  readonly namesOptions?: boolean | undefined;
  /** The parents below which an earlier part of this run created epics. One without a parent is used again. */
  readonly createdBelow?: ReadonlyMap<number, number> | undefined;
  /** For the titles of new epics. */
  readonly mask?: ((title: string) => string) | undefined;
}

interface Resolving {
  readonly options: TargetOptions;
  readonly document: EpicDocument;
  readonly live: Live;
  readonly located: ReadonlyMap<DocumentNode, number>;
  readonly named: Map<number, DocumentNode>;
  readonly lists: Map<number, readonly number[]>;
  readonly created: Map<number, string>;
  readonly masked: DocumentNode[];
}

/**
 * A title means the one child of its parent with that title, else a new epic. Unnamed children stay after the named
 * ones, or are removed with `prune`. @throws Problem for an ambiguous or odd title, an epic that is named twice, and a
 * cycle
 */
export const documentTargetOf = (
  document: EpicDocument, live: Live, located: ReadonlyMap<DocumentNode, number>, options: TargetOptions,
): DocumentTarget => {
  const run: Resolving = {
    options, document, live, located, named: new Map(), lists: new Map(), created: new Map(), masked: [],
  };
  const nodes = belowTop(run);
  if (nodes) resolveList(run, live.root, nodes);
  document.problems.check();
  const { named, created } = run;
  const children = new Map<number, readonly number[]>();
  const removed: number[] = [];
  for (const [parent, list] of run.lists) {
    const others = (live.forest.children.get(parent) ?? []).filter((id) => !named.has(id));
    if (options.prune) removed.push(...others);
    children.set(parent, options.prune ? list : [...list, ...others]);
  }
  const placed = (epic: number, finding: PlanProblem) => {
    const line = named.get(epic)?.line ?? 0;
    const place = line === 0 ? document.file : `${document.file}:${line}`;
    return { ...finding, line, message: plainLine(`${place}: ${finding.message}`) };
  };
  const findings = nameFindings(run).map(([epic, finding]) => placed(epic, finding));
  return { children, created, removed, findings, placed, isMasked: run.masked.length > 0 };
};

/** The output of `epics tree` starts with the epic at the top. */
const belowTop = ({ document: { nodes }, live: { root }, located }: Resolving): DocumentNode['children'] => {
  const [first, ...others] = nodes;
  return first && others.length === 0 && located.get(first) === root ? first.children : nodes;
};

const resolveList = (run: Resolving, parent: number, given: readonly DocumentNode[]): void => {
  const byTitle = childrenByTitle(run, parent);
  const nodes = given.map((node) => maskedNode(run, parent, byTitle, node));
  const list = nodes.flatMap((node) => {
    const known = run.located.get(node);
    if (known === undefined && (node.ref !== null || isAmbiguous(run, byTitle, node))) return [];
    const epic = known ?? childrenWithTitle(byTitle, node)[0] ?? removedAgain(run, parent, node)
      ?? -(run.created.size + 1);
    if (!mayBeNamed(run, node, epic)) return [];
    if (epic < 0) {
      checkNewTitle(run, parent, node, nodes);
      run.created.set(epic, node.title!);
    }
    run.named.set(epic, node);
    return [{ node, epic }];
  });
  checkTitles(run, list);
  run.lists.set(parent, list.map(({ epic }) => epic));
  for (const { node, epic } of list) if (node.children) resolveList(run, epic, node.children);
};

const report = ({ document: { problems } }: Resolving, node: DocumentNode, reason: string, hint: string): void =>
  problems.add(node, reason, hint);

type ByTitle = ReadonlyMap<string, readonly number[]>;

const childrenByTitle = ({ live: { forest, epics } }: Resolving, parent: number): ByTitle =>
  groupedBy(forest.children.get(parent) ?? [], (child) => normalizedTitle(epics.get(child)?.title));

const childrenWithTitle = (byTitle: ByTitle, { title }: DocumentNode): readonly number[] =>
  byTitle.get(normalizedTitle(title)) ?? [];

const isAmbiguous = (run: Resolving, byTitle: ByTitle, node: DocumentNode): boolean => {
  const same = childrenWithTitle(byTitle, node);
  if (same.length <= 1) return false;
  report(run, node, `several children have the title "${node.title}"`,
    `name one of them by ref: ${same.map((id) => `id:${id}`).join(', ')}`);
  return true;
};

/** This run created it here, and a rollback removed it from its parent. */
const removedAgain = (
  { live: { forest, epics }, options, named }: Resolving, parent: number, { title }: DocumentNode,
): number | undefined => [...options.createdBelow ?? []].find(([epic, below]) => below === parent && !named.has(epic)
  && forest.parents.get(epic) === null && isSameTitle(epics.get(epic)?.title, title))?.[0];

/** The next run finds the new epic by the masked title. */
const maskedNode = (run: Resolving, parent: number, byTitle: ByTitle, node: DocumentNode): DocumentNode => {
  if (node.ref !== null || childrenWithTitle(byTitle, node).length > 0) return node;
  const title = (run.options.mask ?? String)(node.title!);
  if (title === node.title || removedAgain(run, parent, node) !== undefined) return node;
  run.masked.push(node);
  return { ...node, title };
};

const mayBeNamed = (run: Resolving, node: DocumentNode, epic: number): boolean => {
  const { live, named } = run;
  const first = named.get(epic);
  const name = nameIn(live, epic);
  if (first) {
    report(run, node, `${name} is named twice, first on line ${first.line}`,
      'keep one of them; an epic has one parent');
  } else if (epic === live.root) report(run, node, `${name} cannot be below itself`, 'remove it from the file');
  else if (lineToTop(live.forest, live.root).includes(epic)) {
    report(run, node, `${name} is above ${nameIn(live, live.root)}: the change would create a cycle`,
      'remove it from the file, or unassign it first');
  } else return true;
  return false;
};

/** The API cannot delete epics, so that a file in another format must not create any. */
const checkNewTitle = (
  run: Resolving, parent: number, node: DocumentNode, siblings: readonly DocumentNode[],
): void => {
  const { live: { forest, epics }, options: { allowOddTitles, namesOptions = true } } = run;
  if (allowOddTitles) return;
  const title = node.title!;
  const reason = oddnessOf(title);
  if (reason !== null) {
    return report(run, node, `${reason}: ${JSON.stringify(title)}`,
      `correct it${namesOptions ? ', or pass --allow-odd-titles to create an epic with this title' : ''}`);
  }
  const others = [...(forest.children.get(parent) ?? []).map((id) => epics.get(id)?.title),
    ...siblings.slice(0, siblings.indexOf(node)).map((sibling) => sibling.title)];
  const similar = others.find((other) => isSameButCase(other, title));
  if (typeof similar !== 'string') return;
  report(run, node, `${JSON.stringify(title)} differs only in case from its sibling ${JSON.stringify(similar)}`,
    `use the title of the sibling${namesOptions ? ', or pass --allow-odd-titles to create another epic' : ''}`);
};

/** Otherwise the next run could not tell the epics apart. */
const checkTitles = (
  run: Resolving, list: readonly { readonly node: DocumentNode; readonly epic: number }[],
): void => {
  const { live: { epics } } = run;
  const titles = new Map<string, DocumentNode>();
  const byTitle = list.map(({ node, epic }) =>
    ({ node, title: normalizedTitle(epics.get(epic)?.title ?? node.title) }));
  for (const { node, title } of [...byTitle.filter((one) => one.node.ref !== null), ...byTitle]) {
    const first = titles.get(title);
    if (first && first !== node && node.ref === null) {
      report(run, node, `"${plainLine(title)}" is also the title of the epic on line ${first.line}`,
        'use another title, or name existing epics by ref');
    }
    titles.set(title, first ?? node);
  }
};

const isNameOf = (ref: string, id: number, iid: number): boolean =>
  ref === `id:${id}` || /.*(?:&|epics?\/|work_items\/)(\d+)/.exec(ref)?.[1] === String(iid);

const nameFindings = ({ live: { epics }, named }: Resolving): [epic: number, PlanProblem][] =>
  [...named].flatMap(([epic, { ref, title, otherRef }]): [epic: number, PlanProblem][] => {
    const { iid, title: actual } = epics.get(epic) ?? {};
    if (otherRef !== undefined && iid !== undefined && !isNameOf(otherRef, epic, iid)) {
      const message = `${ref} is &${iid}, not ${otherRef}`;
      return [[epic, { level: 'error', message, hint: 'correct one of the two, or leave one empty' }]];
    }
    if (ref === null || title === null || actual === undefined) return [];
    if (isSameTitle(actual, title) || plainLine(actual) === plainLine(title)) return [];
    const message = `${ref} has the title "${actual}", not "${title}"`;
    return [[epic, { level: 'warning', message, hint: 'correct one of them; epics are not renamed' }]];
  });
