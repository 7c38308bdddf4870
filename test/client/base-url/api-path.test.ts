import { describe, expect, it } from 'vitest';
import { apiUrl, partBelowApi, readBaseUrl } from '../../../src/client/base-url.js';
import { UnusablePathValue } from '../../../src/wire/encode.js';

const base = readBaseUrl('https://host.example/git');

describe('the part of a path below the API', () => {
  it.each([
    ['projects/1?a=b', 'projects/1?a=b'], ['/projects/1', 'projects/1'], ['/api/v4/projects/1', 'projects/1'], ['api/v4/user', 'user'],
    ['https://host.example/git/api/v4/groups/{group}', 'groups/{group}'], ['HTTPS://HOST.example:443/git/api/v4/user', 'user'], ['', ''],
  ])('of %j is %j', (path, part) => expect(partBelowApi(base, path)).toBe(part));

  it.each(['https://other.example/git/api/v4/user', '//other.example/user', '\\\\other.example\\user', 'https://host.example/api/v4/user',
    'https://a:secret@host.example/git/api/v4/user', 'javascript:alert(1)', 'https://'])('does not exist for %j', (path) => {
    expect(() => partBelowApi(base, path)).toThrow(UnusablePathValue);
    expect(() => partBelowApi(base, path)).not.toThrow('secret');
  });
});

describe('the address of a part', () => {
  it('is below the API of the service', () => {
    expect(apiUrl(base, 'projects/a b?x=1').href).toBe('https://host.example/git/api/v4/projects/a%20b?x=1');
  });

  it.each(['../user', 'a/../../../x', '%2e%2e/%2E%2E/x', 'a#b', 'a#', 'a?b=#c'])('does not exist for %j', (part) => {
    expect(() => apiUrl(base, part)).toThrow(UnusablePathValue);
  });
});
