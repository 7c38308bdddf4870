import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the test run's PostgreSQL; undefined where tests run on SQLite. */
    postgres: string | undefined;
  }
}

/** One PostgreSQL for all tests of a run that need one. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const postgres = await startPostgres();
  project.provide('postgres', postgres.socket);
  return postgres.remove;
};
