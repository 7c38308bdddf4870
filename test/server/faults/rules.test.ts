import { describe, expect, it } from 'vitest';
import { openService, type FaultRule } from '../../../src/server/index.js';
import { testService, type Sent } from '../../support/service.js';

const issue = '/projects/20/issues/1/discussions';
const note = { json: { body: 'hello' } } satisfies Sent;

/** Statuses of requests under one rule. */
const statusesUnder = async (rule: string | FaultRule, requests: readonly (readonly [method: string, path: string, sent?: Sent])[]) => {
  const { call, faults } = await testService({ faults: [rule] });
  const statuses: number[] = [];
  for (const [method, path, sent] of requests) statuses.push((await call(method, path, sent)).status);
  return { statuses, hits: (await faults()).rules[0]!.hits };
};

describe('a fault rule applies to', () => {
  it.each<[on: string, matching: readonly [string, string][], other: readonly [string, string][]]>([
    ['*', [['GET', '/user'], ['GET', '/nothing'], ['HEAD', issue]], [['GET', '/-/health']]],
    ['discussions.issue.list', [['GET', issue], ['HEAD', issue], ['GET', '/projects/acme%2Fapp/issues/1/discussions']],
      [['GET', '/user'], ['GET', '/projects/20/merge_requests/5/discussions']]],
    ['discussions.*.list', [['GET', issue], ['GET', '/projects/20/merge_requests/5/discussions']], [['GET', '/user']]],
    ['GET /projects/*/issues/*/discussions', [['GET', issue], ['HEAD', issue], ['GET', `${issue}?page=2`], ['GET', `${issue}/`]],
      [['GET', '/projects/20/issues/1'], ['GET', '/projects/20/x/issues/1/discussions']]],
    ['get /api/v4/user', [['GET', '/user']], [['GET', '/version']]],
    ['GET /projects/*', [['GET', '/projects/20'], ['GET', issue]], [['GET', '/user']]],
    ['GET *', [['GET', '/user'], ['GET', issue]], [['DELETE', '/projects/20']]],
    ['* /user', [['GET', '/user'], ['DELETE', '/user']], [['GET', '/version']]],
    ['GET /PROJ*/*0/iss*s/1/*', [['GET', issue], ['GET', '/projects/10/isss/1/a/b']],
      [['GET', '/projects/20/issues/1'], ['GET', '/projects/20/issues/1/'], ['GET', '/projects/21/issues/1/a']]],
    ['GET /projects/**', [['GET', '/projects/20']], [['GET', issue]]],
    ['GET /a/*b*c', [['GET', '/a/bc'], ['GET', '/a/xbybcc']], [['GET', '/a/cb'], ['GET', '/a/b/c'], ['GET', '/a/bcx']]],
  ])('on: %s', async (on, matching, other) => {
    const { statuses, hits } = await statusesUnder({ on, do: 'status 418' }, [...matching, ...other]);
    expect(statuses.slice(0, matching.length)).toEqual(matching.map(() => 418));
    expect(statuses.slice(matching.length)).not.toContain(418);
    expect(hits).toBe(matching.length);
  });

  it('operations that share a route, by their parameters', async () => {
    const { statuses } = await statusesUnder('epics.create => status 418', [
      ['POST', '/groups/10/epics/1/epics', { as: 'owner', json: { title: 'New' } }],
      ['POST', '/groups/10/epics/1/epics', { as: 'owner', json: { child_epic_id: 999_999 } }],
    ]);
    expect(statuses).toEqual([418, 404]);
  });

  it('requests of a user, with a header, or with a text in the body', async () => {
    const rule = (more: Partial<FaultRule>): FaultRule => ({ on: '*', do: 'status 418', ...more });
    const asEach = [['GET', '/user', { as: 'developer' }], ['GET', '/user', { as: 'owner' }], ['GET', '/user', { as: null }]] as const;
    expect((await statusesUnder(rule({ user: 'owner' }), asEach)).statuses).toEqual([200, 418, 401]);
    const withHeaders = [{ 'x-test': 'seven' }, { 'x-test': 'eight' }, {}].map((headers) => ['GET', '/user', { headers }] as const);
    expect((await statusesUnder(rule({ header: 'X-Test' }), withHeaders)).statuses).toEqual([418, 418, 200]);
    expect((await statusesUnder(rule({ header: 'X-Test: sev' }), withHeaders)).statuses).toEqual([418, 200, 200]);
    const bodies = ['a needle', 'hay'].map((body) => ['POST', issue, { json: { body } }] as const);
    expect((await statusesUnder(rule({ body: 'needle' }), bodies)).statuses).toEqual([418, 201]);
  });

  it('paths with many stars, without trying all ways to match', async () => {
    const stars = '*a'.repeat(400);
    const path = `/${'a'.repeat(900)}`;
    expect(await statusesUnder(`GET /${stars}b => status 418`, [['GET', path]])).toMatchObject({ hits: 0 });
    expect(await statusesUnder(`GET /${stars} => status 418`, [['GET', path]])).toMatchObject({ hits: 1 });
    const operation = `${'*s*'.repeat(300)}.*.list`;
    await expect(statusesUnder(`${operation} => status 418`, [])).rejects.toThrow('unknown operation');
  });

  it('rules with a megabyte of spaces are read', async () => {
    const spaces = ' '.repeat(1_000_000);
    const rule = `*${spaces}=>${spaces}status${spaces}418${spaces}after${spaces}times=1${spaces}skip=0`;
    expect(await statusesUnder(rule, [['GET', '/user'], ['GET', '/user']])).toEqual({ statuses: [418, 200], hits: 1 });
    expect(await statusesUnder({ on: '*', do: 'status 418', header: `x${spaces}:${spaces}y` }, [['GET', '/user', { headers: { x: 'y' } }]]))
      .toMatchObject({ statuses: [418] });
    expect(await statusesUnder({ on: '*', do: 'status 418', header: `${spaces}x`.repeat(2) }, [['GET', '/user']])).toMatchObject({ statuses: [200] });
    await expect(statusesUnder(`${'x '.repeat(5_000)} => stale`, [])).rejects.toThrow('is longer than 2000 characters');
    await expect(statusesUnder(`* => ${'statsu'.repeat(100_000)}`, [])).rejects.toThrow(/unknown fault "[^"]{199}…/);
  });

  it('a number of requests, after those that it skips', async () => {
    const requests = Array.from({ length: 6 }, () => ['GET', '/user'] as const);
    expect(await statusesUnder('* => status 500 times=2 skip=1', requests))
      .toEqual({ statuses: [200, 500, 500, 200, 200, 200], hits: 2 });
  });

  it('requests that no rule before it was applied to', async () => {
    const { get, faults } = await testService({ faults: ['* => status 500 times=1', '* => status 503 times=1'] });
    expect([(await get('/user')).status, (await get('/user')).status, (await get('/user')).status]).toEqual([500, 503, 200]);
    expect((await faults()).rules.map(({ hits }) => hits)).toEqual([1, 1]);
  });

  it('a share of the requests, the same with the same seed', async () => {
    const hitsWith = async (seed: number) => {
      const { get, faults } = await testService();
      await faults(['* => status 500 p=0.3'], seed);
      const statuses: number[] = [];
      for (let i = 0; i < 200; i++) statuses.push((await get(`/projects/20/issues/${i}`)).status);
      return statuses.map((status) => status === 500);
    };
    const first = await hitsWith(1);
    expect(first.filter(Boolean).length).toBeGreaterThan(30);
    expect(first.filter(Boolean).length).toBeLessThan(90);
    expect(await hitsWith(1)).toEqual(first);
    expect(await hitsWith(2)).not.toEqual(first);
  });
});

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

  it('accepts YAML and rules as text', async () => {
    const { put } = await testService();
    const body = 'seed: 3\nrules:\n  - "GET /user => latency 1..5 p=.5 times=2"\n  - { on: "*", do: stale }\n';
    expect((await put('/-/faults', { body })).body).toEqual({ seed: 3, rules: [
      { on: 'GET /user', do: 'latency 1..5', probability: 0.5, times: 2, hits: 0 }, { on: '*', do: 'stale', hits: 0 }] });
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

  const forms = 'status N [before|after], reset [before|after], stall MS [before|after], latency MS[..MS], rate-limit S, '
    + 'html [N], truncate, garble, dribble MS, stale, late MS, respond {"status":N,"headers":{…},"body":…}';
  const targets = 'an operation such as discussions.issue.create or discussions.*.create, a method and path such as '
    + '"POST /projects/*/issues/*/discussions", or *';

  it.each<[rule: unknown, message: string]>([
    [{ on: '*', do: 'statis 500' }, `2, do: unknown fault "statis 500"; did you mean status?; use one of: ${forms}`],
    [{ on: '*', do: 'status 99' }, '2, do: invalid fault "status 99"; use status N [before|after]'],
    [{ on: '*', do: 'status 500 later' }, '2, do: invalid fault "status 500 later"; use status N [before|after]'],
    [{ on: '*', do: 'latency 9..3' }, '2, do: invalid fault "latency 9..3"; use latency MS[..MS]'],
    [{ on: '*', do: 'truncate 3' }, '2, do: invalid fault "truncate 3"; use truncate'],
    [{ on: '*', do: 'respond {' }, '2, do: invalid fault "respond {"; use respond {"status":N,"headers":{…},"body":…}'],
    [{ on: '*', do: 'respond {"headers":{"x":"a\\r\\nb: c"}}' },
      '2, do: invalid fault "respond {\\"headers\\":{\\"x\\":\\"a\\\\r\\\\nb: c\\"}}"; use respond {"status":N,"headers":{…},"body":…}'],
    [{ on: '*' }, `2, do: missing; use one of: ${forms}`],
    [{ do: 'reset' }, `2, on: missing; use ${targets}`],
    [{ on: 'discussions.isue.create', do: 'reset' },
      `2, on: unknown operation "discussions.isue.create"; did you mean discussions.issue.create?; use ${targets}`],
    [{ on: 'PSOT /a', do: 'reset' }, `2, on: unknown method "PSOT"; did you mean POST?; use ${targets}`],
    [{ on: 'POST a', do: 'reset' }, `2, on: the path "a" does not start with /; use ${targets}`],
    [{ on: '*', do: 'reset', probability: 2 }, '2, probability: invalid value 2; use a number from 0 to 1'],
    [{ on: '*', do: 'reset', times: 0 }, '2, times: invalid value 0; use a whole number from 1'],
    [{ on: '*', do: 'reset', skip: -1 }, '2, skip: invalid value -1; use a whole number from 0'],
    [{ on: '*', do: 'reset', tmies: 1 }, '2: unknown key "tmies"; did you mean times?'],
    [{ on: '*', do: 'reset', user: 4 }, '2, user: invalid value 4; use a username'],
    [5, '2: not an object; use {"on":…,"do":…}'],
    ['* reset', `2: no "ON => DO" in "* reset"; use 'ON => DO [p=0.3] [times=2] [skip=1]'`],
    ['* => reset p=x', '2, probability: invalid value that is not a number; use a number from 0 to 1'],
    ['* => reset user=ada', '2, do: invalid fault "reset user=ada"; use reset [before|after]'],
  ])('rejects %j with its position and the allowed forms, and keeps the rules', async (rule, message) => {
    const { get, put } = await testService({ faults: ['* => stale'] });
    expect(await put('/-/faults', { json: { rules: ['* => reset', rule] } }))
      .toMatchObject({ status: 400, body: { message: `400 Bad request - fault rule ${message}` } });
    expect((await get('/-/faults')).body).toMatchObject({ rules: [{ do: 'stale' }] });
  });

  it.each([
    ['', 'request body: no list of fault rules'], ['[]', 'request body: no list of fault rules'],
    ['{"rules":{}}', 'request body: no list of fault rules'], ['{"rules":[],"sed":1}', 'request body: unknown key "sed"'],
    ['{"rules":[],"seed":-1}', 'request body: invalid seed -1'], ['a: [', 'request body:1: '],
  ])('rejects the body %j', async (body, message) => {
    const { put } = await testService();
    const got = await put<{ message: string }>('/-/faults', { body });
    expect(got.status).toBe(400);
    expect(got.body.message).toContain(message);
  });

  it('rejects invalid rules in code, also at the start', async () => {
    const error = { name: 'FaultError', message: 'fault rule 1, do: unknown fault "x"' };
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
