import type { Checks } from '../check.js';
import { accessChecks } from './access.js';
import { appearanceChecks } from './appearance.js';
import { paginationChecks } from './pagination.js';
import { requestChecks } from './requests.js';
import { threadChecks } from './threads.js';

export const checks: Checks = {
  ...requestChecks, ...accessChecks, ...paginationChecks, ...threadChecks, ...appearanceChecks,
};
