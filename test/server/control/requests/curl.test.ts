import { describe, expect, it } from 'vitest';
import type { LoggedExchange } from '../../../../src/server/http/request-log.js';
import { curlText } from '../../../../src/server/control/requests.js';

const logged = (parts: Partial<LoggedExchange> = {}): LoggedExchange => ({
  id: '1', time: '2024-05-01T12:00:00.000Z', method: 'GET', target: '/api/v4/user', headers: {}, body: '', status: 200, duration: 1,
  user: null, operation: null, unread: [], missing: null, world: null, isTruncated: false,
  response: { headers: {}, body: '', isTruncated: false, size: 0 }, ...parts,
});

const curl = (parts: Partial<LoggedExchange>) => curlText([logged(parts)], ({ target }) => `http://test${target}`);

describe('a request as a curl command', () => {
  it('has method, URL, headers and body', () => {
    const headers = { 'private-token': '[redacted]', 'content-type': 'application/json' };
    expect(curl({ method: 'POST', target: '/api/v4/a?b=c&d', headers, body: `{"body":"it's"}` })).toBe(
      "curl --globoff -X POST 'http://test/api/v4/a?b=c&d' -H 'private-token: [redacted]' -H 'content-type: application/json' "
      + `--data-raw '{"body":"it'\\''s"}'\n`);
  });

  it('leaves out the headers that curl sends itself, and keeps empty ones', () => {
    expect(curl({ headers: { host: 'x', connection: 'close', 'content-length': '0', 'x-empty': '' } }))
      .toBe("curl --globoff -X GET http://test/api/v4/user -H 'x-empty;'\n");
  });

  it('marks a truncated body', () => {
    expect(curl({ isTruncated: true, body: 'x' })).toMatch(/^# the body is truncated\ncurl .*\n$/);
  });

  it('stays on one line without control and direction characters', () => {
    const text = curl({ method: 'PUT', body: 'a\nb\u001b[31m\u202e\u{e0001}\u2028', headers: { x: '\u009b' } });
    expect(text).toMatch(/^[\x20-\x7e]*\n$/);
    expect(text).toContain("$'a\\nb\\033[31m\\u202e\\U000e0001\\u2028'");
  });
});
