import { afterEach, describe, expect, it, vi } from 'vitest';
import { testService } from '../../support/service.js';

afterEach(() => { vi.restoreAllMocks(); });

describe('JSON', () => {
  it.each([
    ['nested deeper than anything needs', `{"body":${'['.repeat(33)}${']'.repeat(33)}}`],
    ['nested so deep that a parser could break', '['.repeat(1_000_000)],
    ['with more keys than anything needs', `{${Array.from({ length: 1_002 }, (_, i) => `"k${i}":1`).join()}}`],
    ['with a list of a million', `[${'0,'.repeat(1_000_000)}0]`],
  ])('%s is rejected and not parsed', async (_, body) => {
    const { post } = await testService();
    const parse = vi.spyOn(JSON, 'parse');
    const got = await post('/projects/20/issues/1/discussions', { body, headers: { 'content-type': 'application/json' } });
    expect(got.status).toBe(400);
    expect(parse.mock.calls.map(([text]) => text)).not.toContain(body);
  });

  it('may hold brackets and commas in its texts', async () => {
    const { post } = await testService();
    const body = `${'[{,'.repeat(5_000)}\\"[`;
    expect(await post('/projects/20/issues/1/discussions', { json: { body } })).toMatchObject({ status: 201, body: { notes: [{ body }] } });
  });
});
