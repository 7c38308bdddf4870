import { expect } from 'vitest';
import { inPool } from './pool.js';

/**
 * Checks each row, and fails with every row that failed, each with its name and the reason. A list without rows fails,
 * too. Rows are checked one after another unless `atOnce` says how many may run at the same time.
 */
export const everyRow = async <Row>(
  rows: Iterable<Row>, nameOf: (row: Row) => string, check: (row: Row) => unknown, { atOnce = 1 } = {},
): Promise<void> => {
  const failed: string[] = [];
  const jobs = [...rows].map((row) => async () => {
    try {
      await check(row);
    } catch (error) {
      failed.push(`${nameOf(row)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  await inPool(jobs, atOnce);
  expect(jobs.length, 'rows').toBeGreaterThan(0);
  expect(failed, `${failed.length} of ${jobs.length} rows failed\n\n${failed.join('\n\n')}\n`).toEqual([]);
};
