import { describe, expect, it } from 'vitest';
import type { LinkStep } from '../../../../src/cli/epics/plan.js';
import type { EpicFacts } from '../../../../src/cli/epics/live.js';
import { createdBy, isMadeIn, openWrite, parentIn } from '../../../../src/cli/epics/journal.js';

const at = new Date('2024-05-01T12:00:00.000Z');
const minute = 60_000;
const create: LinkStep = { action: 'create', epic: -1, title: 'New', parent: 1 };
const assign: LinkStep = { action: 'assign', epic: 5, parent: 1 };

describe('a write of unknown outcome', () => {
  it('may still be carried out for 90 seconds if it is a create, else for 8', () => {
    const unanswered = { isRunning: true, ahead: 0 };
    expect(openWrite({ step: create, at, unanswered }, []).until).toBe(at.getTime() + 90_000);
    expect(openWrite({ step: assign, at, unanswered }, []).until).toBe(at.getTime() + 8_000);
  });

  it('is over if the service responded itself, and may run if the program was stopped', () => {
    expect(openWrite({ step: create, at, unanswered: { isRunning: false, ahead: 0 } }, []).until).toBe(0);
    expect(openWrite({ step: create, at, unanswered: null }, []).until).toBe(at.getTime() + 90_000);
  });

  it('starts on the clock of the service, as exactly as that is known', () => {
    const since = (ahead: number | null) => openWrite({ step: create, at, unanswered: { isRunning: true, ahead } }, []).since - at.getTime();
    expect([since(0), since(2 * 60 * minute), since(null)]).toEqual([-minute, 119 * minute, -10 * minute]);
  });
});

describe('the epic that a create made', () => {
  const open = openWrite({ step: create, at, unanswered: { isRunning: true, ahead: 0 } }, [7]);
  const epic = (id: number, parts: Partial<EpicFacts> = {}): EpicFacts =>
    ({ id, iid: id + 1, group_id: 10, parent_id: 1, title: 'New', created_at: at.toISOString(), ...parts });

  it('is the one new child with its title', () => {
    expect(createdBy(open, [epic(7), epic(8, { web_url: 'https://host/e/9' }), epic(9, { title: 'Other' })]))
      .toEqual({ id: 8, iid: 9, group_id: 10, title: 'New', url: 'https://host/e/9' });
    expect(createdBy(open, [epic(8, { title: ' New ' })])).toMatchObject({ id: 8, url: null });
  });

  it('is unknown if there is none or several', () => {
    expect([createdBy(open, []), createdBy(open, [epic(7)]), createdBy(open, [epic(8), epic(9)])]).toEqual([null, null, null]);
  });

  it('is not an older one that was moved there', () => {
    expect(createdBy(open, [epic(8, { created_at: new Date(at.getTime() - minute - 1).toISOString() })])).toBeNull();
    expect(createdBy(open, [epic(8, { created_at: new Date(at.getTime() - minute).toISOString() })])).toMatchObject({ id: 8 });
  });

  it('may be one of unknown age', () => {
    const { created_at: _, ...ageless } = epic(8);
    expect(createdBy(open, [ageless])).toMatchObject({ id: 8 });
  });

  it('does not exist for other writes', () => {
    expect(createdBy(openWrite({ step: assign, at, unanswered: null }, []), [epic(8)])).toBeNull();
  });
});

describe('a change shows in the children of its parent', () => {
  it.each<[Exclude<LinkStep, { action: 'create' }>, number[], boolean]>([
    [{ action: 'assign', epic: 5, parent: 1 }, [4, 5], true], [{ action: 'assign', epic: 5, parent: 1 }, [4], false],
    [{ action: 'move', epic: 5, parent: 1, from: 2 }, [5], true],
    [{ action: 'unassign', epic: 5, from: 1 }, [4], true], [{ action: 'unassign', epic: 5, from: 1 }, [5], false],
    [{ action: 'reorder', epic: 5, parent: 1, after: 4 }, [4, 5], true], [{ action: 'reorder', epic: 5, parent: 1, after: 4 }, [4, 6, 5], false],
    [{ action: 'reorder', epic: 5, parent: 1, before: 4 }, [5, 4], true], [{ action: 'reorder', epic: 5, parent: 1, before: 4 }, [4, 5], false],
    [{ action: 'reorder', epic: 5, parent: 1, after: 4 }, [4], false],
  ])('%j in %j: %s', (step, order, isMade) => {
    expect(isMadeIn(step, order)).toBe(isMade);
  });
});

it('the parent to look at is the former one of an epic that is removed', () => {
  expect([parentIn(create), parentIn({ action: 'move', epic: 5, parent: 1, from: 2 }), parentIn({ action: 'unassign', epic: 5, from: 2 })]).toEqual([1, 1, 2]);
});
