import { describe, expect, it } from 'vitest';
import { hasPlaceholder, targetFor } from '../../../../../src/cli/service/api/request.js';
import { UnusablePathValue } from '../../../../../src/wire/encode.js';
import { readBaseUrl } from '../../../../../src/client/base-url.js';

const base = readBaseUrl('https://host.example/git');
const unused = { project: null, group: null };
const known = { project: 'acme/app', group: 'acme/sub', unused };
const target = (path: string) => targetFor(path, base, known);

describe('the path of an API request', () => {
  it.each([
    ['projects/1', '/api/v4/projects/1'], ['//projects/1', '/api/v4/projects/1'],
    ['/projects/1?a=b', '/api/v4/projects/1?a=b'],
    ['/api/v4/projects/1', '/api/v4/projects/1'],
    ['api/v4/version', '/api/v4/version'],
    ['https://host.example/git/api/v4/version?x=1', '/api/v4/version?x=1'],
    ['projects/acme%2Fapp/issues', '/api/v4/projects/acme%2Fapp/issues'],
    ['projects/:project/issues', '/api/v4/projects/acme%2Fapp/issues'],
    ['projects/:id/issues/7', '/api/v4/projects/acme%2Fapp/issues/7'],
    ['groups/:id/epics', '/api/v4/groups/acme%2Fsub/epics'],
    ['groups/{group}/epics?search=:project', '/api/v4/groups/acme%2Fsub/epics?search=:project'],
    ['projects/{project}', '/api/v4/projects/acme%2Fapp'],
    ['projects/a b/ü', '/api/v4/projects/a%20b/%C3%BC'],
    ['https://host.example/git/api/v4/groups/:id', '/api/v4/groups/acme%2Fsub'],
  ])('resolves %s to %s', (path, expected) => expect(target(path)).toBe(expected));

  it.each(['../../etc', 'projects/../../../x', 'projects/%2e%2e/%2e%2e/%2E%2E/x', 'https://evil.example/api/v4/version',
    'https://host.example/api/v4/version', 'https://host.example.evil.example/git/api/v4/x', 'https://a@host.example/git/api/v4/x',
    'projects/1#note', 'projects?x=#7', 'projects/1#'])(
    'rejects %s', (path) => expect(() => target(path)).toThrow(UnusablePathValue));

  it.each(['projects/:projct', 'projects/:id/issues/:iid', 'projects/{repo}'])(
    'rejects the placeholder in %s', (path) => expect(() => target(path)).toThrow(expect.objectContaining({ code: 'usage' })));

  it('rejects a placeholder that has no value', () => {
    expect(() => targetFor('projects/:id', base, { project: null, group: null, unused })).toThrow(expect.objectContaining({
      message: 'no project given for :id' }));
    expect(['projects/:id', '{group}/x', 'a/:project?b'].map(hasPlaceholder)).toEqual([true, true, true]);
    expect(['projects/1', 'x?a=:group', 'a:project'].map(hasPlaceholder)).toEqual([false, false, false]);
  });
});
