import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { changeSummary } from '../../../../../src/cli/run.js';
import { newActivity, withActivity } from '../../../../../src/cli/service/connection/client.js';
import { draftMessage } from '../../../../../src/cli/terminal/io/messages.js';
import { ConnectionError } from '../../../../../src/client/errors.js';
import type { HttpResponse } from '../../../../../src/wire/http.js';

const request = (method: string) => ({ method, target: '/api/v4/x?private=1', headers: {} });
const answering = (status: number) => async (): Promise<HttpResponse> => ({ status, headers: {}, body: '' });
const failing = (error: Error) => (): Promise<HttpResponse> => Promise.reject(error);
const noAnswer = (sent: boolean) => failing(new ConnectionError('no', 'POST /x', 'ECONNRESET', sent));

/** What the activity reports after these exchanges. */
const after = async (...exchanges: [method: string, transport: () => Promise<HttpResponse>][]) => {
  const activity = newActivity();
  for (const [method, transport] of exchanges) {
    await withActivity(transport, activity)(request(method)).catch(() => undefined);
  }
  return changeSummary(activity);
};

const unsure = 'POST /api/v4/x got no response and may have been stored: check before sending it again';

describe('the activity of a run', () => {
  it('omits read requests', async () => {
    expect(await after(['GET', answering(200)], ['HEAD', noAnswer(true)])).toBe('nothing was changed');
  });

  it('counts successful writes', async () => {
    expect(await after(['POST', answering(201)])).toBe('1 change was made');
    expect(await after(['POST', answering(201)], ['PUT', answering(200)], ['DELETE', answering(204)])).toBe('3 changes were made');
  });

  it('drops rejected requests and those that never reached the service', async () => {
    expect(await after(['POST', answering(429)], ['POST', answering(404)], ['PUT', noAnswer(false)])).toBe('nothing was changed');
  });

  it('drops a write if the service says that it stored nothing', async () => {
    const body = '{"message":"nothing was stored, try again"}';
    expect(await after(['POST', async () => ({ status: 503, headers: {}, body })])).toBe('nothing was changed');
  });

  it('lists writes that may have been stored: those without a response or with a server error', async () => {
    expect(await after(['POST', noAnswer(true)])).toBe(unsure);
    expect(await after(['POST', answering(500)])).toBe(unsure.replace('no response', '500 as the last response'));
    expect(await after(['POST', failing(new Error('aborted'))])).toBe(unsure);
    expect(await after(['DELETE', answering(204)], ['POST', noAnswer(true)])).toBe(`1 change was made; ${unsure}`);
  });

  it('lists a request once, with its last response', async () => {
    const repeated: Parameters<typeof after> = [['POST', answering(502)], ['POST', answering(500)], ['POST', noAnswer(true)]];
    expect(await after(...repeated, ['PUT', noAnswer(true)], ['PUT', noAnswer(true)])).toBe('POST /api/v4/x got 500 as the last response, '
      + 'PUT /api/v4/x got no response, and may have been stored: check before sending it again');
  });

  it('lists a request before it is sent', async () => {
    const activity = newActivity();
    await withActivity(async () => {
      expect(changeSummary(activity)).toBe(unsure);
      return answering(201)();
    }, activity)(request('POST'));
    expect(changeSummary(activity)).toBe('1 change was made');
  });
});

describe('a saved text', () => {
  it('is restored by --recover from the drafts folder alone', () => {
    const drafts = { pathOf: (name: string) => join('/state/drafts', name) };
    expect(draftMessage(drafts, join('/state/drafts', 'a.md'))).toMatch(/^draft saved; run again with --recover \(.*a\.md\)$/);
    expect(draftMessage(drafts, join('/elsewhere', 'a.md'))).toMatch(/^draft saved; send it with -F \(.*a\.md\)$/);
  });
});
