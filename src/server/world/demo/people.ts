import type { WorldUser } from '../shape.js';

/** An administrator, two who work together, and one who belongs nowhere. */
export const people: readonly WorldUser[] = [
  { id: 1, username: 'root', name: 'Administrator', admin: true, token: 'root-token' },
  { id: 2, username: 'ada', name: 'Ada', token: 'ada-token' },
  { id: 3, username: 'bob', name: 'Bob', token: 'bob-token' },
  { id: 4, username: 'eve', name: 'Eve', token: 'eve-token' },
];
