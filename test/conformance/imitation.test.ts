import { describe, expect, it } from 'vitest';
import { Difference, type Got, hasError, hasHeader, hasKeys, hasStatus, same } from '../../src/conformance/check.js';
import { imitationRecord } from '../../src/conformance/imitation.js';
import type { FactResult } from '../../src/conformance/run.js';
import { factWithId, type FactId } from '../../src/contract/behavior/behavior.js';

const got = (request: string, status: number, json: unknown = {}, headers: Record<string, string> = {}): Got =>
  ({ request, status, headers, text: JSON.stringify(json), json });

/** What a run saves whose checks of facts meet responses, after other requests. */
const saved = async (checks: readonly (readonly [FactId, Got, (got: Got) => void])[], others: readonly Got[] = []) => {
  const record = imitationRecord();
  const facts: FactResult[] = [];
  for (const one of [...others, ...checks.map(([, response]) => response)]) await record.recording(async () => one)('GET', '/');
  for (const [id, response, check] of checks) {
    try {
      check(response);
    } catch (error) {
      record.onDifference(factWithId(id), error as Difference);
    }
    facts.push({ id, result: 'fail' } as FactResult);
  }
  return record.imitation(facts);
};

const list = 'GET /api/v4/projects/a%2Fb/merge_requests/12/discussions';
const on = 'GET /projects/*/merge_requests/*/discussions';
const is200 = (response: Got) => { hasStatus(response, 200); };

describe('the imitation of an instance', () => {
  it('has headers with the value that they replace, or for a status where they are added', async () => {
    const headers = { 'x-page': '0', 'www-authenticate': 'Bearer' };
    expect(await saved([
      ['pages.below-one', got(list, 200, [], headers), (one) => same(one, 'X-Page:', one.headers['x-page'], '1')],
      ['tokens.no-challenge', got(list, 401, {}, headers), (one) => same(one, 'WWW-Authenticate:', one.headers['www-authenticate'], undefined)],
      ['requests.etag', got(list, 200), (one) => hasHeader(one, 'ETag')],
    ])).toEqual({ headers: [
      { fact: 'pages.below-one', header: 'x-page', when: '1', value: '0' },
      { fact: 'tokens.no-challenge', header: 'www-authenticate', value: 'Bearer', status: 401 }, { fact: 'requests.etag', header: 'etag' },
    ] });
  });

  it('has sizes of pages, and no headers that follow from them', async () => {
    const headers = { 'x-per-page': '25' };
    const size = (one: Got) => same(one, 'X-Per-Page:', one.headers['x-per-page'], '20');
    expect(await saved([['pages.default', got(list, 200, [], headers), size], ['pages.below-one', got(list, 200, [], headers), size]]))
      .toEqual({ per_page: { default: 25 } });
    expect(await saved([['pages.default', got(list, 200, [], { 'x-per-page': '1e9' }), size]])).toEqual({ not_imitated: ['pages.default'] });
  });

  it('has errors with another text everywhere, failures only of their operation, and each once', async () => {
    const isMissing = (one: Got) => hasError(one, 404, 'message', '404 Not found');
    const when = { status: 404, message: '404 Not found' };
    expect(await saved([
      ['tokens.always', got(list, 403), (one) => { hasStatus(one, 401); }],
      ['errors.record', got(list, 404, { message: 'no' }), isMissing], ['errors.project', got(list, 404, { message: 'no' }), isMissing],
      ['errors.commit', got(list, 502, { message: 'gone' }), isMissing],
    ])).toEqual({ errors: [
      { fact: 'errors.record', status: 404, body: { message: 'no' }, when }, { fact: 'errors.commit', status: 502, body: { message: 'gone' }, when, on },
      { fact: 'tokens.always', when: { status: 401 }, on, status: 403 },
    ] });
  });

  it('has an operation only if all its requests fail, and its path is written as usual', async () => {
    const failed = got(`${list}?per_page=1`, 500, { message: 'no' });
    expect(await saved([['threads.order', failed, is200]]))
      .toEqual({ operations: [{ fact: 'threads.order', status: 500, body: { message: 'no' }, on }] });
    expect(await saved([['threads.order', failed, is200]], [got(list, 200)])).toEqual({ not_imitated: ['threads.order'] });
    for (const suffix of ['/', '.json']) {
      expect(await saved([['requests.trailing-slash', got(list + suffix, 404), is200]])).toEqual({ not_imitated: ['requests.trailing-slash'] });
    }
  });

  it('has missing keys of objects that others tell apart', async () => {
    const lacks = (keys: readonly string[]) => (one: Got) => hasKeys(one, { id: 1, body: '' }, keys);
    expect(await saved([['notes.keys', got(list, 200), lacks(['id', 'body', 'author'])], ['notes.author', got(list, 200), lacks(['id', 'name'])]]))
      .toEqual({ missing_keys: [{ fact: 'notes.keys', without: ['author'], among: ['id', 'body'] }], not_imitated: ['notes.author'] });
  });

  it('has nothing of what is accepted, of pages and of long errors', async () => {
    const error = (one: Got) => hasError(one, 404, 'message', '404 Not found');
    expect(await saved([
      ['tokens.always', got(list, 200), (one) => { hasStatus(one, 401); }], ['errors.record', got(list, 404, null), error],
      ['errors.project', got(list, 404, { message: 'x'.repeat(500) }), error],
      ['threads.order', got(list, 200), () => { throw new Difference('GET /', 'an order', 'another'); }],
    ])).toEqual({ not_imitated: ['tokens.always', 'errors.record', 'errors.project', 'threads.order'] });
  });
});
