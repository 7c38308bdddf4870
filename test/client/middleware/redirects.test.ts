import { describe, expect, test } from 'vitest';
import { readBaseUrl } from '../../../src/client/base-url.js';
import { ResponseError } from '../../../src/client/errors.js';
import { withRedirects } from '../../../src/client/middleware/redirects.js';
import type { HttpResponse } from '../../../src/wire/http.js';
import { json, request, scripted } from '../support/scripted.js';

const base = readBaseUrl('https://host/gitlab');
const ok = json(200, {});
const to = (status: number, location: string): HttpResponse => ({ status, headers: { location }, body: 'moved' });

const sentFor = async (method: string, answers: HttpResponse[], target = '/api/v4/projects/a%2Fb?x=1') => {
  const { transport, sent } = scripted(...answers);
  const response = await withRedirects(transport, base)({ ...request(method, target), body: 'B' });
  return { response, sent: sent.map((each) => `${each.method} ${each.target} ${String(each.body)}`) };
};

describe('a redirect below the base URL', () => {
  test.each([301, 302, 303, 307, 308])('%i of a GET is followed, including the query', async (status) => {
    const { response, sent } = await sentFor('GET', [to(status, 'https://host/gitlab/api/v4/projects/5?x=1'), ok]);
    expect(response).toBe(ok);
    expect(sent[1]).toBe('GET /api/v4/projects/5?x=1 B');
  });

  test.each(['/gitlab/api/v4/projects/5', '../projects/5', '//host/gitlab/api/v4/projects/5'])(
    'can have the form %s', async (location) => {
      const { sent } = await sentFor('HEAD', [to(301, location), ok]);
      expect(sent[1]).toBe('HEAD /api/v4/projects/5 B');
    });

  test.each([307, 308])('%i keeps method and body of a POST', async (status) => {
    const { sent } = await sentFor('POST', [to(status, '/gitlab/api/v4/y'), ok]);
    expect(sent[1]).toBe('POST /api/v4/y B');
  });

  test('is followed five times at most', async () => {
    const hop = to(302, '/gitlab/api/v4/y');
    expect((await sentFor('GET', [hop, hop, hop, hop, hop, ok])).sent).toHaveLength(6);
    await expect(sentFor('GET', [hop, hop, hop, hop, hop, hop])).rejects.toThrow('redirected more than 5 times');
  });
});

describe('a redirect that is not followed', () => {
  const refusal = (method: string, status: number, location: string) =>
    sentFor(method, [to(status, location)]).then(() => { throw new Error('followed'); }, (error: unknown) => error as ResponseError);

  test('to another origin names both addresses and the base URL to set, and repeats no query', async () => {
    const error = await refusal('GET', 301, 'https://new.host/git/api/v4/projects/a%2Fb?x=1');
    expect(error).toBeInstanceOf(ResponseError);
    expect(error.status).toBe(301);
    expect(error.request).toBe('GET /api/v4/projects/a%2Fb');
    expect(error.message).toBe('GET /api/v4/projects/a%2Fb: redirected from https://host/gitlab/api/v4/projects/a%2Fb '
      + 'to https://new.host/git/api/v4/projects/a%2Fb, which does not receive the token; '
      + 'set the base URL to https://new.host/git');
  });

  test.each(['http://host/gitlab/api/v4/x', 'https://host:8443/gitlab/api/v4/x', 'https://host.evil/gitlab/api/v4/x'])(
    'goes to another origin when scheme, port or host differ: %s', async (location) => {
      expect((await refusal('GET', 302, location)).message).toContain('which does not receive the token');
    });

  test.each(['https://host/other', 'https://host/gitlabx/api', '/', '/gitlab/../other'])(
    'leaves the base path: %s', async (location) => {
      expect((await refusal('GET', 302, location)).message).toContain('which does not receive the token');
    });

  test.each([['POST', 301], ['POST', 302], ['PUT', 303], ['DELETE', 302]])(
    '%s with %i would become a GET', async (method, status) => {
      const error = await refusal(method, status, 'https://host/gitlab/y');
      expect(error.message).toContain(`would turn the ${method} into a GET`);
      expect(error.message).toContain('set the base URL to https://host');
    });

  test.each(['', 'http://[', 'file:///etc/passwd', 'javascript:alert(1)'])('without a valid Location is an error: %j', async (location) => {
    expect((await refusal('GET', 302, location)).message).toContain('without a valid Location header');
  });
});

test.each([200, 304, 404])('a response of status %i is returned unchanged', async (status) => {
  const answer = to(status, 'https://elsewhere/');
  expect((await sentFor('GET', [answer])).response).toBe(answer);
});
