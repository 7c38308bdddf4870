import { describe, expect, it } from 'vitest';
import { callOver } from '../../../../src/cli/service/conformance/probe.js';
import type { HttpRequest, Transport } from '../../../../src/wire/http.js';

const recorded = (body = '{"a":1}') => {
  const sent: (HttpRequest & { readonly signal: AbortSignal | undefined })[] = [];
  const transport: Transport = async (request, signal) => {
    sent.push({ ...request, signal });
    return { status: 200, headers: { 'x-a': 'b' }, body };
  };
  return { transport, sent };
};

describe('a call of a check', () => {
  it('is sent below the prefix as the caller, and has the response as text and JSON', async () => {
    const own = recorded();
    const { signal } = new AbortController();
    const got = await callOver({ own: own.transport, anonymous: recorded().transport }, signal)('GET', '/a', { query: 'b=1' });
    expect(got).toEqual({ request: 'GET /api/v4/a?b=1', status: 200, headers: { 'x-a': 'b' }, text: '{"a":1}', json: { a: 1 } });
    expect(own.sent).toEqual([{ method: 'GET', target: '/api/v4/a?b=1', headers: { accept: 'application/json' }, signal }]);
  });

  it('is sent without the token of the caller where it has another one or none', async () => {
    const [own, anonymous] = [recorded(), recorded()];
    const call = callOver({ own: own.transport, anonymous: anonymous.transport }, new AbortController().signal);
    await call('GET', '/a', { token: null });
    await call('GET', '/a', { token: 'other' });
    expect(own.sent).toEqual([]);
    expect(anonymous.sent.map(({ headers }) => headers['private-token'])).toEqual([undefined, 'other']);
  });

  it('sends JSON with its type, and other bodies as they are', async () => {
    const own = recorded();
    const call = callOver({ own: own.transport, anonymous: own.transport }, new AbortController().signal);
    await call('POST', '/a', { json: { body: 'x' } });
    await call('POST', '/a', { form: '{', headers: { 'content-type': 'text/plain' } });
    expect(own.sent.map(({ body, headers }) => [body, headers['content-type']])).toEqual([['{"body":"x"}', 'application/json'], ['{', 'text/plain']]);
  });

  it('is not cut off where it writes, and not sent after an interrupt', async () => {
    const own = recorded();
    const stop = new AbortController();
    const call = callOver({ own: own.transport, anonymous: own.transport }, stop.signal);
    await call('POST', '/a', { json: {} });
    expect(own.sent.map(({ signal }) => signal)).toEqual([undefined]);
    stop.abort();
    for (const method of ['GET', 'POST']) await expect(call(method, '/a')).rejects.toThrow('aborted');
    expect(own.sent.length).toBe(1);
  });

  it('cleans up although the run was interrupted', async () => {
    const own = recorded();
    await callOver({ own: own.transport, anonymous: own.transport }, AbortSignal.abort())('DELETE', '/a', { isCleanUp: true });
    expect(own.sent[0]!.signal).toBeUndefined();
  });

  it('has no JSON where the body is something else', async () => {
    const own = recorded('<html>');
    const got = await callOver({ own: own.transport, anonymous: own.transport }, new AbortController().signal)('GET', '/a');
    expect([got.text, got.json]).toEqual(['<html>', null]);
  });
});
