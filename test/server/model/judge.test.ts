import { describe, expect, it } from 'vitest';
import type { HttpResponse } from '../../../src/wire/http.js';
import { testService } from '../../support/service.js';
import { fault } from './judge.js';

const request = { method: 'GET', target: '/api/v4/projects/20/issues/1/discussions', headers: { 'private-token': 'developer-token' } };
const answered = async (): Promise<HttpResponse> => (await testService()).handle(request);

describe('a response', () => {
  it('of the service has no fault', async () => {
    expect(fault(request, await answered())).toBeNull();
  });

  it.each<[string, Partial<HttpResponse>]>([
    ['a status that no operation has', { status: 500 }], ['a body that is no JSON', { body: '[' }], ['another shape', { body: '[{"id":1}]' }],
    ['fewer items than its headers say', { body: '[]' }], ['characters that are not escaped', { body: '["<"]' }], ['another success', { status: 201 }],
    ['a refusal without words', { status: 404, body: '{}' }], ['a body where none may be', { status: 204 }],
  ])('is found out with %s', async (_, changed) => {
    expect(fault(request, { ...await answered(), ...changed })).not.toBeNull();
  });

  it('has 414 for a target that is too long, and for no other', async () => {
    const long = { ...request, target: `${request.target}?${'x'.repeat(9_000)}` };
    const { handle } = await testService();
    const refused = await handle(long);
    expect(fault(long, refused)).toBeNull();
    expect(fault(request, refused)).not.toBeNull();
    expect(fault(long, await handle(request))).not.toBeNull();
  });

  it.each([['access-control-allow-origin', '*'], ['link', 'a\r\nb'], ['x-content-type-options', 'sniff'], ['x-next-page', '2'], ['Set Cookie', 'a']])(
    'is found out with the header %s: %s', async (name, value) => {
      const { headers, ...rest } = await answered();
      expect(fault(request, { ...rest, headers: { ...headers, [name]: value } })).not.toBeNull();
    });
});
