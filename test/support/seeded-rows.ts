import type { Row } from '../../src/server/store/database.js';
import { openDatabase } from '../../src/server/store/open.js';
import type { World } from '../../src/server/world-file/schema.js';
import { seedDatabase } from '../../src/server/world-file/seed.js';
import { hexInOrder } from '../server/world-file/hex.js';

/** The time at which worlds are seeded here. */
export const seededAt = new Date('2024-06-01T12:00:00Z');

/** The rows that a query returns from a store with a world in it. */
export const rowsOf = async (world: World, sql: string): Promise<Row[]> => {
  const database = await openDatabase();
  await seedDatabase(database, world, { now: seededAt, hex: hexInOrder(), dialect: 'document' });
  const rows = await database.read((queries) => queries.all(sql));
  await database.close();
  return rows;
};
