import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../../src/server/index.js';
import { issue, statusesUnder } from '../../support/faults.js';
import { testService } from '../../support/service.js';

describe('a fault rule applies to', () => {
  it('requests of a user, with a header, or with a text in the body', async () => {
    const rule = (more: Partial<FaultRule>): FaultRule => ({ on: '*', do: 'status 418', ...more });
    const asEach = [['GET', '/user', { as: 'developer' }], ['GET', '/user', { as: 'owner' }], ['GET', '/user', { as: null }]] as const;
    expect((await statusesUnder(rule({ user: 'owner' }), asEach)).statuses).toEqual([200, 418, 401]);
    const withHeaders = [{ 'x-test': 'seven' }, { 'x-test': 'eight' }, {}].map((headers) => ['GET', '/user', { headers }] as const);
    expect((await statusesUnder(rule({ header: 'X-Test' }), withHeaders)).statuses).toEqual([418, 418, 200]);
    expect((await statusesUnder(rule({ header: 'X-Test: sev' }), withHeaders)).statuses).toEqual([418, 200, 200]);
    const withColon = [['GET', '/user', { headers: { 'x-test': 'a:b' } }]] as const;
    expect((await statusesUnder(rule({ header: 'X-Test: a:b' }), withColon)).statuses).toEqual([418]);
    const bodies = ['a needle', 'hay'].map((body) => ['POST', issue, { json: { body } }] as const);
    expect((await statusesUnder(rule({ body: 'needle' }), bodies)).statuses).toEqual([418, 201]);
  });

  it('no user whose token is of a kind that the server does not accept', async () => {
    const { call } = await testService({ acceptTokens: 'bearer', faults: [{ on: '*', do: 'status 418', user: 'owner' }] });
    const headers = { authorization: 'Bearer owner-token' };
    expect((await call('GET', '/user', { as: 'owner' })).status).toBe(401);
    expect((await call('GET', '/user', { as: null, headers })).status).toBe(418);
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
});

it('a rule with a number of a million digits is rejected', async () => {
  await expect(statusesUnder(`* => status 500 p=${'0'.repeat(1_000_000)}x`, [])).rejects.toThrow('probability: invalid value');
});

describe('GET, PUT and DELETE /-/faults', () => {
  const forms = 'status N [before|after], reset [before|after], stall MS [before|after], latency MS[..MS], rate-limit S, '
    + 'html [N], truncate, garble, dribble MS, stale, late MS, respond {"status":N,"headers":{…},"body":…}';
  const targets = 'an operation such as discussions.issue.create or discussions.*.create, a method and path such as '
    + '"POST /projects/*/issues/*/discussions", or *';

  it.each<[rule: unknown, message: string]>([
    [{ on: '*', do: 'statis 500' }, `2, do: unknown fault "statis 500"; did you mean status?; use one of: ${forms}`],
    [{ on: '*', do: '500' }, `2, do: unknown fault "500"; did you mean status 500?; use one of: ${forms}`],
    [{ on: 'notes.create', do: 'reset' }, `2, on: unknown operation "notes.create"; did you mean notes.*.create?; use ${targets}`],
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
    [{ on: 'GET /a?b=c', do: 'reset' }, `2, on: the path "/a?b=c" has a query, which no rule looks at; use ${targets}`],
    [{ on: '*', do: 'reset', probability: 2 }, '2, probability: invalid value 2; use a number from 0 to 1'],
    [{ on: '*', do: 'reset', times: 0 }, '2, times: invalid value 0; use a whole number from 1'],
    [{ on: '*', do: 'reset', skip: -1 }, '2, skip: invalid value -1; use a whole number from 0'],
    [{ on: '*', do: 'reset', tmies: 1 }, '2: unknown key "tmies"; did you mean times?'],
    [{ on: '*', do: 'reset', user: 4 }, '2, user: invalid value 4; use a username'],
    [5, '2: not an object; use {"on":…,"do":…}'],
    ['* reset', `2: no "ON => DO" in "* reset"; use 'ON => DO [p=0.3] [times=2] [skip=1]'`],
    ['* => reset p=x', '2, probability: invalid value "x"; use a number from 0 to 1'],
    ['* => reset times=x', '2, times: invalid value "x"; use a whole number from 1'],
    ['* => status 500 time=1', '2, do: invalid fault "status 500 time=1"; did you mean times=1?'],
    ['* => reset user=ada', '2, do: invalid fault "reset user=ada"; use reset [before|after]'],
  ])('rejects %j with its position and the allowed forms, and keeps the rules', async (rule, message) => {
    const { get, put } = await testService({ faults: ['* => stale'] });
    expect(await put('/-/faults', { json: { rules: ['* => reset', rule] } }))
      .toMatchObject({ status: 400, body: { message: `400 Bad request - fault rule ${message}` } });
    expect((await get('/-/faults')).body).toMatchObject({ rules: [{ do: 'stale' }] });
  });
});
