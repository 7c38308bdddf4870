import { describe, expect, it } from 'vitest';
import { planLines } from '../../../../src/cli/epics/plan-output.js';
import { planSteps, type LinkTarget } from '../../../../src/cli/epics/plan.js';
import type { EpicFacts } from '../../../../src/cli/epics/live.js';
import { forestOf, liveOf, top } from '../../../support/forests.js';

const forest = forestOf([1, 2, 3, 4, 5, 6], { [top]: [1, 2, 3], 2: [4] });

const linesOf = (target: Partial<LinkTarget>, facts: Readonly<Record<number, Partial<EpicFacts>>> = {}, from = forest) => {
  const live = liveOf(from, facts);
  const whole = { children: new Map(), created: new Map(), removed: [], ...target };
  return planLines(live, whole, planSteps(live.forest, whole), 'acme&1 "Top"').slice(1).map(({ text }) => text);
};

describe('a plan as a tree', () => {
  it('shows the epics that change, and those above them; others are counted', () => {
    expect(linesOf({ children: new Map([[2, [4, 5]]]) })).toEqual([
      '    (1 unchanged)', '    &3 "Epic 2"', '        (1 unchanged)', '      + &6 "Epic 5" (assigned)', '    (1 unchanged)',
    ]);
  });

  it('marks new, removed, moved and reordered epics', () => {
    expect(linesOf({ children: new Map([[top, [3, 4, 1, -1]], [2, []]]), created: new Map([[-1, 'New "one"']]), removed: [2] })).toEqual([
      '  ~ &4 "Epic 3" (reordered)', '  ~ &5 "Epic 4" (from &3 "Epic 2")', '    (1 unchanged)', '  + "New \\"one\\"" (new)',
      '  - &3 "Epic 2" (has no parent any more)',
    ]);
  });

  it('says that a removed epic keeps its children', () => {
    expect(linesOf({ removed: [2], children: new Map([[top, [1, 3]]]) }).at(-1)).toBe('  - &3 "Epic 2" (has no parent any more, and keeps its child)');
    const two = { removed: [2], children: new Map([[top, [1, 3]], [2, [4, 5]]]) };
    expect(linesOf(two)).toContain('  - &3 "Epic 2" (has no parent any more, and keeps its 2 children)');
  });

  it('marks an epic once that has several steps', () => {
    const lines = linesOf({ children: new Map([[top, [1, 4, 2, 3]], [2, []]]) });
    expect(lines.filter((line) => line.includes('Epic 4'))).toEqual(['  ~ &5 "Epic 4" (from &3 "Epic 2")']);
  });

  it('shows the parents of changed epics outside the hierarchy after it', () => {
    expect(linesOf({ children: new Map([[5, [6]]]) })).toEqual(['    (3 unchanged)', '&6 "Epic 5"', '  + &7 "Epic 6" (assigned)']);
  });

  it('shows the epic at the top of the hierarchy once, if that has a parent', () => {
    const below = forestOf([1, 2, 3, 7, 8], { [top]: [1, 2, 3], 7: [8, top] });
    const created = new Map([[-1, 'New']]);
    expect(linesOf({ children: new Map([[top, [1, 2, 3, -1]]]), created }, {}, below)).toEqual(['    (3 unchanged)', '  + "New" (new)']);
    expect(linesOf({ children: new Map([[top, [3, 1, 2]], [8, [-1]]]), created }, {}, below)).toEqual([
      '  ~ &4 "Epic 3" (reordered)', '    (2 unchanged)',
      '&8 "Epic 7"', '    &9 "Epic 8"', '      + "New" (new)', '    (1 unchanged)',
    ]);
  });

  it('shows no control characters of titles', () => {
    expect(linesOf({ removed: [1], children: new Map([[top, [2, 3]]]) }, { 1: { title: 'a\u001b[2J\nb' } }).at(-1)).toBe(
      '  - &2 "a\\u001b[2J b" (has no parent any more)');
  });
});
