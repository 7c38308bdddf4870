import type { Call, PageOf } from '../call.js';
import type { Json } from '../json.js';

/** The page that is asked for, of a list that is at hand as a whole. */
export const pageOf = <T>({ page: { offset, limit } }: Call, all: readonly Json<T>[]): PageOf<T> =>
  ({ items: all.slice(offset, offset + limit), rows: all.length });
