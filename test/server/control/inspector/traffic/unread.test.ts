import { describe, expect, it } from 'vitest';
import { editionOf } from '../../../../../src/contract/behavior/fact.js';
import { requestsView } from '../../../../../src/server/control/inspector/traffic.js';
import type { Operations } from '../../../../../src/server/control/operations.js';
import type { LoggedExchange } from '../../../../../src/server/index.js';

const notes = '/api/v4/projects/1/issues/2/notes';

const unread = async (given: Partial<LoggedExchange>, version: string | null = null) => {
  const request = {
    id: '1', time: '', method: 'POST', target: notes, headers: { 'content-type': 'application/json' }, body: '{}', status: 201, duration: 1,
    user: null, missing: null, world: null, isTruncated: false, response: { headers: {}, body: '', isTruncated: false }, ...given,
  };
  const operations = { log: { all: () => [request] } } as unknown as Operations;
  const { html: { markup } } = await requestsView(operations, '', { edition: editionOf('live', version), urlOf: () => '' });
  return /nothing reads ([^<]*)</.exec(markup)?.[1]!.split(', ') ?? [];
};

describe('the parameters that nothing reads', () => {
  it('are those of the body and the query that the operation does not have', async () => {
    expect(await unread({ body: '{"body":"a","confidental":true}', target: `${notes}?colour=red` })).toEqual(['colour', 'confidental']);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect(await unread({ headers, body: 'body=a&text=b&position%5Bx%5D=1' })).toEqual(['text', 'position']);
  });

  it('are not tokens, sudo and the paging of lists', async () => {
    expect(await unread({ method: 'GET', body: '', target: `${notes}?private_token=x&access_token=y&sudo=ada&page=2&per_page=3&order_by=x` })).toEqual([]);
  });

  it('are those that the version of the service does not have yet', async () => {
    const given = { method: 'PUT', target: '/api/v4/application/appearance', body: '{"profile_image_guidelines":"a","title":"b"}' };
    expect([await unread(given), await unread(given, '12.9')]).toEqual([[], ['profile_image_guidelines']]);
  });

  it('are none for a path that nothing serves, outside the API, and for a body that cannot be read', async () => {
    for (const target of ['/api/v4/nothing?a=1', '/uploads/a.png?a=1']) expect(await unread({ target })).toEqual([]);
    expect(await unread({ body: '{"cut off' })).toEqual([]);
    expect(await unread({ headers: { 'content-type': 'text/plain' }, body: 'a=1' })).toEqual([]);
  });
});
