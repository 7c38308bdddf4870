import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { ran, type WorldOptions } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';
import { everyRow } from '../../../support/rows.js';

const reorder = async (words: readonly string[], options: WorldOptions = {}) => {
  const result = await (await epicApp(options)).run('epics', 'reorder', '&1', ...words);
  const put = result.sent.find(({ method }) => method === 'PUT');
  return { ...result, target: put?.target, body: put && (JSON.parse(String(put.body)) as unknown) };
};
const order = async (world: Awaited<ReturnType<typeof epicApp>>) =>
  (await world.run('epics', 'list', '&1', '-o', 'id')).out.trim().split('\n');

describe('epics reorder', () => {
  it('sends --before as the sibling that comes after, and the other way round', async () => {
    expect(await reorder(['&6', '--before', '&5'])).toMatchObject({
      code: 0, target: '/api/v4/groups/acme/epics/1/epics/506', body: { move_after_id: 505 } });
    expect((await reorder(['&6', '--after', '&5'])).body).toEqual({ move_before_id: 505 });
    expect((await reorder(['id:506', '--after', 'id:505', '--before', '&4'])).body).toEqual({ move_before_id: 505, move_after_id: 504 });
  });

  it('moves the child to the given position', async () => {
    const world = await epicApp();
    const before = await order(world);
    const [first, last] = [before[0]!, before.at(-1)!];
    await world.run('epics', 'reorder', '&1', `id:${last}`, '--before', `id:${first}`);
    expect(await order(world)).toEqual([last, ...before.slice(0, -1)]);
    await world.run('epics', 'reorder', '&1', `id:${last}`, '--after', `id:${before.at(-2)!}`);
    expect(await order(world)).toEqual(before);
  });

  it('reports the new position of the child, or that nothing changed', async () => {
    const world = await epicApp();
    const said = async (...words: string[]) => (await world.run('epics', 'reorder', '&1', ...words)).err.replace(/^http.*\n/m, '');
    expect(await said('&6', '--before', '&5')).toBe('moved &6 "Epic 6" before &5 "Epic 5"\n');
    expect(await said('&6', '--before', '&5')).toBe('nothing changed: &6 "Epic 6" is already there\n');
    expect(await said('&5', '--after', '&5')).toBe('nothing changed: &5 "Epic 5" is already there\n');
    const [last, other] = (await order(world)).filter((id) => id !== '506').reverse();
    await said('&6', '--before', `id:${other}`);
    expect(await said('&6', '--after', `id:${other}`, '--before', `id:${last}`))
      .toMatch(new RegExp(`^moved &6 "Epic 6" after id:${other} "[^"]+" and before id:${last} "[^"]+"\n$`));
  });

  it('distinguishes children with the same internal id by their groups', async () => {
    expect((await reorder(['&4', '--before', '&5'])).target).toMatch(/504$/);
    expect((await reorder(['acme/sub&4', '--before', '&5'])).target).toMatch(/604$/);
  });

  it('does not guess between them if the service cannot resolve the groups', async () => {
    const answer = ({ target }: HttpRequest) => /\/groups\/acme(%2Fsub)?$/.test(target) ? unknownRoute : undefined;
    const { code, err, target } = await reorder(['&4', '--before', '&5'], { answer });
    expect({ code, target }).toEqual({ code: 2, target: undefined });
    expect(err).toContain('id:504');
    expect((await reorder(['&6', '--before', '&5'], { answer })).target).toMatch(/506$/);
  });

  it('prints all siblings in their new order', async () => {
    expect((await reorder(['&6', '--before', '&5', '-o', 'id'])).out.trim().split('\n')).toHaveLength(4);
    expect(JSON.parse((await reorder(['&6', '--before', '&5', '--json=id'])).out)).toHaveLength(4);
    expect((await reorder(['&6', '--before', '&5'], { terminal: true })).out).toBe('http://service.test/groups/acme/-/epics/6\n');
    expect((await reorder(['&6', '--before', '&5', '-o', 'table'], { terminal: true })).out).toMatch(/^EPIC/);
  });

  it('requires a position, and one alone', async () => {
    for (const words of [['&6'], [], ['--first'], ['&6', '--order', '&5'], ['&6', '--first', '--last'], ['--order', '&5', '--first'],
      ['&6', '--first', '--before', '&5'], ['&6', '--after', '&4', '--last']]) {
      expect(await reorder(words), words.join(' ')).toMatchObject({ code: 2, sent: [] });
    }
  });

  it('moves a child to the start or to the end', async () => {
    const world = await epicApp();
    const said = async (...words: string[]) => (await world.run('epics', 'reorder', '&1', ...words)).err.replace(/^http.*\n/m, '');
    expect(await said('&6', '--first')).toBe('moved &6 "Epic 6" to the start\n');
    expect(await order(world)).toEqual(['506', '504', '505', '604']);
    expect(await said('&6', '--first')).toBe('nothing changed: &6 "Epic 6" is already there\n');
    expect(await said('&6', '--last')).toBe('moved &6 "Epic 6" to the end\n');
    expect(await order(world)).toEqual(['504', '505', '604', '506']);
    expect(await said('&6', '--last')).toBe('nothing changed: &6 "Epic 6" is already there\n');
    const alone = await world.run('epics', 'reorder', '&3', '&7', '--first', '-o', 'id');
    expect(alone).toMatchObject({ code: 0, out: '507\n', err: 'nothing changed: &7 "Epic 7" is already there\nhttp://service.test/groups/acme/-/epics/7\n' });
  });

  it('puts children in an order with the fewest calls, the others behind them', async () => {
    const world = await epicApp();
    const { code, out, err, sent } = await world.run('epics', 'reorder', '&1', '--order', 'id:604, &5,&4', '-o', 'id');
    expect({ code, out, err }).toEqual({ code: 0, out: '604\n505\n504\n506\n', err: 'put 3 children in order with 2 moves\nhttp://service.test/groups/acme/-/epics/1\n' });
    expect(sent.filter(({ method }) => method === 'PUT')).toHaveLength(2);
    expect(await order(world)).toEqual(['604', '505', '504', '506']);
    const again = await world.run('epics', 'reorder', '&1', '--order', 'id:604,&5,&4', '-o', 'id');
    expect(again).toMatchObject({ code: 0, out: '604\n505\n504\n506\n',
      err: 'nothing changed: the children are in this order already\nhttp://service.test/groups/acme/-/epics/1\n' });
    expect(again.sent.filter(({ method }) => method === 'PUT')).toEqual([]);
    expect((await world.run('epics', 'reorder', '&1', '--order', '&6')).err).toContain('put 1 child in order with 1 move\n');
  });

  it('prints every move of an order in a dry run', async () => {
    const { code, out, err, target } = await reorder(['--order', '&6,&5', '-n', '-q', '.[] | [.url, .body]']);
    expect({ code, target }).toEqual({ code: 0, target: undefined });
    expect(out).toBe('["http://service.test/api/v4/groups/acme/epics/1/epics/505",{"move_before_id":506}]\n'
      + '["http://service.test/api/v4/groups/acme/epics/1/epics/504",{"move_before_id":505}]\n');
    expect(err).toBe('would move &5 "Epic 5" after &6 "Epic 6" on http://service.test\n'
      + 'would move id:504 "Epic 4" after &5 "Epic 5" on http://service.test\n');
    const again = await reorder(['--order', '&4', '-n', '--json=id']);
    expect(again).toMatchObject({ code: 0, target: undefined,
      err: 'nothing would change: the children are in this order already\nhttp://service.test/groups/acme/-/epics/1\n' });
    expect(again.out).toBe((await reorder(['--order', '&4', '--json=id'])).out);
  });

  it('rejects an order with an epic twice, or one that is not a child', async () => {
    for (const [words, code] of [['&5,&5', 2], ['&5,id:505', 2], ['&5,&8', 6], ['&5,,&6', 2], ['', 2]] as const) {
      expect(await reorder(['--order', words]), words).toMatchObject({ code, target: undefined });
    }
  });

  it('reports the moves that it made if one fails', async () => {
    let count = 0;
    const answer = ({ method }: HttpRequest) => method === 'PUT' && ++count === 2
      ? { status: 403, headers: {}, body: '{"message":"403 Forbidden"}' } : undefined;
    const { code, err, out } = await (await epicApp({ answer })).run('epics', 'reorder', '&1', '--order', 'id:604,&6,&5,&4');
    expect({ code, out }).toEqual({ code: 5, out: '' });
    expect(err).toContain('moved &6 "Epic 6" after id:604 "Sub 4"\n'
      + 'made 1 of 3 moves; run the command again to make the others\ncolloquy: the service denied access');
  });

  it('fails if the children are not in the order afterwards', async () => {
    const answer = ({ method }: HttpRequest) => method === 'PUT' ? { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' } : undefined;
    const { code, err } = await (await epicApp({ answer })).run('epics', 'reorder', '&1', '--order', '&6');
    expect(code).toBe(7);
    expect(err).toBe('colloquy: &6 "Epic 6" is not in the requested position; its siblings changed during the run\nrun the command again\n');
  });

  it('fails if a child is not in its new position afterwards, which is between two siblings in any order', async () => {
    const siblings = [604, 504, 505, 506].map((id) => ({ id, iid: id % 100, group_id: 10, title: 'x' }));
    const answer = ({ method }: HttpRequest) => method === 'PUT' ? json(200, siblings) : undefined;
    const misplaced = [['--first'], ['--last'], ['--before', 'id:604'], ['--after', '&6'], ['--after', 'id:604'], ['--after', 'id:604', '--before', '&4']];
    await everyRow(misplaced, (words) => words.join(' '), async (words) => {
      expect(await reorder(['&5', ...words], { answer })).toMatchObject({ code: 7, out: '',
        err: expect.stringContaining('colloquy: &5 "Epic 5" is not in the requested position; its siblings changed during the run\n') as string });
    });
    const placed = [['--before', '&6'], ['--after', '&4'], ['--after', '&6', '--before', '&4'], ['--after', 'id:604', '--before', '&6']];
    await everyRow(placed, (words) => words.join(' '), async (words) => {
      expect((await reorder(['&5', ...words], { answer })).code).toBe(0);
    });
  });

  it.each([
    [['&6', '--before', '&8']], [['&8', '--before', '&6']],
  ])('rejects an epic that is not a child before it sends a change: %j', async (words) => {
    const { code, err, target } = await reorder(words);
    expect({ code, target }).toEqual({ code: 6, target: undefined });
    expect(err).toContain('&8 "Epic 8" is not a child of acme&1 "Roadmap"\n');
  });

  it('prints its help', async () => {
    expect((await ran('epics', 'reorder', '--help')).out).toContain('--before <sibling>');
  });
});
