import type { Contract } from '../../contract/contract.js';
import type { BehavioursOf } from '../call.js';
import { assignChild } from './assign.js';
import { createChild } from './create.js';
import { listChildren } from './list.js';
import { reorderChild } from './reorder.js';
import { unassignChild } from './unassign.js';

/** What the server does for interface.md's epic links. */
export const epicBehaviours: BehavioursOf<Contract['epics']> = {
  list: listChildren,
  create: createChild,
  assign: assignChild,
  reorder: reorderChild,
  unassign: unassignChild,
};
