import { onTestFinished } from 'vitest';
import type { Database } from '../../src/server/store/database.js';
import { openDatabase } from '../../src/server/store/open.js';
import type { World } from '../../src/server/world-file/schema.js';
import { seedDatabase } from '../../src/server/world-file/seed.js';
import { hexInOrder } from '../server/world-file/hex.js';
import { newStore, onPostgres } from './stores.js';

/** An empty store for one test: in memory, or on PostgreSQL if the run uses it. */
export const emptyStore = async (): Promise<Database> => {
  const database = await openDatabase(onPostgres ? { file: await newStore() } : {});
  onTestFinished(() => database.close());
  return database;
};

/** The same with a world in it. */
export const storeWith = async (world: World): Promise<Database> => {
  const database = await emptyStore();
  await seedDatabase(database, world, { now: new Date('2024-06-01T12:00:00Z'), hex: hexInOrder(), dialect: 'document' });
  return database;
};
