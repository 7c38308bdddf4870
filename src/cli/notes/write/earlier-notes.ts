import { ApiError } from '../../../client/errors.js';
import type { MarkedNotes } from '../../../client/exactly-once/known-notes.js';
import { isUnknownRoute } from '../../../wire/error-response.js';
import { usage } from '../../command-line/failure.js';
import type { Target } from '../../service/targets/target.js';

/** @throws Problem if the service does not report the user of the token: then any note could be somebody else's */
export const earlierNotes = async (
  target: Target, what: string, authors?: readonly string[],
): Promise<MarkedNotes> => {
  try {
    return await target.client.markedNotes(target, authors);
  } catch (error) {
    if (!(error instanceof ApiError && isUnknownRoute(error.status, error.body) && / \S+\/user$/.test(error.request))) {
      throw error;
    }
    throw usage(`cannot find the earlier ${what} on ${target.name}: the service does not report the user of the token`,
      'use a service with GET /user');
  }
};
