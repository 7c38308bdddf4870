import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { unknownRoute } from '../../../support/answers.js';
import { ran, type WorldOptions } from '../../../support/app.js';
import { epicApp } from '../../../support/epic-app.js';

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
    expect(out).toBe('&8\t508\t10\t\t\tEpic 8\n');
  });

  it('rejects a child from another service, where its number may be a different epic', async () => {
    const { code, err, sent } = await assign(['&1', 'https://other.test/groups/acme/-/epics/8']);
    expect({ code, sent }).toEqual({ code: 2, sent: [] });
    expect(err).toContain('https://other.test/groups/acme/-/epics/8 is not on the service of acme&1, http://service.test');
  });

  it('requires --yes to move a child from another parent, and asks on a terminal', async () => {
    const piped = await assign(['&1', '&7']);
    expect(piped).toMatchObject({ code: 2, post: undefined });
    expect(piped.err).toContain('refusing to move &7 "Epic 7" from &3 "Epic 3" to acme&1 "Roadmap" without confirmation');
    expect(await assign(['&1', '&7', '--yes'])).toMatchObject({ code: 0, post: path(507) });
    expect(await assign(['&1', '&7'], { terminal: true, answers: [false] })).toMatchObject({ code: 3, post: undefined });
    expect(await assign(['&1', '&7'], { terminal: true, answers: [true] })).toMatchObject({ code: 0, post: path(507) });
  });

  it('names epics without titles that the service does not return', async () => {
    const answer = ({ target }: HttpRequest) =>
      /\/epics\/1$|acme\/epics\?/.test(target) ? { status: 403, headers: {}, body: '{"message":"403 Forbidden"}' } : undefined;
    expect((await assign(['&1', '&7'], { answer })).err).toContain('to move &7 "Epic 7" from id:503 to acme&1 without');
  });

  it('lets the service reject an epic that is already a child', async () => {
    expect(await assign(['&1', '&5'])).toMatchObject({ code: 7, asked: [], err: expect.stringContaining('already assigned') as string });
  });

  it('reports that the parent of a global id is unknown', async () => {
    expect((await assign(['&1', 'id:508'])).err).toContain('cannot tell whether id:508 already has a parent');
  });

  it('requires the global id if the service has no lookup', async () => {
    const answer = ({ target }: HttpRequest) => /\/epics\/\d+$/.test(target) && !target.includes('/epics/1/') ? unknownRoute : undefined;
    const { code, err, post } = await assign(['&1', '&8'], { answer });
    expect({ code, post }).toEqual({ code: 6, post: undefined });
    expect(err).toContain('id:501');
  });

  it('prints the child as JSON, and its web address on a terminal', async () => {
    expect((await assign(['&1', '&8', '--json=id,parent_id'])).out).toBe('{"id":508,"parent_id":500}\n');
    expect(await assign(['&1', '&8'], { terminal: true })).toMatchObject({
      out: 'http://service.test/groups/acme/-/epics/8\n', err: 'assigned &8 "Epic 8" to acme&1 "Roadmap"\n' });
    expect((await assign(['&1', 'id:508'], { terminal: true })).out).toBe('');
    expect((await assign(['&1', '&8', '-o', 'table'], { terminal: true })).out).toContain('title  Epic 8\n');
  });

  it('prints its help', async () => {
    expect((await ran('epics', 'assign', '--help')).out).toContain('<child>');
  });
});
