/** What sends requests where no proxy stands between. */
export const ways = ['undici', 'node'] as const;
