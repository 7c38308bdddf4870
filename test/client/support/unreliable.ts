import { createNoteClient } from '../../../src/client/note-client.js';
import type { ClientEvent } from '../../../src/client/events.js';
import type { ClientOptions } from '../../../src/client/options.js';
import type { HttpRequest, HttpResponse, Transport } from '../../../src/wire/http.js';
import { testService, type TestService } from '../../support/service.js';
import { fakeTime } from './fake-time.js';
import { json } from './scripted.js';

/** What happens to a POST: it fails before or after it is stored, is stored while the client waits, or is handled. */
export type Fate =
  'ok' | 'lost' | 'stored' | 'timeout' | 'stored timeout' | 'late' | 'reset' | 'garbled' | 'limited' | 'stored limited';

export const now = '2024-05-01T12:00:00.000Z';

/** The test server with a frozen clock, behind a connection on which the POSTs fail as planned. */
export const unreliable = async (fates: readonly Fate[] = []) => {
  const service = await testService({ now });
  const sent: HttpRequest[] = [];
  const late: HttpRequest[] = [];
  let posts = 0;
  const send = async (request: HttpRequest): Promise<HttpResponse> => {
    sent.push(request);
    if (request.method !== 'POST') return service.handle(request);
    return withFate(service, request, fates[posts++] ?? 'ok', late);
  };
  const time = fakeTime();
  const clientAs = (user: string, options: Partial<ClientOptions> = {}, transport: Transport = send) => {
    const events: ClientEvent[] = [];
    const client = createNoteClient({
      url: 'http://service.test', token: `${user}-token`, transport, time, onEvent: (event) => events.push(event), ...options,
    });
    return { client, events };
  };
  return {
    service, sent, time, clientAs, send,
    /** Stores what the service had not stored yet when it timed out. */
    catchUp: async () => { for (const request of late.splice(0)) await service.handle(request); },
    posts: () => sent.filter(({ method }) => method === 'POST').length,
  };
};

const withFate = async (
  service: TestService, request: HttpRequest, fate: Fate, late: HttpRequest[],
): Promise<HttpResponse> => {
  if (fate === 'late') late.push(request);
  const isStored = fate === 'ok' || fate === 'garbled' || fate.startsWith('stored') || fate === 'reset';
  const response = isStored ? await service.handle(request) : json(500, {});
  if (fate === 'ok') return response;
  if (fate === 'garbled') return { ...response, body: '{"id":' };
  if (fate === 'reset') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  if (fate.endsWith('limited')) return json(429, { message: 'Retry later' }, { 'retry-after': '1' });
  return json(fate === 'late' || fate.endsWith('timeout') ? 504 : 500, { message: 'failed' });
};
