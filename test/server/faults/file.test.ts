import { describe, expect, it } from 'vitest';
import { testService } from '../../support/service.js';

describe('the body of PUT /-/faults', () => {
  it('accepts YAML and rules as text', async () => {
    const { put } = await testService();
    const body = 'seed: 3\nrules:\n  - "GET /user => latency 1..5 p=.5 times=2"\n  - { on: "*", do: stale }\n';
    expect((await put('/-/faults', { body })).body).toEqual({ seed: 3, rules: [
      { on: 'GET /user', do: 'latency 1..5', probability: 0.5, times: 2, hits: 0 }, { on: '*', do: 'stale', hits: 0 }] });
  });

  it('can be only the list of rules, as in `faults([…])`', async () => {
    const { put } = await testService();
    expect((await put('/-/faults', { body: '["GET /user => reset"]' })).body).toMatchObject({ rules: [{ on: 'GET /user', do: 'reset' }] });
    expect((await put('/-/faults', { body: '[]' })).body).toMatchObject({ rules: [] });
  });

  it.each([
    ['', 'request body: no list of fault rules'], ['3', 'request body: no list of fault rules'],
    ['{"rules":{}}', 'request body: no list of fault rules'], ['{"rules":[],"sed":1}', 'request body: unknown key "sed"'],
    ['{"rules":[],"seed":-1}', 'request body: invalid seed -1'], ['a: [', 'request body:1: '],
  ])('rejects the body %j', async (body, message) => {
    const { put } = await testService();
    const got = await put<{ message: string }>('/-/faults', { body });
    expect(got.status).toBe(400);
    expect(got.body.message).toContain(message);
  });
});
