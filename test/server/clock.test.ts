import { describe, expect, it } from 'vitest';
import { openService } from '../../src/server/index.js';
import { start, testService } from '../support/service.js';
import { started } from '../support/sockets.js';

const issue = '/projects/20/issues/1/discussions';
const time = '2030-01-01T10:00:00.000Z';

interface Thread { readonly id: string; readonly notes: readonly { readonly id: number; readonly created_at: string }[] }

describe('the clock', () => {
  it('runs until it is set, and is frozen afterwards', async () => {
    const { get, put, later } = await testService();
    expect((await get('/-/clock')).body).toEqual({ now: start, frozen: false });
    later(1_000);
    expect((await get('/-/clock')).body).toEqual({ now: '2024-05-01T12:00:01.000Z', frozen: false });
    expect(await put('/-/clock', { json: { now: time } })).toMatchObject({ status: 200, body: { now: time, frozen: true } });
    later(1_000);
    expect((await get('/-/clock')).body).toEqual({ now: time, frozen: true });
  });

  it('advances by exactly the given duration', async () => {
    const { put, later } = await testService({ now: time });
    expect((await put('/-/clock', { json: { advance: '2h' } })).body).toEqual({ now: '2030-01-01T12:00:00.000Z', frozen: true });
    later(1_000);
    expect((await put('/-/clock', { json: { advance: '1d500ms' } })).body).toEqual({ now: '2030-01-02T12:00:00.500Z', frozen: true });
  });

  it('takes a time or a duration alone from code', async () => {
    const service = await openService({ now: () => new Date(start) });
    expect(await service.clock(time)).toEqual({ now: time, frozen: true });
    expect((await service.clock('2h')).now).toBe('2030-01-01T12:00:00.000Z');
    await expect(service.clock('soon')).rejects.toMatchObject({ name: 'ClockError', problem: 'invalid time "soon"' });
    await service.close();
  });

  it('takes a Date and a function that returns a number from code', async () => {
    const service = await openService({ now: () => Date.parse(start) });
    expect(await service.clock()).toEqual({ now: start, frozen: false });
    expect(await service.clock({ now: new Date(time) })).toEqual({ now: time, frozen: true });
    await expect(service.clock({ now: new Date('never') })).rejects.toMatchObject({ name: 'ClockError', problem: 'invalid time null' });
    await service.close();
  });

  it('sets the times of stored records', async () => {
    const { put, post } = await testService();
    await put('/-/clock', { json: { now: '2031-02-03T04:05:06+01:00' } });
    const { body } = await post<Thread>(issue, { json: { body: 'hello' } });
    expect(body.notes[0]!.created_at).toBe('2031-02-03T03:05:06.000Z');
  });

  it('decides when tokens expire, even for responses that were cached before', async () => {
    const { get, put } = await testService({
      world: {
        users: [{ username: 'kim', tokens: [{ token: 'kim-token', scopes: ['api'], expires_at: '2024-05-02' }] }],
        projects: [{ path: 'a/b', members: { kim: 'developer' }, issues: [{ iid: 1, title: 'T' }] }],
      },
    });
    const statusOfList = async () => (await get('/projects/a%2Fb/issues/1/discussions', { as: 'kim' })).status;
    expect([await statusOfList(), await statusOfList()]).toEqual([200, 200]);
    await put('/-/clock', { json: { advance: '1d' } });
    expect(await statusOfList()).toBe(401);
  });

  it('decides when a rate limit is reset', async () => {
    const { get, put } = await testService({ rateLimit: 1, now: time });
    const statusOfUser = async () => (await get('/user')).status;
    expect([await statusOfUser(), await statusOfUser()]).toEqual([200, 429]);
    await put('/-/clock', { json: { advance: '1m' } });
    expect(await statusOfUser()).toBe(200);
  });

  it('sets the Date header once it is frozen', async () => {
    const server = await started();
    const dateOf = async () => (await fetch(`${server.url}/-/health`)).headers.get('date');
    expect(Math.abs(Date.parse((await dateOf())!) - Date.now())).toBeLessThan(60_000);
    await server.clock({ now: time });
    expect(await dateOf()).toBe('Tue, 01 Jan 2030 10:00:00 GMT');
  });

  it('goes back to its start on reset, with the counts of the rate limit', async () => {
    const { get, put, post } = await testService({ now: time, rateLimit: 1 });
    await put('/-/clock', { json: { advance: '2h' } });
    expect((await get('/user')).status).toBe(200);
    await post('/-/reset');
    expect((await get('/-/clock')).body).toEqual({ now: time, frozen: true });
    await put('/-/clock', { json: { advance: '2h' } });
    expect((await get('/user')).status).toBe(200);
  });

  it('runs again after a reset if it ran at the start', async () => {
    const { get, put, post, later } = await testService();
    await put('/-/clock', { json: { now: time } });
    await post('/-/reset');
    later(1_000);
    expect((await get('/-/clock')).body).toEqual({ now: '2024-05-01T12:00:01.000Z', frozen: false });
  });

  it.each([
    [{ now: 'tomorrow' }, 'invalid time "tomorrow"; use ISO 8601, such as 2024-05-01T12:00:00Z'],
    [{ now: 5 }, 'invalid time 5; use ISO 8601, such as 2024-05-01T12:00:00Z'],
    [{ advance: '-2h' }, 'invalid duration "-2h"; use a duration such as 90s, 15m, 2h or 1d'],
    [{ advance: '999999999d' }, 'the clock ends with the year 9999; advance it by less'],
    [{}, 'no valid change of the clock given; use {"now":"2024-05-01T12:00:00Z"} or {"advance":"2h"}'],
    [{ now: time, advance: '2h' }, 'no valid change of the clock given; use {"now":"2024-05-01T12:00:00Z"} or {"advance":"2h"}'],
    [[], 'no valid change of the clock given; use {"now":"2024-05-01T12:00:00Z"} or {"advance":"2h"}'],
  ])('rejects %j, and stays as it is', async (json, reason) => {
    const { get, put } = await testService();
    expect(await put('/-/clock', { json })).toMatchObject({ status: 400, body: { message: `400 Bad request - ${reason}` } });
    expect((await get('/-/clock')).body).toEqual({ now: start, frozen: false });
  });

  it('is set in code too, and rejects invalid times there', async () => {
    const service = await testService({ now: time });
    expect(await service.clock({ advance: '90s' })).toEqual({ now: '2030-01-01T10:01:30.000Z', frozen: true });
    expect(await service.clock()).toEqual({ now: '2030-01-01T10:01:30.000Z', frozen: true });
    await expect(service.clock({ advance: 'soon' })).rejects.toMatchObject({ name: 'ClockError' });
    await expect(openService({ now: 'soon' })).rejects.toMatchObject({ name: 'ClockError' });
  });
});
