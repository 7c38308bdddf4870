import { describe, expect, it } from 'vitest';
import {
  ancestorsOf, childOf, distinct, epicAmong, globalEpicId, groupOf, internalPath, nameOfEpic, parentOf, refBeside, siblingOf, withPresentParent,
} from '../../../../src/cli/service/targets/epic.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { epicApp } from '../../../support/epic-app.js';
import type { WorldOptions } from '../../../support/app.js';

/** The parent that a word names, with the requests that were sent for it. */
const parent = async (word = '&1', options: WorldOptions = {}) => {
  const sent: string[] = [];
  const { app } = await epicApp({ ...options, answer: (request) => {
    sent.push(decodeURIComponent(request.target.replace(/\?.*/, '')));
    return options.answer?.(request);
  } });
  return { app, sent, parent: await parentOf(app, {}, word) };
};

/** A service that does not have the lookups of epics and groups. */
const withoutLookups = ({ target }: HttpRequest) =>
  /\/groups\/[^/]+(\/epics(\/\d+)?)?(\?.*)?$/.test(target) ? unknownRoute : undefined;

describe('a parent epic', () => {
  it.each([
    ['&1', 'acme&1', 'acme&1'], ['epic/1', 'acme&1', 'acme&1'], ['acme&1', 'acme&1', 'acme&1'], ['10&1', '10&1', '10&1'],
    ['http://service.test/groups/acme/-/epics/1', 'acme&1', 'http://service.test/groups/acme/-/epics/1'],
    ['epic/id:500', 'epic/id:500', '10&1'], ['id:500', 'id:500', '10&1'],
  ])('%s has the name %s, and for further commands %s', async (word, name, ref) => {
    const { parent: found } = await parent(word);
    expect([found.name, found.ref, found.path.iid]).toEqual([name, ref, 1]);
  });

  it('is named without a request; its title is requested once, and its children until two reads agree', async () => {
    const { parent: found, sent } = await parent();
    expect(sent).toEqual([]);
    expect([await found.titled(), await found.titled()]).toEqual(['acme&1 "Roadmap"', 'acme&1 "Roadmap"']);
    expect((await found.children()).map(({ id }) => id)).toEqual((await found.children()).map(({ id }) => id));
    expect(sent).toEqual(['/api/v4/groups/acme/epics/1', '/api/v4/groups/acme/epics/1/epics', '/api/v4/groups/acme/epics/1/epics']);
  });

  it('has no title and no group of epics if the service cannot look them up', async () => {
    const { parent: found } = await parent('&1', { answer: withoutLookups });
    expect([await found.titled(), await found.epic(), await found.groupEpics()]).toEqual(['acme&1', null, []]);
  });

  it('does not hide an interruption during a lookup', async () => {
    const stop = new AbortController();
    const { parent: found } = await parent('&1', { answer: () => { stop.abort(); throw new DOMException('stopped', 'AbortError'); } });
    await expect(found.epic()).rejects.toMatchObject({ name: 'AbortError' });
  });

  it.each(['!1', 'issue/1', '&', '&0', 'Roadmap', 'http://service.test/acme/app/-/issues/1'])('is not %j', async (word) => {
    await expect(parent(word)).rejects.toMatchObject({ code: 'usage', message: `${JSON.stringify(word)} is not a valid epic` });
  });

  it('needs a group', async () => {
    const { app } = await epicApp({ env: { COLLOQUY_GROUP: undefined, COLLOQUY_PROJECT: undefined } });
    await expect(parentOf(app, {}, '&1')).rejects.toMatchObject({ code: 'usage', message: 'no group given for &1' });
    await expect(groupOf(app, {})).rejects.toMatchObject({ code: 'usage', message: 'no epic or group given' });
    expect((await parentOf(app, { group: 'acme' }, '&1')).name).toBe('acme&1');
    expect((await groupOf(app, { group: 'acme' })).id).toBe('acme');
  });

  it('may take its group from a git remote', async () => {
    const { app } = await epicApp({
      env: { COLLOQUY_GROUP: undefined, COLLOQUY_PROJECT: undefined }, remotes: [{ name: 'origin', url: 'git@service.test:acme/app.git' }] });
    expect([(await parentOf(app, {}, '&1')).name, (await groupOf(app, {})).id]).toEqual(['acme&1', 'acme']);
  });

  it('that the group does not have by its global id is not found', async () => {
    await expect(parent('epic/id:999')).rejects.toMatchObject({ code: 'not_found', message: 'cannot find an epic with the global id 999 in group acme' });
    const { app } = await epicApp({ answer: withoutLookups });
    await expect(parentOf(app, {}, 'epic/id:500')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a child epic', () => {
  it.each([
    ['&4', { id: 504, parent: 500, isHere: true, name: '&4 "Epic 4"', page: 'http://service.test/groups/acme/-/epics/4' }],
    ['id:504', { id: 504, parent: 500, isHere: true, name: 'id:504 "Epic 4"', page: null }],
    ['acme/sub&4', { id: 604, parent: 500, isHere: true, name: 'acme/sub&4 "Sub 4"', page: 'http://service.test/groups/acme/sub/-/epics/4' }],
    ['11&4', { id: 604, isHere: true, page: null }],
    ['http://service.test/groups/acme/-/epics/4', { id: 504, isHere: true, name: 'acme&4 "Epic 4"' }],
    ['&7', { id: 507, parent: 503, isHere: false, name: '&7 "Epic 7"' }], ['&8', { id: 508, parent: null, isHere: false }],
    ['id:999', { id: 999, parent: undefined, isHere: false, name: 'id:999' }],
  ])('%s is %j', async (word, child) => {
    expect(await childOf((await parent()).parent, word)).toMatchObject(child);
  });

  it('of the group is distinguished from one of a subgroup with the same number without a lookup of the group by its number', async () => {
    const { parent: found, sent } = await parent('10&1');
    expect(await childOf(found, '&4')).toMatchObject({ id: 504 });
    expect(sent).toEqual(['/api/v4/groups/10/epics/1/epics', '/api/v4/groups/10/epics/1/epics']);
  });

  it('is found among the children if the service has no lookup, and not elsewhere', async () => {
    const { parent: found } = await parent('&1', { answer: withoutLookups });
    expect(await childOf(found, '&5')).toMatchObject({ id: 505, isHere: true });
    await expect(childOf(found, '&4')).rejects.toMatchObject({
      code: 'usage', message: '&4 matches several children', hint: 'name one by its global id: id:504, id:604' });
    await expect(childOf(found, '&7')).rejects.toMatchObject({
      code: 'not_found', hint: 'name it by its global id: id:501',
      message: 'cannot find the global id of &7: the service does not report it, and acme&1 has no such child' });
  });

  it('that is not among the children is no sibling', async () => {
    const { parent: found } = await parent();
    expect((await siblingOf(found, '&5')).id).toBe(505);
    await expect(siblingOf(found, '&7')).rejects.toMatchObject({
      code: 'not_found', message: '&7 "Epic 7" is not a child of acme&1 "Roadmap"', hint: "run `colloquy epics list 'acme&1'` to list the children" });
  });

  it('is on the service of its parent', async () => {
    const { parent: found } = await parent();
    const other = 'https://other.example/groups/acme/-/epics/4';
    await expect(childOf(found, other)).rejects.toMatchObject({
      code: 'usage', message: `${other} is not on the service of acme&1, http://service.test` });
    expect(refBeside({ base: null, name: 'acme&1' }, '&4')).toMatchObject({ id: '4' });
    expect(refBeside(found, 'id:501')).toEqual({ kind: 'epic', id: '501', isGlobal: true });
    expect(() => refBeside(found, 'id:0')).toThrow('"id:0" is not a valid epic');
  });

  it('of another parent has that parent, if the group has it', async () => {
    const { parent: found, sent } = await parent();
    const unknown = await childOf(found, 'id:507');
    expect(unknown.parent).toBeUndefined();
    expect(await withPresentParent(found, unknown)).toMatchObject({ id: 507, parent: 503, name: 'id:507 "Epic 7"' });
    const count = sent.length;
    const known = await childOf(found, 'id:504');
    expect(await withPresentParent(found, known)).toBe(known);
    expect(sent).toHaveLength(count);
    expect(await withPresentParent(found, { ...unknown, id: 999 })).toMatchObject({ id: 999, parent: undefined });
  });
});

describe('several children', () => {
  it('keep their order, and each is named once', async () => {
    const { parent: found } = await parent();
    const find = (word: string) => childOf(found, word);
    expect((await distinct(['&6', 'id:504', '&5'], find)).map(({ id }) => id)).toEqual([506, 504, 505]);
    expect(await distinct([], find)).toEqual([]);
    await expect(distinct(['&4', '&5', '&4'], find)).rejects.toMatchObject({ code: 'usage', message: '&4 is given twice', hint: 'name every epic once' });
    await expect(distinct(['&4', 'id:504'], find)).rejects.toMatchObject({ code: 'usage', message: '&4 and id:504 are the same epic' });
  });
});

describe('the global id of an epic', () => {
  it('is looked up, or is that of the parent of its children', async () => {
    const { parent: { client } } = await parent();
    expect(await globalEpicId(client, 'acme', 3)).toBe(503);
    const { parent: { client: bare } } = await parent('&1', { answer: withoutLookups });
    expect(await globalEpicId(bare, 'acme', 3)).toBe(503);
    await expect(globalEpicId(bare, 'acme', 8)).rejects.toMatchObject({ code: 'not_found', hint: 'name the epic by its global id: epic/id:501' });
  });

  it('leads to its group and number', async () => {
    const { parent: { client } } = await parent();
    expect([await internalPath(client, 'acme', 503), await internalPath(client, 'acme', 604)])
      .toEqual([{ id: '10', iid: 3 }, { id: '11', iid: 4 }]);
  });

  it('has a name with the title if the group has the epic', async () => {
    const { parent: found } = await parent();
    expect([await nameOfEpic(found, 503), await nameOfEpic(found, 999)]).toEqual(['&3 "Epic 3"', 'id:999']);
    const { parent: bare } = await parent('&1', { answer: withoutLookups });
    expect(await nameOfEpic(bare, 503)).toBe('id:503');
  });
});

describe('an epic among known ones', () => {
  const epics = [{ id: 504, iid: 4, group_id: 10 }, { id: 604, iid: 4, group_id: 11 }, { id: 505, iid: 5, group_id: 10 }];

  it('has the number and the group', async () => {
    const { parent: { client }, sent } = await parent();
    const found = async (group: string, iid: number) => (await epicAmong(client, epics, group, iid, `&${iid}`))?.id;
    expect([await found('10', 4), await found('11', 4), await found('10', 9), await found('12', 4)]).toEqual([504, 604, undefined, undefined]);
    expect(sent).toEqual([]);
    expect([await found('acme', 4), await found('acme/sub', 4), await found('acme/sub', 5)]).toEqual([504, 604, undefined]);
  });
});

describe('the epics above a parent', () => {
  it('are all of them, as far as its group has them', async () => {
    expect([...await ancestorsOf((await parent('&7')).parent)]).toEqual([503]);
    expect([...await ancestorsOf((await parent('&4')).parent)]).toEqual([500]);
    expect([...await ancestorsOf((await parent('&1')).parent)]).toEqual([]);
  });

  it('end where a service reports a ring of epics', async () => {
    const epic = (id: number, parent_id: number) => ({ id, iid: id - 500, group_id: 10, title: 'x', parent_id });
    const answer = ({ target }: HttpRequest) => target.includes('/epics/1') ? json(200, epic(501, 502))
      : target.includes('/epics') ? json(200, [epic(501, 502), epic(502, 503), epic(503, 502)]) : undefined;
    expect([...await ancestorsOf((await parent('&1', { answer })).parent)]).toEqual([502, 503]);
  });
});
