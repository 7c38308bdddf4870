import type { Contract } from '../../../contract/operations.js';
import type { HandlersOf } from '../../api/context.js';
import { listChildren } from './children.js';
import { assignChild, createChild, unassignChild } from './links.js';
import { reorderChild } from './order.js';

export const epicHandlers: HandlersOf<Contract['epics']> = {
  list: listChildren,
  create: createChild,
  assign: assignChild,
  reorder: reorderChild,
  unassign: unassignChild,
};
