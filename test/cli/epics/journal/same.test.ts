import { describe, expect, it } from 'vitest';
import { checkSameEpics, checkSameTop, type RecordedRun, type RunSite } from '../../../../src/cli/epics/journal.js';
import type { EpicFacts } from '../../../../src/cli/epics/live.js';

const site = { journal: { path: '/state/run.ndjson' } as RunSite['journal'] };
const epic = (parts: Partial<EpicFacts> = {}): EpicFacts =>
  ({ id: 501, iid: 2, group_id: 10, parent_id: null, title: 'Café', created_at: '2024-05-01T12:00:00Z', ...parts });
const run = { epics: new Map([[501, epic()]]) };

describe('an epic of a recorded run', () => {
  it.each<[string, Partial<EpicFacts>]>([
    ['in another place', { parent_id: 7 }], ['with its title in another form of Unicode', { title: ' Cafe\u0301' }],
    ['with its time in another form', { created_at: '2024-05-01T14:00:00.000+02:00' }], ['of a service that reports no time', { created_at: undefined! }],
  ])('is the same %s', (_, parts) => {
    expect(() => checkSameEpics(run, [epic(parts)], site)).not.toThrow();
  });

  it.each<[string, Partial<EpicFacts>]>([
    ['id', { id: 502 }], ['number', { iid: 3 }], ['group', { group_id: 11 }], ['title', { title: 'café' }], ['time', { created_at: '2024-05-01T12:00:01Z' }],
  ])('is another one if it has another %s', (_, parts) => {
    expect(() => checkSameEpics(run, [epic(parts)], site)).toThrow(/^the recorded run changed &2 "Café" \(id 501, created .*\), but the service has &\d "/);
  });

  it('is described with what to do, and without control characters', () => {
    expect(() => checkSameEpics(run, [epic({ title: 'a\u001b[2J' })], site)).toThrow(expect.objectContaining({
      code: 'failure', message: expect.stringContaining('"a\\u001b[2J"') as string,
      hint: expect.stringContaining('remove /state/run.ndjson if the service was set up again') as string }) as Error);
  });
});

describe('the epics of a recorded run', () => {
  it('are compared by their ids and by their numbers in the group; others are no matter', () => {
    expect(() => checkSameEpics(run, [epic(), epic({ id: 999, iid: 99, title: 'Other' })], site)).not.toThrow();
    expect(() => checkSameEpics(run, [epic({ iid: 3 })], site)).toThrow('the recorded run changed');
    expect(() => checkSameEpics(run, [epic({ id: 502 })], site)).toThrow('the recorded run changed');
    expect(() => checkSameEpics(run, [epic({ id: 502, group_id: 11 })], site)).not.toThrow();
  });
});

describe('the epic at the top', () => {
  const checked = (top: EpicFacts | null | undefined, present: EpicFacts | null) => {
    let lookups = 0;
    const parent = { epic: async () => { lookups++; return present; } } as unknown as RunSite['parent'];
    return checkSameTop({ head: { top } } as RecordedRun, { ...site, parent } as RunSite).then(() => lookups);
  };

  it('is compared if the run recorded it and the service has it', async () => {
    await expect(checked(epic(), epic({ title: 'Other' }))).rejects.toThrow('the recorded run changed');
    expect([await checked(epic(), epic()), await checked(epic(), null), await checked(null, epic()), await checked(undefined, epic())]).toEqual([1, 1, 0, 0]);
  });
});
