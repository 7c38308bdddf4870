import { describe, expect, it } from 'vitest';
import type { DocumentNode } from '../../../src/cli/epics/document-nodes.js';
import { readEpicDocument } from '../../../src/cli/epics/document.js';
import type { Forest } from '../../../src/cli/epics/plan.js';
import type { EpicFacts } from '../../../src/cli/epics/live.js';
import { documentTargetOf, type TargetOptions } from '../../../src/cli/epics/target.js';
import { forestOf, liveOf, top } from '../../support/forests.js';

const forest = forestOf([1, 2, 3, 4, 5], { [top]: [1, 2, 3], 2: [4] });

interface Given extends Partial<TargetOptions> {
  readonly forest?: Forest;
  readonly facts?: Readonly<Record<number, Partial<EpicFacts>>>;
}

/** The target of a document whose references `id:1` are the epics of the forest. */
const targetFor = async (text: string, { forest: links = forest, facts = {}, ...options }: Given = {}) => {
  const document = await readEpicDocument(text, 'plan.txt');
  const nodesOf = (nodes: readonly DocumentNode[]): DocumentNode[] => nodes.flatMap((node) => [node, ...nodesOf(node.children ?? [])]);
  const refs = nodesOf(document.nodes).filter(({ ref }) => ref !== null);
  const located = new Map(refs.map((node) => [node, node.ref === 'id:1000' ? top : Number(node.ref!.slice('id:'.length))]));
  return documentTargetOf(document, liveOf(links, facts), located, { prune: false, ...options });
};
const childrenIn = async (...parts: Parameters<typeof targetFor>) => Object.fromEntries((await targetFor(...parts)).children);

describe('the children that a document describes', () => {
  it('are named by reference or title, and followed by the others', async () => {
    expect(await childrenIn('id:3\nEpic 1\n')).toEqual({ [top]: [3, 1, 2] });
  });

  it('are all, and the others are removed, with --prune', async () => {
    expect(await targetFor('id:3\n  id:1\n', { prune: true })).toMatchObject({ children: new Map([[top, [3]], [3, [1]]]), removed: [2] });
  });

  it('are new epics where no child of the parent has the title', async () => {
    const { children, created } = await targetFor('Epic 4\nNew\n  Below\n');
    expect([Object.fromEntries(children), Object.fromEntries(created)])
      .toEqual([{ [top]: [-1, -2, 1, 2, 3], '-2': [-3] }, { '-1': 'Epic 4', '-2': 'New', '-3': 'Below' }]);
  });

  it('start below the epic at the top, which the document may name alone', async () => {
    expect(await childrenIn('id:1000\n  id:3\n')).toEqual({ [top]: [3, 1, 2] });
    expect(await childrenIn('id:1000\n')).toEqual({});
  });

  it('have titles that are compared without surrounding spaces and in one form of Unicode', async () => {
    expect(await childrenIn('Cafe\u0301\n', { facts: { 2: { title: ' Café ' } } })).toEqual({ [top]: [2, 1, 3] });
  });

  it('are the new epics of an earlier part of the run, which a rollback removed again', async () => {
    const options = { createdBelow: new Map([[5, top]]) };
    expect(await childrenIn('Epic 5\n', options)).toEqual({ [top]: [5, 1, 2, 3] });
    expect(await childrenIn('id:2\n  Epic 5\n', options)).toMatchObject({ 2: [-1, 4] });
  });
});

describe('a document is rejected with the place', () => {
  const twins = { 1: { title: 'Twin' }, 3: { title: 'Twin' } };
  it.each<[string, Given, string]>([
    ['id:1\n\nid:2\n  id:1\n', {}, 'plan.txt:4:3: &2 "Epic 1" is named twice, first on line 1'],
    ['A\nid:2\nEpic 2\n', {}, 'plan.txt:3:1: &3 "Epic 2" is named twice, first on line 2'],
    ['id:1\n  id:1000\n', {}, 'plan.txt:2:3: &1 "Top" cannot be below itself'],
    ['id:9\n', { forest: { parents: new Map([[top, 9], [9, null]]), children: new Map([[9, [top]], [top, []]]) } },
      'plan.txt:1:1: &10 "Epic 9" is above &1 "Top": the change would create a cycle'],
    ['Twin\n', { facts: twins }, 'plan.txt:1:1: several children have the title "Twin"'],
    ['New\nOther\nNew\n', {}, 'plan.txt:3:1: "New" is also the title of the epic on line 1'],
    ['New\nid:4\n', { facts: { 4: { title: 'New' } } }, 'plan.txt:1:1: "New" is also the title of the epic on line 2'],
    ['epic 1\n', {}, 'plan.txt:1:1: "epic 1" differs only in case from its sibling "Epic 1"'],
    ['New\nnew\n', {}, 'plan.txt:2:1: "new" differs only in case from its sibling "New"'],
  ])('%j', async (text, given, message) => {
    await expect(targetFor(text, given)).rejects.toMatchObject({ code: 'usage', message });
  });

  it('and with the ids of the epics that a title can mean', async () => {
    await expect(targetFor('Twin\n', { facts: twins })).rejects.toMatchObject({ hint: 'name one of them by ref: id:1, id:3' });
  });

  it('unless references tell epics with one title apart, or odd titles are allowed', async () => {
    expect(await childrenIn('id:3\nid:1\n', { facts: twins })).toEqual({ [top]: [3, 1, 2] });
    expect(await childrenIn('epic 1\n', { allowOddTitles: true })).toEqual({ [top]: [-1, 1, 2, 3] });
  });
});

describe('a warning', () => {
  it('names a title that differs from the document', async () => {
    expect((await targetFor('id:1 Other\nid:2 Epic 2\n')).findings).toEqual([{
      line: 1, level: 'warning', message: 'plan.txt:1: id:1 has the title "Epic 1", not "Other"', hint: 'correct one of them; epics are not renamed',
    }]);
  });

  it('has the place of an epic in the document, if it is named there', async () => {
    const { placed } = await targetFor('id:1\nid:2\n  New\n');
    const messageAt = (epic: number) => placed(epic, { level: 'warning', message: 'too deep', hint: '' }).message;
    expect([2, -1, 3].map(messageAt)).toEqual(['plan.txt:2: too deep', 'plan.txt:3: too deep', 'plan.txt: too deep']);
  });
});
