/** The default project and group of the demo world. */
export const demo = { project: 'acme/app', group: 'acme' } as const;
