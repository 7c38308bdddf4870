import { describe, expect, it } from 'vitest';
import { json } from '../../../../support/answers.js';
import { answering, examined } from '../../../../support/doctor.js';
import { everyRow } from '../../../../support/rows.js';

describe('doctor', () => {
  it.each([['gldt-x', 'fail'], ['eyJhbGci.eyJz.c2', 'fail'], ['a'.repeat(64), 'warn'], ['glpat-x', 'ok'], ['own-prefix', 'ok']])(
    'detects the kind of a token: %s, %s', async (token, state) => {
      const { of, err } = await examined({ env: { COLLOQUY_TOKEN: token } });
      expect(of('token kind')).toMatchObject({ state });
      expect(err).not.toContain(token);
    });

  it('explains why the token of a CI job is not enough', async () => {
    const { of } = await examined({ env: { COLLOQUY_TOKEN: '', CI_JOB_TOKEN: 'job-secret' } });
    expect(of('token')).toMatchObject({ state: 'fail', message: expect.stringContaining('CI_JOB_TOKEN') as string,
      hint: expect.stringContaining('COLLOQUY_TOKEN') as string });
    expect((await examined({ env: { COLLOQUY_TOKEN: 'job-secret', CI_JOB_TOKEN: 'job-secret' } })).of('token')).toMatchObject({ state: 'fail' });
    expect((await examined({ env: { COLLOQUY_TOKEN: 'glcbt-x' } })).of('token')).toMatchObject({
      state: 'fail', message: 'the token is a CI job token, which can only read notes of merge requests' });
  });

  it('reads scopes and expiry if the service reports them', async () => {
    const facts = async (scopes: string[], expires_at: string | null) =>
      examined(answering('/personal_access_tokens/self', json(200, { scopes, expires_at })));
    const good = await facts(['api'], '2999-01-01');
    expect([good.of('scopes')!.state, good.of('expiry')!.state, good.code]).toEqual(['ok', 'ok', 0]);
    const weak = await facts(['read_api'], '2024-05-08');
    expect([weak.of('scopes')!.state, weak.of('expiry')!.state, weak.code]).toEqual(['warn', 'warn', 0]);
    expect((await facts(['read_user'], null)).of('scopes')).toMatchObject({ state: 'fail' });
    expect((await facts(['api'], '2001-01-01')).of('expiry')).toMatchObject({ state: 'fail' });
  });
});

describe('the account of a token', () => {
  const account = async (response: ReturnType<typeof json>) => (await examined(answering('/user', response), '--retries', '0')).of('account');

  it.each([
    [json(200, { id: 1, username: 'ada', is_admin: true }), 'ok', 'ada, an administrator'], [json(200, { id: 1, username: 'ada' }), 'ok', 'ada'],
    [json(401, { message: '401 Unauthorized' }), 'fail', 'the service rejected the token: 401 Unauthorized'],
    [json(403, { message: '403 Forbidden' }), 'fail', 'the token lacks permission: 403 Forbidden'],
    [json(404, { error: '404 Not Found' }), 'skip', 'not reported by the service'],
    [json(404, { message: '404 User Not Found' }), 'warn', 'the service responded with 404 User Not Found'],
    [json(503, { message: 'busy' }), 'warn', 'the service responded with 503 busy'],
  ])('after %o', async (response, state, message) => {
    expect(await account(response)).toMatchObject({ state, message });
  });

  it('is not reported by something else than the API', async () => {
    await everyRow([{}, { ok: true }, [], { id: 1 }, { id: '1', username: 'ada' }, { id: 1, login: 'ada' }], JSON.stringify, async (body) => {
      expect(await account(json(200, body))).toMatchObject({ state: 'fail',
        message: 'this is not the API: GET /api/v4/user: the response is not a user', hint: expect.stringContaining('check --url') as string });
    });
  });

  it('that was rejected ends the checks', async () => {
    const { found, code } = await examined(answering('/user', json(401, { message: 'no' })));
    expect([found.at(-1)!.check, code]).toEqual(['account', 1]);
  });
});

describe('the expiry of a token', () => {
  const expiry = async (expires_at: unknown) =>
    (await examined({ ...answering('/personal_access_tokens/self', json(200, { scopes: ['api'], expires_at })), now: '2024-05-01T12:00:00Z' })).of('expiry')!;

  it.each([
    ['2024-04-30', 'fail', 'the token expired on 2024-04-30'], ['2024-05-02', 'warn', 'the token expires on 2024-05-02'],
    ['2024-05-15', 'warn', 'the token expires on 2024-05-15'], ['2024-05-16', 'ok', 'the token is valid until 2024-05-16'],
    [null, 'ok', 'the token does not expire'], ['soon', 'skip', 'not reported by the service'], [5, 'ok', 'the token does not expire'],
  ])('on %j is %s', async (day, state, message) => {
    expect(await expiry(day)).toMatchObject({ state, message });
  });

  it.each([[{ scopes: 'api' }], [[]], ['api']])('is unknown without a list of scopes: %j', async (body) => {
    const { of } = await examined(answering('/personal_access_tokens/self', json(200, body)));
    expect([of('scopes')!.state, of('expiry')]).toEqual(['skip', undefined]);
  });
});
