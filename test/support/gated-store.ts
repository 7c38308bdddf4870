import { touchNoteable } from '../../src/server/repositories/notes.js';
import type { Database } from '../../src/server/store/database.js';
import { openDatabase } from '../../src/server/store/open.js';
import { seedDatabase } from '../../src/server/world-file/seed.js';
import { start } from './service.js';
import { newStore } from './stores.js';
import { acme } from './worlds.js';

/** A store with the world `acme` whose queries wait until the test releases them one by one. */
export const gated = async () => {
  const database = await openDatabase({ file: await newStore() });
  await seedDatabase(database, acme, { now: new Date(start), hex: (length) => '0'.repeat(length), dialect: 'document' });
  const waiting: (() => void)[] = [];
  let failing = false;
  const all: Database['all'] = async (sql, ...values) => {
    await new Promise<void>((resolve) => { waiting.push(resolve); });
    if (failing) throw new Error('no');
    return database.all(sql, ...values);
  };
  const asked = async () => { while (waiting.length === 0) await new Promise((resolve) => { setImmediate(resolve); }); };
  return {
    database: { ...database, all },
    waiting,
    /** Resolves when a query waits. */
    asked,
    through: async () => { await asked(); waiting.shift()!(); },
    fail: (on: boolean) => { failing = on; },
    raise: (id: number) => database.write((queries) => touchNoteable(queries, id)),
  };
};
