import { describe, expect, it } from 'vitest';
import { nameIn, readLiveLinks } from '../../../src/cli/epics/live.js';
import { parentOf } from '../../../src/cli/service/targets/epic.js';
import type { HttpRequest } from '../../../src/wire/http.js';
import { json, unknownRoute } from '../../support/answers.js';
import type { WorldOptions } from '../../support/app.js';
import { epicApp } from '../../support/epic-app.js';

const read = async (word = '&1', answer: WorldOptions['answer'] = () => undefined) => {
  const sent: HttpRequest[] = [];
  const { app } = await epicApp({ answer: (request) => { sent.push(request); return answer(request); } });
  const parent = await parentOf(app, {}, word);
  const reader = await readLiveLinks(parent, { show: async () => undefined });
  return { ...reader, ...reader.live, requests: () => sent.splice(0).map(({ target }) => target.replace('/api/v4', '').split('?')[0]) };
};
const noLookups: WorldOptions['answer'] = ({ target }) => /\/groups\/[^/]+\/epics(\/\d+)?(\?|$)/.test(target) ? unknownRoute : undefined;

describe('the links around an epic', () => {
  it('are those below it and to its ancestors', async () => {
    const { root, forest, epics } = await read('&3');
    expect([root, forest.parents.get(503), forest.children.get(503), forest.parents.get(507), forest.children.get(507)]).toEqual([503, null, [507], 503, []]);
    expect(epics.get(507)).toMatchObject({ iid: 7, title: 'Epic 7' });
    const below = await read('&7');
    expect([below.root, below.forest.parents.get(507), below.forest.parents.get(503)]).toEqual([507, 503, null]);
  });

  it('are known without a lookup of epics, as far as its children show them', async () => {
    const { root, forest, epics } = await read('&1', noLookups);
    expect([root, forest.children.get(500), epics.has(500)]).toEqual([500, [504, 505, 506, 604], false]);
  });

  it('are rejected if they have a cycle', async () => {
    const { body: epic } = await (await epicApp()).service.get('/groups/acme/epics/3', { as: 'reporter' });
    const cycle: WorldOptions['answer'] = ({ target }) => target.includes('/epics/7/epics') ? json(200, [epic]) : undefined;
    await expect(read('&3', cycle)).rejects.toMatchObject({
      message: 'the hierarchy below acme&3 has a cycle at &3 "Epic 3"', hint: 'remove that epic from one of its parents first' });
  });
});

describe('an epic outside of the hierarchy', () => {
  it('is added with everything below it and the children of its parent', async () => {
    const { add, find, forest } = await read();
    const before = [forest.children.has(503), forest.children.has(507)];
    await add(await find('&7'));
    expect([before, forest.children.get(503), forest.children.get(507), forest.parents.get(507), forest.parents.get(503)])
      .toEqual([[false, false], [507], [], 503, null]);
  });

  it('is read once', async () => {
    const { add, find, requests } = await read();
    const epic = await find('&8');
    await add(epic);
    requests();
    await add(epic);
    expect(requests()).toEqual([]);
  });

  it('can be added with its children alone', async () => {
    const { addChildren, find, forest, requests } = await read();
    const epic = await find('&3');
    requests();
    await addChildren(epic);
    expect([forest.children.get(503), forest.children.has(507), requests()]).toEqual([
      [507], false, ['/groups/10/epics/3/epics', '/groups/10/epics/3/epics']]);
  });
});

describe('a reference', () => {
  it.each([['&4', 504], ['acme&4', 504], ['id:504', 504], ['acme/sub&4', 604], ['id:508', 508], ['epic/8', 508]])('%s names the epic %i', async (word, id) => {
    expect(await (await read()).find(word)).toMatchObject({ id });
  });

  it('to an epic of the hierarchy needs no request', async () => {
    const { find, requests } = await read();
    requests();
    await find('&4');
    expect(requests()).toEqual([]);
  });

  it.each([['&99', '&99 is missing, or the token cannot read it'], ['id:999', 'cannot find id:999 in group acme']])('%s is rejected', async (word, message) => {
    await expect((await read()).find(word)).rejects.toMatchObject({ code: 'not_found', message });
  });

  it('by number cannot be followed without a lookup of epics', async () => {
    await expect((await read('&1', noLookups)).find('other&8')).rejects.toMatchObject({
      code: 'not_found', message: 'cannot find the global id of other&8: the service does not report it', hint: 'name it by its global id: id:501' });
  });
});

describe('the name of an epic', () => {
  const epic = { id: 504, iid: 4, group_id: 10, parent_id: null, title: 'a\nb' };

  it('has its number and title, and its group if that is another one than at the top, whether the service reports it or not', async () => {
    const { names, add, find } = await read();
    await add(await find('id:604'));
    expect([nameIn({ names, epics: new Map([[504, epic]]) }, 504), nameIn({ names, epics: new Map([[604, { ...epic, id: 604, group_id: 11 }]]) }, 604)])
      .toEqual(['&4 "a b"', 'acme/sub&4 "a b"']);
    expect(nameIn({ names, epics: new Map([[504, { ...epic, group_id: 12 }]]) }, 504)).toBe('id:504 "a b"');
  });

  it('is its id if nothing else is known', async () => {
    expect(nameIn({ names: (await read()).names, epics: new Map() }, 504)).toBe('id:504');
  });
});
