import { describe, expect, test } from 'vitest';
import { readBaseUrl } from '../../../src/client/base-url.js';
import { ApiError, MovedProjectError, ResponseError } from '../../../src/client/errors.js';
import { withRedirects } from '../../../src/client/create-transport.js';
import type { HttpResponse, Transport } from '../../../src/wire/http.js';
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

describe('a write to a moved project', () => {
  const refused: HttpResponse = json(405, { message: 'Non GET methods are not allowed for moved projects' });
  const project = json(200, { id: 5, path_with_namespace: 'c/d' });
  const byId = to(301, 'https://host/gitlab/api/v4/projects/5/notes');
  const target = '/api/v4/projects/a%2Fb/notes?x=1';
  const failed = async (method: string, answers: HttpResponse[], at = target) => {
    const { transport, sent } = scripted(...answers);
    const outcome = await withRedirects(transport, base)(request(method, at)).catch((error: unknown) => error);
    return { outcome, sent: sent.map((each) => `${each.method} ${each.target}`) };
  };

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])('names both paths after %s got 405', async (method) => {
    const { outcome, sent } = await failed(method, [refused, to(301, 'https://host/gitlab/api/v4/projects/5'), project]);
    expect(sent).toEqual([`${method} ${target}`, 'GET /api/v4/projects/a%2Fb', 'GET /api/v4/projects/5']);
    expect(outcome).toBeInstanceOf(MovedProjectError);
    expect(outcome).toBeInstanceOf(ApiError);
    expect(outcome).toMatchObject({
      name: 'MovedProjectError', from: 'a/b', to: 'c/d', status: 405, request: `${method} /api/v4/projects/a%2Fb/notes`,
      body: { message: 'Non GET methods are not allowed for moved projects' },
      message: `${method} /api/v4/projects/a%2Fb/notes: 405 the project a/b moved to c/d`,
    });
  });

  test.each([301, 302, 303])('names both paths after a redirect with %i', async (status) => {
    const { outcome, sent } = await failed('POST', [{ ...byId, status }, project]);
    expect(sent).toEqual([`POST ${target}`, 'GET /api/v4/projects/5']);
    expect(outcome).toMatchObject({ name: 'MovedProjectError', from: 'a/b', to: 'c/d', status });
  });

  test('is carried out if the redirect keeps the method', async () => {
    const { outcome, sent } = await failed('POST', [to(308, '/gitlab/api/v4/projects/5/notes'), ok]);
    expect([outcome, sent[1]]).toEqual([ok, 'POST /api/v4/projects/5/notes']);
  });

  test.each<[string, HttpResponse]>([
    ['is not found', json(404, { message: '404 Project Not Found' })], ['is no JSON', { status: 200, headers: {}, body: '<html>' }],
    ['redirects elsewhere', to(302, 'https://login.host/')],
  ])('names the id of the redirect if the project %s', async (_, answer) => {
    expect((await failed('POST', [byId, answer])).outcome).toMatchObject({ name: 'MovedProjectError', to: '5' });
    expect((await failed('POST', [refused, answer])).outcome).toBe(refused);
  });

  test.each(['/api/v4/projects/5/notes', '/api/v4/groups/a%2Fb/epics', '/api/v4/projects/%zz/notes', '/api/v4/user'])(
    'is not suspected in a 405 of %s', async (at) => {
      const { outcome, sent } = await failed('POST', [refused], at);
      expect([outcome, sent.length]).toEqual([refused, 1]);
    });

  test.each(['a/b', 'A/B'])('is not suspected if the project is still %s', async (path_with_namespace) => {
    expect((await failed('PUT', [refused, json(200, { path_with_namespace })])).outcome).toBe(refused);
  });

  test('ends with the reason of an abort while it asks', async () => {
    const stop = new AbortController();
    const transport: Transport = async ({ method }) => {
      if (method === 'POST') return refused;
      stop.abort(new Error('stopped'));
      throw stop.signal.reason;
    };
    await expect(withRedirects(transport, base)(request('POST', target), stop.signal)).rejects.toThrow('stopped');
  });
});
