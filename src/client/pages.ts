/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly page: number;
  /** Null where the service does not say: past 10,000 rows, or where it sends no totals. */
  readonly total: number | null;
}

/** A paged list: iterate over its items, over its pages, or collect it. Nothing is asked for before that. */
export interface Pages<T> extends AsyncIterable<T> {
  /** The pages in order; the first is handed on before the second arrives. */
  pages(): AsyncIterable<Page<T>>;
  /** All items in one array. */
  all(): Promise<T[]>;
}
