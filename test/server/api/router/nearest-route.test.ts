import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { everyEndpoint } from '../../../../src/contract/contract.js';
import { nearestRoute } from '../../../../src/server/api/router.js';

const known = everyEndpoint().flatMap(({ endpoint: { method, paths } }) => paths.map((path) => ({ method, path })));

describe('the nearest route', () => {
  it.each([
    ['a misspelled word', 'GET', '/projects/1/isues/2/notes', 'GET /api/v4/projects/:id/issues/:noteable_id/notes'],
    ['a word in another number', 'GET', '/versions', 'GET /api/v4/version'],
    ['another method', 'POST', '/projects/1/members/all', 'GET /api/v4/projects/:id/members/all'],
    ['a path with an unescaped slash', 'GET', '/projects/acme/app/issues', 'GET /api/v4/projects/:id/issues'],
    ['the infix of moved routes', 'GET', '/groups/1/-/epicz', 'GET /api/v4/groups/:id/epics'],
    ['more segments', 'GET', '/projects/1/issues/2/award_emoji', 'GET /api/v4/projects/:id/issues/:iid'],
  ])('is found for %s', (_, method, path, nearest) => expect(nearestRoute(method, path)).toBe(nearest));

  it('of an existing route is the route itself', () => {
    for (const { method, path } of known) expect(nearestRoute(method, path)).toBe(`${method} /api/v4${path}`);
  });

  it('is an existing route for every path, however long', () => {
    const all = known.map(({ method, path }) => `${method} /api/v4${path}`);
    const segment = fc.oneof(fc.constantFrom('projects', 'issues', 'discussion', '1', ''), fc.string());
    const path = fc.array(segment, { maxLength: 30 }).map((segments) => `/${segments.join('/')}`);
    fc.assert(fc.property(fc.constantFrom('GET', 'PATCH', 'x'), path, (method, given) => {
      expect(all).toContain(nearestRoute(method, given));
    }));
    expect(all).toContain(nearestRoute('GET', '/discussion'.repeat(100_000)));
  });
});
