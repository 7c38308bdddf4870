import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { unknownRoute } from '../../../support/answers.js';
import { ran, type WorldOptions } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';

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
    const said = async (...words: string[]) => (await world.run('epics', 'reorder', '&1', ...words)).err;
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

  it('requires a position', async () => {
    expect(await reorder(['&6'])).toMatchObject({ code: 2, sent: [] });
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
