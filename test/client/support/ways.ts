/** The HTTP implementations of the client. */
export const ways = ['undici', 'node'] as const;
