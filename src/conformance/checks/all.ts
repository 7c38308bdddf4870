import type { Checks } from '../check.js';
import { accessChecks } from './access.js';
import { appearanceChecks } from './appearance.js';
import { changeChecks } from './changes.js';
import { draftChecks } from './drafts.js';
import { epicLinkChecks } from './epic-links.js';
import { epicChecks } from './epics.js';
import { lookupChecks } from './lookups.js';
import { noteChecks } from './notes.js';
import { paginationChecks } from './pagination.js';
import { positionChecks } from './positions.js';
import { replyChecks } from './replies.js';
import { requestChecks } from './requests.js';
import { resolvingChecks } from './resolving.js';
import { sudoChecks } from './sudo.js';
import { threadChecks } from './threads.js';

export const checks: Checks = {
  ...requestChecks, ...accessChecks, ...sudoChecks, ...paginationChecks, ...threadChecks, ...noteChecks,
  ...replyChecks, ...resolvingChecks, ...positionChecks, ...draftChecks, ...appearanceChecks, ...epicChecks,
  ...epicLinkChecks, ...lookupChecks, ...changeChecks,
};
