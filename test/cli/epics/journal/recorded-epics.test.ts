import { describe, expect, it } from 'vitest';
import { addRecorded, openRunJournal, type RecordedRun } from '../../../../src/cli/epics/journal.js';
import { readLiveLinks, type EpicFacts } from '../../../../src/cli/epics/live.js';
import { parentOf } from '../../../../src/cli/service/targets/epic.js';
import type { WorldOptions } from '../../../support/app.js';
import { unknownRoute } from '../../../support/answers.js';
import { epicApp } from '../../../support/epic-app.js';

const facts = (iid: number, parts: Partial<EpicFacts> = {}): EpicFacts =>
  ({ id: 500 + iid, iid, group_id: 10, parent_id: null, title: `Epic ${iid}`, ...parts });

/** Adds epics of a run that recorded these and changed the parents of some. */
const added = async (
  ids: readonly number[], { epics = [3, 7, 8, 99].map((iid) => facts(iid)), moved = [] as number[], ...options }: WorldOptions & {
    epics?: readonly EpicFacts[]; moved?: readonly number[];
  } = {},
) => {
  const { app } = await epicApp(options);
  const parent = await parentOf(app, {}, '&1');
  const reader = await readLiveLinks(parent, { show: async () => undefined });
  const run = {
    epics: new Map(epics.map((epic) => [epic.id, epic])), created: new Map(), hidden: new Map(),
    former: { parents: new Map(moved.map((id) => [id, null])), children: new Map() },
  } as unknown as RecordedRun;
  const site = { app, flags: {}, parent, name: 'acme&1', journal: await openRunJournal(app, ['test']) };
  const unread = await addRecorded(site, reader, run, ids);
  return { ...reader.live.forest, unread: [...unread].map(([id, { status }]) => [id, status]) };
};

describe('the epics of a recorded run', () => {
  it('are added with everything around them if the run moved them', async () => {
    const { parents, children, unread } = await added([507], { moved: [507] });
    expect([parents.get(507), children.get(507), children.get(503), unread]).toEqual([503, [], [507], []]);
  });

  it('are added with their children alone if the run only changed these', async () => {
    const { parents, children } = await added([503]);
    expect([children.get(503), children.has(507), parents.get(507)]).toEqual([[507], false, 503]);
  });

  it('are named with the error of the service if it does not show them', async () => {
    expect((await added([599, 503])).unread).toEqual([[599, 404]]);
    const answer: WorldOptions['answer'] = ({ target }) =>
      target.endsWith('/epics/8') ? { status: 403, headers: { 'content-type': 'application/json' }, body: '{"message":"403 Forbidden"}' } : undefined;
    expect((await added([508], { answer })).unread).toEqual([[508, 403]]);
  });

  it('are other ones now if the service has another title, which is an error', async () => {
    await expect(added([508], { epics: [facts(8, { title: 'Former' })] })).rejects.toThrow('the recorded run changed &8 "Former"');
  });

  it('are taken as recorded where the service has no lookup of epics', async () => {
    const answer: WorldOptions['answer'] = ({ target }) => /\/groups\/[^/]+\/epics\/\d+(\?|$)/.test(target) ? unknownRoute : undefined;
    const { children, unread } = await added([503], { answer });
    expect([children.get(503), unread]).toEqual([[507], []]);
  });

  it('that the run did not record are left out', async () => {
    const { children, unread } = await added([555]);
    expect([children.has(555), unread]).toEqual([false, []]);
  });
});
