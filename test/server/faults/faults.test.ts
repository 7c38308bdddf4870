import { describe, expect, it } from 'vitest';
import { openService } from '../../../src/server/index.js';
import { issue } from '../../support/faults.js';
import { testService, type Sent } from '../../support/service.js';

const note = { json: { body: 'hello' } } satisfies Sent;

describe('GET, PUT and DELETE /-/faults', () => {
  const rules = [{ on: 'GET /user', do: 'status 503', probability: 0.5, times: 3, skip: 1, user: 'owner', header: 'x-a: b', body: 'c' }];

  it('shows the rules that were put with their hits, in a form that can be put again', async () => {
    const { get, put } = await testService();
    expect((await get('/-/faults')).body).toEqual({ seed: 0, rules: [] });
    const state = { seed: 7, rules: rules.map((rule) => ({ ...rule, hits: 0 })) };
    expect(await put('/-/faults', { json: { seed: 7, rules } })).toMatchObject({ status: 200, body: state });
    expect((await get('/-/faults')).body).toEqual(state);
    expect((await put('/-/faults', { json: state })).body).toEqual(state);
  });

  it('removes all rules with DELETE, and restores those of the start with a reset', async () => {
    const { get, call, post, put } = await testService({ faults: ['GET /user => status 500 times=1'], faultSeed: 9 });
    expect((await get('/user')).status).toBe(500);
    expect((await call('DELETE', '/-/faults')).status).toBe(204);
    expect((await get('/user')).status).toBe(200);
    await put('/-/faults', { json: { rules: ['* => reset'] } });
    await post('/-/reset');
    expect((await get('/-/faults')).body).toEqual({ seed: 9, rules: [{ on: 'GET /user', do: 'status 500', times: 1, hits: 0 }] });
    expect((await get('/user')).status).toBe(500);
  });

  it('never applies to the control plane', async () => {
    const { get, faults } = await testService();
    await faults(['* => reset']);
    expect((await get('/-/faults')).status).toBe(200);
  });

  it('rejects invalid rules in code, also at the start', async () => {
    const error = { name: 'FaultError', problem: 'fault rule 1, do: unknown fault "x"' };
    await expect(openService({ faults: ['* => x'] })).rejects.toMatchObject(error);
    const { faults } = await testService();
    await expect(faults(['* => x'])).rejects.toMatchObject(error);
    expect((await faults()).rules).toEqual([]);
  });
});

it('a request with a fault is logged with the status that the client received, and 0 without a response', async () => {
  const { post, get, faults } = await testService();
  await faults(['* => status 500 after times=1', '* => reset']);
  await post(issue, note);
  await expect(post(issue, note)).rejects.toMatchObject({ code: 'ECONNRESET' });
  const { body } = await get<{ status: number }[]>('/-/requests');
  expect(body.map(({ status }) => status)).toEqual([500, 0]);
});

it('a request that a fault answers is logged with its operation and caller, whatever the rule names', async () => {
  for (const on of ['discussions.issue.create', '*', 'POST */discussions']) {
    for (const action of ['status 503', 'reset', 'html', 'status 500 after']) {
      const { post, get, faults } = await testService();
      await faults([`${on} => ${action}`]);
      await post(issue, { ...note, as: 'reporter' }).catch(() => undefined);
      await faults(['* => status 500']);
      await get('/nothing', { as: 'nobody' });
      expect((await get('/-/requests')).body).toMatchObject([
        { operation: 'discussions.issue.create', user: 'reporter' }, { operation: null, user: null, status: 500 }]);
    }
  }
});
