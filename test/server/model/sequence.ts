import { openService, type OpenService, type ServerOptions } from '../../../src/server/index.js';
import type { HttpRequest, HttpResponse } from '../../../src/wire/http.js';
import { fault } from './judge.js';

/** How many answers there were, by status. */
export type Statuses = Map<number, number>;

const patience = 5_000;

/** The answer, or a rejection where it does not come in time. */
export const inTime = async <T>(answer: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => { timer = setTimeout(() => reject(new Error('no answer in time')), patience); });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
};

/** A service for one sequence: a clock that goes a second at each look, ids that count, and the first fault it told of. */
export const watched = async (options: ServerOptions): Promise<OpenService & { readonly told: () => unknown }> => {
  let time = Date.parse('2024-05-01T12:00:00Z');
  let count = 0;
  let told: unknown;
  const service = await openService({
    now: () => new Date(time += 1_000), hex: (length) => (++count).toString(16).padStart(length, '0'), externalUrl: 'http://service.test',
    onFault: (error) => { told ??= error; }, ...options,
  });
  return { ...service, told: () => told };
};

/**
 * Sends requests one after another and judges each answer.
 * @throws Error that names the first fault and its request
 */
export const judged = async (options: ServerOptions, requests: readonly HttpRequest[], statuses: Statuses): Promise<void> => {
  const service = await watched(options);
  try {
    for (const request of requests) {
      const response: HttpResponse = await inTime(service.handle(request));
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      const wrong = fault(request, response);
      const told = service.told();
      if (wrong !== null) throw new Error(`${wrong} ${told instanceof Error ? told.stack : ''}\n${JSON.stringify(shown(request))}`);
    }
  } finally {
    await service.close();
  }
};

const shown = ({ body = '', target, ...rest }: HttpRequest) =>
  ({ ...rest, target: target.slice(0, 2_000), body: Buffer.from(body as Uint8Array).toString('latin1').slice(0, 2_000) });
