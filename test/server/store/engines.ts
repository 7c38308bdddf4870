import { nodeSqlite } from '../../../src/server/store/sqlite/node-sqlite.js';
import type { EngineName } from '../../../src/server/store/sqlite/engine.js';

/** The engines that the running Node can have. */
export const engines: readonly EngineName[] = nodeSqlite() === undefined ? ['libsql'] : ['libsql', 'node:sqlite'];
