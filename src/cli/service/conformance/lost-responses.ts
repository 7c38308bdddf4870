import { ConnectionError, ResponseError } from '../../../client/errors.js';
import type { Fact } from '../../../contract/behavior/fact.js';
import type { Probe } from '../../../conformance/check.js';
import { checkFact, type Examination, type FactResult } from '../../../conformance/run.js';

/** A response that cannot be read fails its fact; a service that is gone, as `/version` tells, ends the run. */
export const checkedIn = async (
  fact: Fact, examination: Examination, earlier: readonly FactResult[],
): Promise<FactResult> => {
  try {
    return await checkFact(fact, examination);
  } catch (error) {
    if (error instanceof ResponseError) return unread(fact, error, unreadable);
    if (!(error instanceof ConnectionError)) throw error;
    const reason = error.code.includes('TIMEOUT') ? late : unreadable;
    const mayBeGone = isThird([...earlier.map((one) => one.reason), reason]);
    if (mayBeGone && !await responds(examination.probe)) throw error;
    return unread(fact, error, reason);
  }
};

const unreadable = 'the response cannot be read';
const late = 'no response in time';

/** Each third fact in a row without a response, or in all that waited for one. */
const isThird = (reasons: readonly (string | null)[]): boolean => {
  const lost = reasons.length - 1 - reasons.findLastIndex((reason) => reason !== unreadable && reason !== late);
  const waited = reasons.filter((reason) => reason === late).length;
  return lost % 3 === 0 || reasons.at(-1) === late && waited % 3 === 0;
};

const responds = async ({ call }: Probe): Promise<boolean> => {
  try {
    return (await call('GET', '/version')).status < 502;
  } catch (error) {
    if (error instanceof ConnectionError) return false;
    throw error;
  }
};

/** Does not wait a fourth time for a path without a response. */
export const withoutSilent = (call: Probe['call']): Probe['call'] => {
  const silent = new Map<string, number>();
  return async (method, path, sent) => {
    const request = `${method} ${path}`;
    const waited = silent.get(request) ?? 0;
    if (waited >= 3 && sent?.isCleanUp !== true) {
      throw new ConnectionError('no response in time to three requests', request, 'TIMEOUT', true);
    }
    try {
      return await call(method, path, sent);
    } catch (error) {
      if (error instanceof ConnectionError && error.code.includes('TIMEOUT')) silent.set(request, waited + 1);
      throw error;
    }
  };
};

const unread = (
  { id, source }: Fact, { message, request }: ConnectionError | ResponseError, reason: string,
): FactResult => {
  const actual = message.replace(`${request}: `, () => '');
  return { id, result: 'fail', severity: 'error', request, expected: 'a response', actual, source, reason };
};
