import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRef, printRef, refAndWords, refOfKind, type Ref, refFromUrl } from '../../../../src/cli/command-line/ref.js';

const number = fc.integer({ min: 1, max: 2 ** 31 }).map(String);
const sha = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 4, maxLength: 40 });
const counted = fc.record({ kind: fc.constantFrom('merge_request', 'issue', 'snippet', 'epic'), id: number });
const refs: fc.Arbitrary<Ref> = fc.oneof(
  counted, fc.record({ kind: fc.constant('commit'), id: sha }),
  fc.record({ kind: fc.constant('epic'), id: number, isGlobal: fc.constant(true) }));

describe('a reference', () => {
  it('is parsed from the form in which it is printed', () => {
    fc.assert(fc.property(refs, (ref) => { expect(parseRef(printRef(ref))).toEqual(ref); }));
  });

  it.each([
    ['!12', { kind: 'merge_request', id: '12' }], ['#7', { kind: 'issue', id: '7' }], ['$5', { kind: 'snippet', id: '5' }],
    ['&3', { kind: 'epic', id: '3' }], ['@0123abcd', { kind: 'commit', id: '0123abcd' }],
    ['mr/12', { kind: 'merge_request', id: '12' }], ['issue/7', { kind: 'issue', id: '7' }],
    ['snippet/5', { kind: 'snippet', id: '5' }], ['epic/3', { kind: 'epic', id: '3' }],
    ['commit/0123abcd', { kind: 'commit', id: '0123abcd' }], ['epic/id:501', { kind: 'epic', id: '501', isGlobal: true }],
    ['commit/HEAD~1', { kind: 'commit', id: 'HEAD~1', isRevision: true }],
    ['commit/feature/x^2', { kind: 'commit', id: 'feature/x^2', isRevision: true }],
    ['acme/app!12', { kind: 'merge_request', id: '12', container: 'acme/app' }],
    ['acme/sub&3', { kind: 'epic', id: '3', container: 'acme/sub' }],
  ])('%s is valid', (text, ref) => {
    expect(parseRef(text)).toEqual(ref);
  });

  it.each(['', '!', '!0', '!-1', '!1.5', '!12a', 'mr/', 'mr/x', 'mr/id:5', 'issue/id:5', 'pr/12', '@xyz', '@12', 'commit/12',
    'commit/-x', 'commit/', 'commit/a b', 'commit/HEAD:a', 'commit/a..b', '@HEAD~1', '12', '!!1', 'a b!1'])(
    '%j is invalid', (text) => {
      expect(parseRef(text)).toBeNull();
    });

  it('of a known kind may be an id alone, and for epics a global one', () => {
    expect(refOfKind('issue', '7')).toEqual({ kind: 'issue', id: '7' });
    expect(refOfKind('epic', 'id:501')).toEqual({ kind: 'epic', id: '501', isGlobal: true });
    expect(refOfKind('issue', 'id:7')).toBeNull();
    expect(refOfKind('merge_request', 'main')).toBeNull();
    expect(refOfKind('commit', 'main')).toEqual({ kind: 'commit', id: 'main', isRevision: true });
  });
});

const at = (path: string, ...bases: string[]) => refFromUrl(`https://git.example${path}`, bases);
const base = 'https://git.example';

