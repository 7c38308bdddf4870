import { ConnectionError, ResponseError } from '../../../client/errors.js';
import type { Fact } from '../../../contract/behavior/fact.js';
import { checkFact, type Examination, type FactResult } from '../../../conformance/run.js';

/** A response that cannot be read fails its fact; a service that is gone ends the run. */
export const checkedIn = async (
  fact: Fact, examination: Examination, earlier: readonly FactResult[],
): Promise<FactResult> => {
  try {
    return await checkFact(fact, examination);
  } catch (error) {
    if (error instanceof ResponseError) return unread(fact, error, unreadable);
    if (!(error instanceof ConnectionError)) throw error;
    const reason = error.code.includes('TIMEOUT') ? late : unreadable;
    if (isGone([...earlier.map((one) => one.reason), reason])) throw error;
    return unread(fact, error, reason);
  }
};

const unreadable = 'the response cannot be read';
const late = 'no response in time';

/** Three facts in a row without a response, or three in all that waited for one. */
const isGone = (reasons: readonly (string | null)[]): boolean => {
  const last = reasons.slice(-3);
  const isSilent = last.length === 3 && last.every((reason) => reason === unreadable || reason === late);
  return isSilent || reasons.at(-1) === late && reasons.filter((reason) => reason === late).length > 2;
};

const unread = (
  { id, source }: Fact, { message, request }: ConnectionError | ResponseError, reason: string,
): FactResult => {
  const actual = message.replace(`${request}: `, () => '');
  return { id, result: 'fail', severity: 'error', request, expected: 'a response', actual, source, reason };
};
