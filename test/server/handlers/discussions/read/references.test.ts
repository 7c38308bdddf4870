import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../../src/contract/shapes/note.js';
import { testService } from '../../../../support/service.js';
import { acme } from '../../../../support/worlds.js';

const thread = (digit: string, id: number, body: string) =>
  ({ id: digit.repeat(40), individual_note: true, notes: [{ id, author: 'root', system: true, body }] });

const [project, ...others] = acme.projects!;
const [first, ...issues] = project!.issues!;
const world = { ...acme, projects: [{ ...project, issues: [{ ...first, discussions: [
  thread('a', 901, 'mentioned in issue #2'), thread('b', 902, 'mentioned in merge request !1'),
  thread('c', 903, 'mentioned in issue open/site#1'), thread('d', 904, 'mentioned in issue #99'),
  thread('e', 905, 'mentioned in epic acme&2'),
] }, ...issues] }, ...others] };

const path = '/projects/20/issues/1';

describe('a system note that mentions what the reader may not see', () => {
  it('is left out of lists', async () => {
    const { get } = await testService({ world, dialect: 'live' });
    const idsFor = async (as: string) => (await get<Discussion[]>(`${path}/discussions`, { as })).body.flatMap(({ notes }) => notes.map(({ id }) => id));
    expect(await idsFor('reporter')).toEqual([901, 902, 903, 904, 905]);
    expect(await idsFor('guest')).toEqual([901, 902, 903, 904]);
    const flat = (await get<Note[]>(`${path}/notes?sort=asc`, { as: 'guest' })).body;
    expect(flat.map(({ id }) => id)).toEqual([901, 902, 903, 904]);
  });

  it('gets 404 by itself, and still counts for the pages', async () => {
    const { get, post } = await testService({ world, dialect: 'live' });
    const hidden = 'e'.repeat(40);
    expect(await get(`${path}/discussions/${hidden}`, { as: 'guest' })).toMatchObject({ status: 404, body: { message: '404 Discussion Not Found' } });
    expect(await get(`${path}/discussions/${hidden}/notes/905`, { as: 'guest' })).toMatchObject({ status: 404 });
    expect(await get(`${path}/notes/905`, { as: 'guest' })).toMatchObject({ status: 404 });
    expect(await post(`${path}/discussions/${hidden}/notes`, { as: 'guest', json: { body: 'x' } })).toMatchObject({ status: 404 });
    expect((await get(`${path}/discussions`, { as: 'guest' })).headers['x-total']).toBe('5');
  });

  it('hides nothing else of its thread, which can be read by note and replied to', async () => {
    const notes = [...thread('f', 906, 'mentioned in epic acme&2').notes, { id: 907, author: 'root', body: 'a reply' }];
    const discussions = [{ id: 'f'.repeat(40), notes }];
    const { get, post } = await testService({ dialect: 'live',
      world: { ...world, projects: [{ ...project!, issues: [{ ...first!, discussions }, ...issues] }, ...others] } });
    const shown = `${path}/discussions/${'f'.repeat(40)}/notes`;
    expect(await get(`${shown}/907`, { as: 'guest' })).toMatchObject({ status: 200, body: { body: 'a reply' } });
    expect(await get(`${shown}/906`, { as: 'guest' })).toMatchObject({ status: 404, body: { message: '404 Note Not Found' } });
    expect(await post(shown, { as: 'guest', json: { body: 'x' } })).toMatchObject({ status: 201 });
  });

  it('is left out whatever the form of the reference: of the same group, and with any number', async () => {
    const hidden = { title: 'Hidden', author: 'owner', confidential: true };
    const large = 9_000_000_000_000_000;
    const noted = (place: { readonly id?: number; readonly iid: number; readonly title: string }, ...bodies: readonly string[]) =>
      ({ ...place, author: 'owner', discussions: bodies.map((body) => ({ notes: [{ system: true, body }] })) });
    const { get } = await testService({ dialect: 'live', world: {
      ...acme,
      groups: [{ ...acme.groups![0]!, epics: [{ iid: 3, ...hidden }, { iid: large, ...hidden },
        noted({ id: 600, iid: 9, title: 'Shown' }, `added epic &${large} as child epic`, 'mentioned in issue app#4', 'mentioned in issue #4')] },
      { path: 'acme/team', epics: [noted({ id: 601, iid: 1, title: 'Below' }, 'mentioned in epic &3', 'mentioned in epic acme&3')] }],
      projects: [
        { path: 'acme/app', issues: [{ iid: 4, ...hidden }, { iid: large, ...hidden },
          noted({ iid: 5, title: 'Shown' }, 'mentioned in epic &3', `mentioned in issue #${large}`, `mentioned in issue #${large}0`)] },
        { path: 'acme/web', issues: [noted({ iid: 1, title: 'Shown' },
          'mentioned in issue app#4', 'marked this issue as related to app#4', 'mentioned in issue web#4')] },
      ],
    } });
    const bodiesFor = async (as: string, of: string) => (await get<Note[]>(`${of}/notes?sort=asc`, { as })).body.map(({ body }) => body);
    const rows = [
      ['/projects/acme%2Fapp/issues/5', 3, [`mentioned in issue #${large}0`]], ['/projects/acme%2Fweb/issues/1', 3, ['mentioned in issue web#4']],
      ['/groups/acme/epics/600', 3, ['mentioned in issue #4']], ['/groups/acme%2Fteam/epics/601', 2, ['mentioned in epic &3']],
    ] as const;
    for (const [of, all, shown] of rows) {
      expect(await bodiesFor('reporter', of)).toHaveLength(all);
      expect(await bodiesFor('guest', of)).toEqual(shown);
    }
  });

  it('is shown in the document dialect', async () => {
    const { get } = await testService({ world });
    expect((await get<Discussion[]>(`${path}/discussions`, { as: 'guest' })).body).toHaveLength(5);
  });
});
