/**
 * What the server says it is: the era that interface.md describes, all it mentions included (13.7). Clients read three
 * numbers and take the ending for an edition that has epics.
 */
export const serviceVersion = '13.12.0-ee';

/** Where a live service has the start of a commit SHA: here it tells that this is none. */
export const serviceRevision = 'colloquy';
