import { apiPrefix } from '../../../src/contract/conventions.js';
import type { HttpRequest } from '../../../src/wire/http.js';
import type { Service } from '../../../src/server/http/handler.js';
import { fault } from './judge.js';
import { inTime, type Statuses } from './sequence.js';

/** Asks as somebody and gives status and value; what is wrong with any answer ends the run. */
export type Call = <T = unknown>(as: string, method: string, path: string, json?: unknown) => Promise<{ readonly status: number; readonly body: T }>;

export const caller = (service: Service, statuses: Statuses): Call => async <T>(as: string, method: string, path: string, json?: unknown) => {
  const request: HttpRequest = {
    method, target: path.startsWith('/-/') ? path : apiPrefix + path,
    headers: { 'private-token': `${as}-token`, 'content-type': 'application/json' }, ...(json !== undefined && { body: JSON.stringify(json) }),
  };
  const { body, ...response } = await inTime(service.handle(request));
  statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
  const wrong = fault(request, { ...response, body });
  if (wrong !== null) throw new Error(`${wrong}\n${JSON.stringify(request)}`);
  const text = Buffer.from(body as Uint8Array).toString();
  return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
};

/** @throws Error where what is there is not what the model says */
export const expected = (there: unknown, wanted: unknown, where: unknown): void => {
  const [a, b] = [JSON.stringify(there), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${JSON.stringify(where)}\n  the service has ${a}\n  the model has   ${b}`);
};
