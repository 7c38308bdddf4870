import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { ran, type WorldOptions } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';
import { everyRow } from '../../../support/rows.js';

const assign = async (words: readonly string[], options: WorldOptions = {}) => {
  const world = await epicApp(options);
  const result = await world.run('epics', 'assign', ...words);
  const post = result.sent.find(({ method }) => method === 'POST');
  return { ...result, post: post?.target, asked: world.asked };
};
const path = (id: number) => `/api/v4/groups/acme/epics/1/epics/${id}`;

describe('epics assign', () => {
  it.each(['&8', 'acme&8', 'epic/8', 'id:508', 'http://service.test/groups/acme/-/epics/8'])('makes %s a child', async (word) => {
    const { code, out, post } = await assign(['&1', word]);
    expect({ code, post }).toEqual({ code: 0, post: path(508) });
    expect(out).toBe('&8\t508\tacme\t\t\tEpic 8\n');
  });

  it('rejects a child from another service, where its number may be a different epic', async () => {
    const { code, err, sent } = await assign(['&1', 'https://other.test/groups/acme/-/epics/8']);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain('https://other.test/groups/acme/-/epics/8 is not on the service of acme&1, http://service.test');
  });

  it('requires --move to move a child from another parent, and asks on a terminal', async () => {
    for (const words of [['&7'], ['&7', '--yes'], ['id:507'], ['&8', '&7']]) {
      const piped = await assign(['&1', ...words]);
      expect(piped).toMatchObject({ code: 2, post: undefined });
      expect(piped.err).toMatch(
        /refusing to move \S+7 "Epic 7" from &3 "Epic 3" to acme&1 "Roadmap" on http:\/\/service.test without --move\npass --move to confirm/);
    }
    expect(await assign(['&1', '&7'], { terminal: true, answers: [false] })).toMatchObject({ code: 3, post: undefined });
    expect(await assign(['&1', '&7'], { terminal: true, answers: [true] })).toMatchObject({
      code: 0, post: path(507), asked: ['Move &7 "Epic 7" from &3 "Epic 3" to acme&1 "Roadmap" on http://service.test?'] });
    expect(await assign(['&1', '&7', '--yes'], { terminal: true })).toMatchObject({ code: 0, post: path(507), asked: [] });
    for (const options of [{}, { terminal: true }]) {
      expect(await assign(['&1', '&7', '--move'], options)).toMatchObject({ code: 0, post: path(507), asked: [] });
    }
    expect(await assign(['&1', '&7', '--no-input'], { terminal: true })).toMatchObject({ code: 2, post: undefined });
  });

  it('assigns several children, which come first in the given order', async () => {
    const world = await epicApp();
    const { code, out, err, sent } = await world.run('epics', 'assign', '&1', '&8', '&3', '-o', 'id');
    expect({ code, out, err }).toEqual({
      code: 0, out: '508\n503\n', err: [3, 8].map((iid) =>
        `assigned &${iid} "Epic ${iid}" to acme&1 "Roadmap"\nhttp://service.test/groups/acme/-/epics/${iid}\n`).join('') });
    expect(sent.filter(({ target }) => target.includes('/epics/1/epics?'))).toHaveLength(2);
    expect((await world.run('epics', 'list', '&1', '-o', 'id')).out).toBe('508\n503\n504\n505\n506\n604\n');
  });

  it('names every move in one question', async () => {
    const { asked } = await assign(['&8', '&7', '&5', '&3'], { terminal: true, answers: [false] });
    expect(asked).toEqual(['Move &7 "Epic 7" from &3 "Epic 3" and &5 "Epic 5" from &1 "Roadmap" to acme&8 "Epic 8" on http://service.test?']);
  });

  it('looks up the parents of several global ids with one list of the group', async () => {
    const { code, sent } = await assign(['&1', 'id:508', 'id:507', 'id:503', '--move']);
    expect(code).toBe(0);
    expect(sent.filter(({ target }) => target.includes('/groups/acme/epics?'))).toHaveLength(3);
  });

  it('rejects one epic given twice before it sends a change', async () => {
    const { code, err, post } = await assign(['&1', '&8', '&3', 'id:508']);
    expect({ code, err, post }).toEqual({ code: 2, err: 'colloquy: &8 and id:508 are the same epic\nname every epic once\n', post: undefined });
    expect((await assign(['&1', '&8', '&8'])).err).toContain('&8 is given twice');
    expect(await assign(['&1', '&8', '#1'])).toMatchObject({ code: 2, post: undefined });
  });

  it('rejects a cycle before it sends a change, also in a dry run, names both epics, and says what to do', async () => {
    await everyRow([['&3', '&8', '&3'], ['&3', '&3'], ['&3', 'id:503'], ['&3', '&3', '--dry-run']], (words) => words.join(' '), async (words) => {
      expect(await assign(words)).toMatchObject({ code: 7, out: '', post: undefined,
        err: `colloquy: cannot assign ${words.includes('id:503') ? 'id:503' : '&3'} "Epic 3" to acme&3 "Epic 3": `
          + 'an epic cannot be its own parent\nname another child; nothing was changed\n' });
    });
    await everyRow([['&7', '&8', '&3'], ['&7', '&3'], ['&7', '&3', '--move'], ['&7', '&3', '-n']], (words) => words.join(' '), async (words) => {
      expect(await assign(words)).toMatchObject({ code: 7, out: '', post: undefined,
        err: 'colloquy: cannot assign &3 "Epic 3" to acme&7 "Epic 7", which is below it\nname another child, '
          + 'or first remove acme&7 "Epic 7" from its parent with `colloquy epics unassign`; nothing was changed\n' });
    });
  });

  it('reports what was assigned if another one fails', async () => {
    const { code, err, out } = await assign(['&1', '&8', '&5', '&3', '-o', 'id']);
    expect({ code, out }).toEqual({ code: 7, out: '508\n503\n' });
    expect(err).toMatch(/^assigned &3 "Epic 3" to [^\n]*\nhttp\S+\nassigned &8 "Epic 8" to [^\n]*\nhttp\S+\ncolloquy: /);
    expect(err).toContain('colloquy: &5 "Epic 5" is a child of acme&1 "Roadmap" already\n');
  });

  it('prints all requests in a dry run', async () => {
    const { out, err, post } = await assign(['&1', '&8', '&7', '-n', '-q', '.[].url']);
    expect(out).toBe(`http://service.test${path(507)}\nhttp://service.test${path(508)}\n`);
    expect(err).toBe('would assign &8 "Epic 8" to acme&1 "Roadmap" on http://service.test\n'
      + 'would move &7 "Epic 7" from &3 "Epic 3" to acme&1 "Roadmap" on http://service.test\nwithout --move, the run is refused\n');
    expect(post).toBeUndefined();
  });

  it.each([['&8'], ['&7', '--move']])('does not say in a dry run of %s %s that the run is refused', async (...words) => {
    expect((await assign(['&1', ...words, '-n'])).err).not.toContain('refused');
    expect((await assign(['&1', '&7', '-n'], { terminal: true })).err).not.toContain('refused');
  });

  it('names epics without titles that the service does not return', async () => {
    const answer = ({ target }: HttpRequest) =>
      /\/epics\/1$|acme\/epics\?/.test(target) ? { status: 403, headers: {}, body: '{"message":"403 Forbidden"}' } : undefined;
    expect((await assign(['&1', '&7'], { answer })).err).toContain('to move &7 "Epic 7" from id:503 to acme&1 on http://service.test without');
  });

  it('rejects an epic that is already a child', async () => {
    expect(await assign(['&1', '&5'])).toMatchObject({ code: 7, asked: [], post: undefined,
      err: 'colloquy: &5 "Epic 5" is a child of acme&1 "Roadmap" already\nchange its place with `colloquy epics reorder`\n' });
  });

  it('reports that the parent of a global id is unknown if the service cannot list the epics of the group', async () => {
    const answer = ({ target }: HttpRequest) => /acme\/epics\?/.test(target) ? unknownRoute : undefined;
    for (const id of [507, 508]) {
      expect(await assign(['&1', `id:${id}`], { answer })).toMatchObject({ code: 0, post: path(id),
        err: expect.stringContaining(`cannot tell whether id:${id} already has a parent`) as string });
    }
    expect((await assign(['&1', 'id:508'])).err).toBe('assigned id:508 "Epic 8" to acme&1 "Roadmap"\n');
  });

  it('requires --move for an epic that the list of the group does not have, because its parent is unknown', async () => {
    const { code, err, post } = await assign(['&1', 'id:777']);
    expect([code, post, err]).toEqual([2, undefined, expect.stringContaining('refusing to move id:777 from an unknown parent to acme&1 "Roadmap"') as string]);
    expect(await assign(['&1', 'id:777', '--move'])).toMatchObject({ post: path(777) });
  });

  it('requires --move for an epic whose parent is unknown because the list of the group fails', async () => {
    await everyRow([403, 503], String, async (status) => {
      const answer = ({ target }: HttpRequest) => /acme\/epics\?/.test(target) ? json(status, {}) : undefined;
      expect(await assign(['&1', 'id:507'], { answer })).toMatchObject({
        code: 2, post: undefined, err: expect.stringContaining('refusing to move id:507 from an unknown parent to acme&1 "Roadmap"') as string });
      expect(await assign(['&1', 'id:507', '--move'], { answer })).toMatchObject({ code: 0, post: path(507) });
    });
  });

  it('moves no epic that another user moved while it asked', async () => {
    const world = await epicApp({ terminal: true, answers: [true], answer: async (request) => {
      if (world.asked.length > 0) await world.service.post('/groups/acme/epics/8/epics/507', { as: 'reporter' });
      return world.service.handle(request);
    } });
    const { code, err, sent } = await world.run('epics', 'assign', '&1', '&7');
    expect([code, sent.filter(({ method }) => method === 'POST')], err).toEqual([1, []]);
    expect(err).toContain('&7 "Epic 7" was moved by another user after the question\nrun the command again\n');
  });

  it('requires the global id if the service has no lookup', async () => {
    const answer = ({ target }: HttpRequest) => /\/epics\/\d+$/.test(target) && !target.includes('/epics/1/') ? unknownRoute : undefined;
    const { code, err, post } = await assign(['&1', '&8'], { answer });
    expect({ code, post }).toEqual({ code: 6, post: undefined });
    expect(err).toContain('id:501');
  });

  it('fails if the service reports success but leaves the child where it was', async () => {
    const answer = ({ method }: HttpRequest) => method === 'POST' ? json(201, { id: 508, iid: 8, group_id: 10, parent_id: null, title: 'Epic 8' }) : undefined;
    expect(await assign(['&1', '&8'], { answer })).toMatchObject({
      code: 1, out: '', err: expect.stringContaining('colloquy: the service left &8 "Epic 8" outside acme&1 "Roadmap"\n') as string });
  });

  it.each([null, 503, undefined])('succeeds if the list of the children has it, although the response has the parent %s', async (parent_id) => {
    const world = await epicApp();
    const { handle } = world.service;
    Object.assign(world.service, { handle: async (request: HttpRequest) => {
      const response = await handle(request);
      return request.method === 'POST' ? json(201, { ...JSON.parse(String(response.body)) as object, parent_id }) : response;
    } });
    expect(await world.run('epics', 'assign', '&1', '&8')).toMatchObject({ code: 0, err: expect.stringContaining('assigned &8 "Epic 8"') as string });
  });

  it('prints the child as JSON, and its web address on a terminal', async () => {
    expect((await assign(['&1', '&8', '--json=id,parent_id'])).out).toBe('{"id":508,"parent_id":500}\n');
    expect(await assign(['&1', '&8'], { terminal: true })).toMatchObject({
      out: 'http://service.test/groups/acme/-/epics/8\n', err: 'assigned &8 "Epic 8" to acme&1 "Roadmap"\n' });
    expect((await assign(['&1', 'id:508'], { terminal: true })).out).toBe('');
    expect((await assign(['&1', '&8', '-o', 'table'], { terminal: true })).out).toContain('title  Epic 8\n');
  });

  it('prints its help', async () => {
    expect((await ran('epics', 'assign', '--help')).out).toContain('<child...>');
  });
});
