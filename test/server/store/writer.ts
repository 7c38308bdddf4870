import { writeSync } from 'node:fs';
import { openDatabase } from '../../../src/server/store/open.js';
import type { EngineName } from '../../../src/server/store/sqlite/engine.js';

/** A process that adds `count` notes to the store in `file`, one unit each, and prints each note's id once it is kept. */
const [engine, file, body, count] = process.argv.slice(2) as [EngineName, string, string, string];

// Another writer may stand still for seconds while it holds the lock.
const database = await openDatabase({ engine, file, lockTimeout: 60_000 });
for (let i = 0; i < Number(count); i++) {
  const note = await database.write((queries) => queries.insert(
    `INSERT INTO notes (noteable, discussion_id, body, author_id, created_at, updated_at, system)
     VALUES (1, 'a', ?, 1, 'c', 'd', 0)`, `${body} ${i}`));
  writeSync(1, `${note}\n`);
}
await database.close();
