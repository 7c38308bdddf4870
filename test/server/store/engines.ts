import { loadEngine, type EngineName } from '../../../src/server/store/sqlite/engine.js';

const hasNodeSqlite = await loadEngine('node:sqlite').then(() => true, () => false);

/** The engines that the running Node can have. */
export const engines: readonly EngineName[] = hasNodeSqlite ? ['libsql', 'node:sqlite'] : ['libsql'];
