import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../../src/client/errors.js';
import { json, unknownRoute } from '../../../../support/answers.js';
import { answering, examined } from '../../../../support/doctor.js';
import { everyRow } from '../../../../support/rows.js';
import { start } from '../../../../support/service.js';

describe('doctor', () => {
  it('explains why nothing responds', async () => {
    const answer = () => { throw new ConnectionError('nothing is listening at http://service.test (ECONNREFUSED)', 'GET /api/v4/version', 'ECONNREFUSED', false); };
    const { code, of, err } = await examined({ answer });
    expect(code).toBe(1);
    expect(of('service')).toMatchObject({ state: 'fail', message: expect.stringContaining('ECONNREFUSED') as string, hint: 'check --url and the network' });
    expect(err).toContain('"code":"failure"');
  });

  it('distinguishes a web page from the API, and detects a redirect to another host', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' };
    expect((await examined(answering('/version', page))).of('service')).toMatchObject({ state: 'fail', hint: expect.stringContaining('--url') as string });
    const moved = { status: 302, headers: { location: 'https://new.example/api/v4/version' }, body: '' };
    expect((await examined(answering('/version', moved))).of('service')).toMatchObject({ state: 'fail',
      message: expect.stringContaining('https://new.example') as string });
    expect((await examined(answering('/version', json(502, {})), '--retries', '0')).of('service')).toMatchObject({ state: 'fail' });
  });

  it('compares clocks', async () => {
    const at = (seconds: number) =>
      ({ status: 200, headers: { date: new Date(Date.parse(start) + seconds * 1000).toUTCString() }, body: '{"version":"17.1.0"}' });
    const clock = async (seconds: number) => (await examined(answering('/version', at(seconds)))).of('clock');
    expect(await clock(5)).toMatchObject({ state: 'ok' });
    expect(await clock(-120)).toMatchObject({ state: 'warn', message: expect.stringMatching(/ahead of/) as string });
    expect(await clock(4000)).toMatchObject({ state: 'fail', message: expect.stringMatching(/40\d\d seconds behind/) as string });
    expect((await examined()).of('clock')).toMatchObject({ state: 'skip' });
  });

  it('detects versions that lack features', async () => {
    const version = async (text: string) => (await examined(answering('/version', json(200, { version: text })))).of('version');
    expect(await version('12.6.9')).toMatchObject({ state: 'warn' });
    expect(await version('17.2.0-ee')).toMatchObject({ state: 'ok', message: '17.2.0-ee' });
    expect((await examined(answering('/version', unknownRoute))).of('version')).toMatchObject({ state: 'skip' });
  });
});

describe('the service', () => {
  const found = async (status: number, body = `{"message":"${status} no"}`, headers: Record<string, string> = {}) =>
    (await examined(answering('/version', { status, headers, body }), '--retries', '0')).of('service');

  it.each([
    [407, 'fail', 'the proxy requires authentication', 'put user and password into the proxy URL'],
    [429, 'warn', 'http://service.test is rate limiting requests (HTTP 429)', 'wait a minute, then try again'],
    [503, 'fail', 'http://service.test responded with 503 no', 'try again later, or ask its administrator'],
    [401, 'ok', 'http://service.test responds', null], [404, 'ok', 'http://service.test responds', null],
  ])('that responds with %i: %s', async (status, state, message, hint) => {
    expect(await found(status)).toEqual({ check: 'service', state, message, hint });
  });

  it('is not the API if something else responds', async () => {
    await everyRow([
      [200, ''], [200, 'OK'], [200, '5'], [200, '"text"'], [404, '{}'], [404, '{"error":"Not Found"}'], [404, '<html>'], [404, ''],
      [401, '{"message":"no"}'], [403, 'Forbidden'], [405, '{"detail":"Method Not Allowed"}'],
    ] as const, String, async ([status, body]) => {
      expect(await found(status, body)).toMatchObject({ state: 'fail', hint: 'check --url: it is the part of the address before /api/v4',
        message: expect.stringMatching(/^this is not the API: http:\/\/service\.test responded with \d+ /) as string });
    });
  });

  it('is not the API if it knows no route, as below a wrong path of the right host', async () => {
    const { of, found: all } = await examined({ answer: () => unknownRoute });
    expect(of('service')).toMatchObject({ state: 'fail', message: 'this is not the API: http://service.test responded with 404 Not Found',
      hint: 'check --url: it is the part of the address before /api/v4' });
    expect(all.at(-1)!.check).toBe('clock');
  });

  it('that does not respond ends the checks, because all others need it', async () => {
    const { found: all } = await examined(answering('/version', { status: 500, headers: {}, body: '' }), '--retries', '0');
    expect(all.at(-1)!.check).toBe('clock');
    expect(all.map(({ check }) => check)).not.toContain('account');
  });

  it('may leave out its version', async () => {
    for (const body of [{ version: 12.7 }, {}, []]) {
      expect((await examined(answering('/version', json(200, body)))).of('version')).toEqual(
        { check: 'version', state: 'skip', message: 'not reported by the service', hint: null });
    }
  });

  it('needs a clock that differs by less than a minute', async () => {
    const ahead = async (seconds: number) => {
      const headers = { date: new Date(Date.parse(start) - seconds * 1000).toUTCString() };
      return (await examined(answering('/version', { status: 200, headers, body: '{"version":"17.1.0"}' }))).of('clock')!;
    };
    const states = await Promise.all([0, 59, 60, 299, 300, -59, -60, -300].map(async (seconds) => (await ahead(seconds)).state));
    expect(states).toEqual(['ok', 'ok', 'warn', 'warn', 'fail', 'ok', 'warn', 'fail']);
  });
});
