import { elapsed } from './time.js';

/** How many pages of a list are on the way at once. */
export interface Pace {
  readonly atOnce: () => number;
  /** Waits for a page; how long that takes decides how many are to be on the way from then on. */
  readonly waitFor: <P>(page: Promise<P>) => Promise<P>;
}

/** Of a service at hand pages are there before they can be handled: more than a few would only lie about. */
const few = 8;

/** A page that takes longer to come, in milliseconds, comes from afar. The first one finds a connection first. */
const soon = { first: 20, later: 10 };

/** So much less for each page that is there in time: a single wait says little. */
const fall = 0.25;

/** As many pages as the window allows where one has to be waited for, else a few. */
export const paceWithin = (window: number): Pace => {
  const least = Math.min(few, window);
  let atOnce = least;
  let longest = soon.first;
  return {
    atOnce: () => atOnce,
    waitFor: async (page) => {
      const start = elapsed();
      const arrived = await page;
      atOnce = elapsed() - start > longest ? window : Math.max(atOnce - fall, least);
      longest = soon.later;
      return arrived;
    },
  };
};
