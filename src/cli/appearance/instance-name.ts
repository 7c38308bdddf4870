import type { AppearanceService } from './live.js';

/** In questions and results: one user may have several instances. */
export const instanceName = ({ url }: Pick<AppearanceService, 'url'>): string => url ?? 'the sandbox';
