import {
  ApiError, ConnectionError, MarkerLostError, MovedProjectError, ResponseError,
} from '../../../client/errors.js';
import { DryRun } from './dry-run.js';
import { Problem } from '../../command-line/failure.js';

/** Whether every other change would fail too. A connection that breaks may be due to the text of one note. */
export const isFinal = (error: Error): boolean => {
  if (error instanceof MarkerLostError || error instanceof MovedProjectError) return true;
  if (error instanceof ApiError) return error.status === 401 || error.status === 429;
  if (error instanceof ConnectionError) return !error.sent;
  return !(error instanceof ResponseError || error instanceof Problem || error instanceof DryRun);
};
