import { describe, expect, it } from 'vitest';
import { headersFrom } from '../../../../src/cli/service/api/call.js';
import { ran, ranIn } from '../../../support/app.js';

describe('the headers of an API request', () => {
  it('reads header names in lower case', () => {
    expect(headersFrom(['Sudo: ada', 'X-Empty:', 'If-Match:  "a:b" '])).toEqual({ sudo: 'ada', 'x-empty': '', 'if-match': '"a:b"' });
  });

  it.each(['PRIVATE-TOKEN: x', 'authorization: Bearer x', 'Job-Token:x', 'Cookie: a=b', 'Host: evil.example', 'Content-Length: 3',
    'no colon', ': x', 'a b: c', 'X: line\nbreak', 'X: ü'])('rejects %j without repeating it', (line) => {
    expect(() => headersFrom([line])).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});

describe('a request that is not sent', () => {
  it.each([
    [['FETCH', 'x'], 'unknown method FETCH', 'use one of: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    [['POST', 'x', '--all'], '--all and --limit cannot be used with POST', 'use them with GET'],
    [['DELETE', 'x', '-L', '3'], '--all and --limit cannot be used with DELETE', 'use them with GET'],
    [['GET', 'x', '-L', '3', '--include'], '--include cannot be combined with --all or --limit', 'remove one of them'],
    [['GET', 'x', '-o', 'csv'], 'cannot print a response as csv', 'use one of these formats: json, ndjson, yaml, id'],
  ])('%j says why', async (words, message, hint) => {
    expect(await ran('api', ...words)).toMatchObject({ code: 2, out: '', sent: [], err: `colloquy: ${message}\n${hint}\n` });
  });

  it('keeps its headers and fields with --dry-run, without the token', async () => {
    const { out, sent } = await ran('api', 'POST', 'x?q=1', '-f', 'a=b', '-H', 'X-Own: 1', '--dry-run', '--json');
    expect(sent).toEqual([]);
    expect(JSON.parse(out)).toEqual({ method: 'POST', url: 'http://service.test/api/v4/x?q=1', body: { a: 'b' },
      headers: { accept: 'application/json', 'content-type': 'application/json', 'x-own': '1', 'private-token': '[redacted]' } });
  });
});

describe('a request that is sent', () => {
  it('may have its method in lower case, and another media type to accept', async () => {
    const { sent } = await ranIn({ answer: () => ({ status: 200, headers: {}, body: '{}' }) }, 'api', 'get', 'x', '-H', 'Accept: text/plain');
    expect(sent).toMatchObject([{ method: 'GET', headers: { accept: 'text/plain' } }]);
  });

  it('has one page of as many items as are wanted, and one more to know whether there are others', async () => {
    const answer = () => ({ status: 200, headers: { 'x-next-page': '', 'content-type': 'application/json' }, body: '[{"id":1},{"id":2},{"id":3}]' });
    const { sent, out } = await ranIn({ answer }, 'api', 'GET', 'x', '-L', '2', '-o', 'id');
    expect(sent.map(({ target }) => target)).toEqual(['/api/v4/x?per_page=3']);
    expect(out).toBe('1\n2\n');
  });
});
