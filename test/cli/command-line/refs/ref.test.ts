import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRef, printRef, refOfKind, type Ref } from '../../../../src/cli/command-line/refs/ref.js';

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
    ['acme/app!12', { kind: 'merge_request', id: '12', container: 'acme/app' }],
    ['acme/sub&3', { kind: 'epic', id: '3', container: 'acme/sub' }],
  ])('%s is valid', (text, ref) => {
    expect(parseRef(text)).toEqual(ref);
  });

  it.each(['', '!', '!0', '!-1', '!1.5', '!12a', 'mr/', 'mr/x', 'mr/id:5', 'issue/id:5', 'pr/12', '@xyz', '@12', 'commit/12', '12', '!!1', 'a b!1'])(
    '%j is invalid', (text) => {
      expect(parseRef(text)).toBeNull();
    });

  it('of a known kind may be an id alone, and for epics a global one', () => {
    expect(refOfKind('issue', '7')).toEqual({ kind: 'issue', id: '7' });
    expect(refOfKind('epic', 'id:501')).toEqual({ kind: 'epic', id: '501', isGlobal: true });
    expect(refOfKind('issue', 'id:7')).toBeNull();
    expect(refOfKind('merge_request', 'main')).toBeNull();
  });
});
