import type { Contract } from '../../../contract/operations.js';
import type { HandlersOf } from '../../api/context.js';
import { commitLookups } from './commits.js';
import { containerLookups } from './containers.js';
import { fileLookups } from './files.js';
import { issuableLookups } from './issuables.js';
import { mergeRequestLookups } from './merge-requests.js';
import { userLookups } from './users.js';

/** Objects are as visible as their discussions. */
export const lookupHandlers: HandlersOf<Contract['lookups']> = {
  ...userLookups, ...containerLookups, ...fileLookups, ...issuableLookups, ...mergeRequestLookups, ...commitLookups,
};
