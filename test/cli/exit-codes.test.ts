import { describe, expect, it } from 'vitest';
import { exits } from '../../src/cli/command-line/failure.js';
import { meanings } from '../../src/cli/help/texts.js';
import { ConnectionError } from '../../src/client/errors.js';
import { ranIn, type Ran, type WorldOptions } from '../support/app.js';
import { epicApp } from '../support/epic-app.js';

const list = ['discussions', 'list', '!1', '--json', '--retries', '0'];

/** The one line on stderr. */
const errorOf = ({ err }: Ran) => {
  expect(err.trimEnd().split('\n')).toHaveLength(1);
  return (JSON.parse(err) as { error: { code: string; status: number | null; message: string; request: string | null } }).error;
};

const answering = (status: number): WorldOptions =>
  ({ answer: () => ({ status, headers: {}, body: JSON.stringify({ message: 'words of the service' }) }) });

describe('a failure has its own exit code, and with --json one JSON error on stderr', () => {
  it.each([
    [401, 4, 'unauthenticated'], [403, 5, 'forbidden'], [404, 6, 'not_found'],
    [400, 7, 'rejected'], [409, 7, 'rejected'], [412, 7, 'rejected'], [413, 7, 'rejected'], [422, 7, 'rejected'],
    [429, 9, 'rate_limited'], [500, 10, 'unavailable'], [502, 10, 'unavailable'], [503, 10, 'unavailable'], [504, 10, 'unavailable'],
  ])('after a response of %i: %i %s', async (status, exit, code) => {
    const ran = await ranIn(answering(status), ...list);
    expect(ran).toMatchObject({ code: exit, out: '' });
    expect(errorOf(ran)).toMatchObject({
      code, status, message: expect.stringMatching(/^(the (service|proxy) .*|rate limit exceeded): "words of the service"$/) as string,
      request: expect.stringMatching(/^GET /) as string });
  });

  it.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'CERT_HAS_EXPIRED'])('after a connection that fails with %s', async (cause) => {
    const answer = () => { throw new ConnectionError('no connection', 'GET /x', cause, false); };
    const ran = await ranIn({ answer }, ...list);
    expect(ran).toMatchObject({ code: 10, out: '' });
    expect(errorOf(ran)).toMatchObject({ code: 'unavailable', status: null });
  });

  it('after an invalid command line, a missing token, and a question answered with no', async () => {
    const wrong = await ranIn({}, ...list, '--no-such-flag');
    expect([wrong.code, errorOf(wrong).code]).toEqual([2, 'usage']);
    const anonymous = await ranIn({ env: { COLLOQUY_TOKEN: '' } }, ...list);
    expect([anonymous.code, errorOf(anonymous).code]).toEqual([4, 'unauthenticated']);
    const refused = await (await epicApp({ terminal: true, answers: [false] })).run('epics', 'assign', '&1', '&7', '--json');
    expect([refused.code, errorOf(refused).code]).toEqual([3, 'cancelled']);
  });
});

it('exit codes are those of the pages, and code 8 documents its use', () => {
  expect(exits).toEqual({
    failure: 1, usage: 2, report: 2, cancelled: 3, unauthenticated: 4, forbidden: 5, not_found: 6, rejected: 7,
    pending: 8, rate_limited: 9, unavailable: 10, interrupted: 130,
  });
  expect(meanings.pending).toBe('pending: a diff has changes, a check found open threads');
});
