import { expect } from 'vitest';
import { apiPrefix } from '../../src/contract/conventions.js';
import { contractRouter, firstThatFits } from '../../src/server/api/router.js';
import { openService, type ServerOptions } from '../../src/server/index.js';
import { collectParams } from '../../src/wire/decode.js';
import { splitTarget, type HttpRequest, type HttpResponse } from '../../src/wire/http.js';
import { checkAnswer } from './check-answer.js';
import { endWithTest, lentStore, onPostgres } from './stores.js';
import { acme } from './worlds.js';

/** What a test sends. `json` and `form` set body and content type; `as` is a username of the world `acme`. */
export interface Sent {
  readonly as?: string | null;
  readonly json?: unknown;
  readonly form?: Record<string, string>;
  readonly body?: string | Uint8Array;
  readonly headers?: Record<string, string>;
}

/** The response, with the body as parsed JSON if it is JSON. */
export interface Got<T = unknown> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: T;
  readonly text: string;
}

/** The current time in tests; `later` advances it. */
export const start = '2024-05-01T12:00:00.000Z';

const router = contractRouter();

/**
 * The test server with the world `acme`, a clock that does not advance, and sequential ids: in memory, or on
 * PostgreSQL if the run uses it. Every successful response is checked against the contract.
 */
export const testService = async (options: ServerOptions = {}) => {
  let time = new Date(start);
  let count = 0;
  const lent = onPostgres && options.data === undefined ? await lentStore() : null;
  const service = await openService({
    world: acme, now: () => time, hex: (length) => (++count).toString(16).padStart(length, '0'), externalUrl: 'http://service.test',
    onFault: (error) => { throw error; }, ...options, ...(lent && { data: lent.place }),
  });
  if (lent) lent.close(service.close);
  else endWithTest(service.close);
  const dialect = options.dialect ?? 'document';
  const call = async <T = unknown>(method: string, path: string, sent: Sent = {}): Promise<Got<T>> => {
    const { as = 'developer' } = sent;
    const target = path.startsWith('/-/') || path.startsWith('/uploads/') || path.startsWith('/w/') ? path : apiPrefix + path;
    const request: HttpRequest = {
      method, target, headers: { ...(as && { 'private-token': `${as}-token` }), ...bodyHeaders(sent), ...sent.headers },
      ...(bodyOf(sent) !== undefined && { body: bodyOf(sent)! }),
    };
    const got = read(await service.handle(request));
    if (target !== path && got.status < 300 && method !== 'HEAD' && method !== 'OPTIONS') await check(request, path, got);
    return got as Got<T>;
  };
  const check = async (request: HttpRequest, target: string, got: Got): Promise<void> => {
    const [path, query] = splitTarget(target);
    const { candidates, path: inPath } = router.match(request.method, path)!;
    const { endpoint } = firstThatFits(candidates, await collectParams(request, inPath, query));
    expect([endpoint.status, ...(endpoint.accepted ? [202] : [])]).toContain(got.status);
    checkAnswer(endpoint, endpoint.raw ? got.text : got.body, dialect, got.status);
  };
  return {
    call,
    get: <T = unknown>(path: string, sent?: Sent) => call<T>('GET', path, sent),
    post: <T = unknown>(path: string, sent?: Sent) => call<T>('POST', path, sent),
    put: <T = unknown>(path: string, sent?: Sent) => call<T>('PUT', path, sent),
    delete: <T = unknown>(path: string, sent?: Sent) => call<T>('DELETE', path, sent),
    later: (milliseconds: number) => { time = new Date(time.getTime() + milliseconds); },
    close: () => service.close(),
    handle: service.handle, faults: service.faults, clock: service.clock,
    service,
  };
};

export type TestService = Awaited<ReturnType<typeof testService>>;

const bodyHeaders = ({ json, form }: Sent): Record<string, string> =>
  json !== undefined ? { 'content-type': 'application/json' } : form ? { 'content-type': 'application/x-www-form-urlencoded' } : {};

const bodyOf = ({ json, form, body }: Sent): string | Uint8Array | undefined =>
  json !== undefined ? JSON.stringify(json) : form ? new URLSearchParams(form).toString() : body;

const read = ({ status, headers, body }: HttpResponse): Got => {
  const isJson = headers['content-type']?.startsWith('application/json');
  const text = typeof body === 'string' ? body : Buffer.from(body).toString(isJson ? 'utf8' : 'latin1');
  return { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
};
