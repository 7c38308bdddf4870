import type { Contract } from '../../../contract/operations.js';
import type { HandlersOf } from '../../api/context.js';
import { approve, unapprove } from './approvals.js';
import { modifyMergeRequest } from './modify.js';

export const mergeRequestHandlers: HandlersOf<Contract['mergeRequests']> = {
  modify: modifyMergeRequest, approve, unapprove,
};
