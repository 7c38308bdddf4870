import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** `all` in `npm run test:all`, otherwise `quick`. */
    extent: 'all' | 'quick';
  }
}

/** Whether matrices are whole and properties run long: in `npm run test:all` alone. */
export const isAll = inject('extent') === 'all';

/** How often a property is tried: as often as given in `npm run test:all`, a tenth of it in `npm test`. */
export const runsOf = (all: number): number => isAll ? all : Math.max(5, Math.ceil(all / 10));

/** All rows in `npm run test:all`; in `npm test` every so many of them, from the first. */
export const sampleOf = <Row>(rows: readonly Row[], every: number): readonly Row[] =>
  isAll ? rows : rows.filter((_, i) => i % every === 0);
