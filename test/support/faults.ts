import type { FaultRule, ServerOptions } from '../../src/server/index.js';
import { testService, type Sent } from './service.js';

export const issue = '/projects/20/issues/1/discussions';
export const note = { json: { body: 'needle' } } satisfies Sent;

/** A service with one fault rule. */
export const under = (rule: string | FaultRule, options: ServerOptions = {}) => testService({ faults: [rule], ...options });

/** Whether the note was stored. Removes the faults. */
export const isStored = async ({ get, faults }: Awaited<ReturnType<typeof under>>): Promise<boolean> => {
  await faults([]);
  return (await get(issue)).text.includes('needle');
};

/** Statuses of requests under one rule. */
export const statusesUnder = async (
  rule: string | FaultRule, requests: readonly (readonly [method: string, path: string, sent?: Sent])[],
) => {
  const { call, faults } = await testService({ faults: [rule] });
  const statuses: number[] = [];
  for (const [method, path, sent] of requests) statuses.push((await call(method, path, sent)).status);
  return { statuses, hits: (await faults()).rules[0]!.hits };
};
