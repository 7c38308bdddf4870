import type { TestProject } from 'vitest/node';
import { startPostgres, type Postgres } from './postgres.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The URLs of the test run's PostgreSQL; undefined if tests run on SQLite. */
    postgres: Pick<Postgres, 'url' | 'socket'> | undefined;
  }
}

/** One PostgreSQL for all tests of a run that need one. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const postgres = await startPostgres();
  project.provide('postgres', { url: postgres.url, socket: postgres.socket });
  return postgres.remove;
};