describe('a web URL', () => {
  it.each([
    ['/acme/app/-/merge_requests/12', { kind: 'merge_request', id: '12', container: 'acme/app', base }],
    ['/acme/sub/app/-/merge_requests/12/diffs?commit_id=1#note_345',
      { kind: 'merge_request', id: '12', container: 'acme/sub/app', base, note: 345 }],
    ['/acme/app/-/issues/7#note_3', { kind: 'issue', id: '7', container: 'acme/app', base, note: 3 }],
    ['/acme/app/issues/7', { kind: 'issue', id: '7', container: 'acme/app', base }],
    ['/acme/app/merge_requests/12/', { kind: 'merge_request', id: '12', container: 'acme/app', base }],
    ['/acme/app/-/snippets/5', { kind: 'snippet', id: '5', container: 'acme/app', base }],
    ['/acme/app/-/commit/0123abcd', { kind: 'commit', id: '0123abcd', container: 'acme/app', base }],
    ['/groups/acme/sub/-/epics/3#note_9', { kind: 'epic', id: '3', container: 'acme/sub', base, note: 9 }],
    ['/acme/issues/app/-/merge_requests/12', { kind: 'merge_request', id: '12', container: 'acme/issues/app', base }],
    ['/acme/app/-/work_items/7#note_3', { kind: 'issue', id: '7', container: 'acme/app', base, note: 3 }],
    ['/groups/acme/sub/-/work_items/3', { kind: 'epic', id: '3', container: 'acme/sub', base }],
    ['/acme/app/-/issues/incident/7', { kind: 'issue', id: '7', container: 'acme/app', base }],
    ['/groups/acme/epics/3', { kind: 'epic', id: '3', container: 'acme', base }],
  ])('%s is parsed as its target', (path, ref) => {
    expect(at(path)).toEqual(ref);
  });

  it.each(['/', '/acme/app', '/acme/app/-/merge_requests', '/acme/app/-/merge_requests/new', '/acme/app/-/pipelines/3', '/-/snippets/5',
    '/acme/app/-/epics/3', '/snippets/5', '/acme/app/-/work_items', '/acme/app/-/work_items/new',
    '/acme/app/-/merge_requests/incident/7', '/acme/app/-/issues/17/designs/login.png#note_3', '/acme/app/-/commit/main', '/acme/app/-/commit/HEAD~1',
  ])('%s is not a noteable of a project or group', (path) => {
    expect(at(path)).toBeNull();
  });

  it('is read without the path of the service, if that is configured', () => {
    expect(at('/gitlab/acme/app/-/issues/7', 'https://git.example/gitlab')).toEqual(
      { kind: 'issue', id: '7', container: 'acme/app', base: 'https://git.example/gitlab' });
    expect(at('/acme/app/-/issues/7', 'https://other.example/acme')).toMatchObject({ container: 'acme/app', base });
    expect(at('/gitlab-org/app/-/issues/7', 'https://git.example/gitlab')).toMatchObject({ container: 'gitlab-org/app', base });
  });

  it('is read without the longest of several paths that it is below', () => {
    const bases = ['https://git.example', 'https://git.example/w/', 'https://git.example/w/sub', 'https://other.example/w/sub/acme'];
    for (const order of [bases, bases.toReversed()]) {
      expect(at('/w/sub/acme/app/-/issues/7', ...order)).toMatchObject({ container: 'acme/app', base: 'https://git.example/w/sub' });
      expect(at('/w/subs/app/-/issues/7', ...order)).toMatchObject({ container: 'subs/app', base: 'https://git.example/w' });
      expect(at('/acme/app/-/issues/7', ...order)).toMatchObject({ container: 'acme/app', base });
    }
  });

  it('keeps the port, which is part of the origin', () => {
    expect(refFromUrl('http://localhost:8080/a/b/-/issues/1', [])).toMatchObject({ base: 'http://localhost:8080' });
  });

  it('is parsed from its printed form, whatever its names contain', () => {
    const name = fc.stringMatching(/^[a-z0-9_][a-z0-9_.]{0,8}$/)
      .filter((text) => !['groups', 'merge_requests', 'issues', 'snippets', 'epics', 'commit'].includes(text));
    const path = fc.array(name, { minLength: 2, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(fc.property(path, fc.integer({ min: 1 }), fc.integer({ min: 1 }), (container, id, note) => {
      expect(at(`/${container}/-/merge_requests/${id}#note_${note}`)).toEqual(
        { kind: 'merge_request', id: String(id), container, base, note });
    }));
  });

  it('is rejected if it is malformed', () => {
    expect(refFromUrl('https://', [])).toBeNull();
    expect(at('/%zz/app/-/issues/7')).toMatchObject({ container: '%zz/app' });
  });
});

describe('words of a command line', () => {
  it.each([
    [{}, ['!12', 'a', 'b'], '!12', ['a', 'b']], [{}, ['a.json', '!12'], undefined, ['a.json', '!12']], [{}, [undefined], undefined, []],
    [{ issue: '7' }, ['!12'], undefined, ['!12']], [{}, ['mr/12'], 'mr/12', []],
  ])('start with the reference unless a flag %j names it: %j', (flags, given, ref, words) => {
    expect(refAndWords(flags, given)).toEqual({ ref, words });
  });
});
