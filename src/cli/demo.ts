/** What is meant in the demo world where nothing is named. */
export const demo = { project: 'acme/app', group: 'acme' } as const;
