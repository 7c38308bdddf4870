import type { Handler } from '../../../wire/http.js';

/** What stands before the API and the other paths of a world, apart from its control plane, and may respond itself. */
export interface Front {
  readonly around: (inner: Handler) => Handler;
  /** With the world. */
  readonly reset: () => void;
}

export interface FrontSurroundings {
  /** Of the world, without a trailing slash. */
  readonly address: () => string;
  readonly now: () => Date;
  /** In milliseconds from any start. */
  readonly timer: () => number;
}

/** For each world. */
export type CreateFront = (surroundings: FrontSurroundings) => Front;
