/**
 * The time to open a service in the same process, send one request and close it, in milliseconds. Compared with SQLite
 * in memory with the same tables.
 */
import Database from 'libsql';
import { openService } from '../dist/lib/server/index.js';
import { loadTypeScript } from '../scripts/load-typescript.mjs';
import { interleaved, report } from './rounds.mjs';

const { tables } = await loadTypeScript('src/server/store/schema.ts');
const { sqliteTypes } = await loadTypeScript('src/server/store/sqlite/engine.ts');
const script = tables(sqliteTypes).join(';\n');
const opened = async (world, token) => {
  const service = await openService(world && { world });
  const { status } = await service.handle({
    method: 'GET', target: '/api/v4/user', headers: { 'private-token': token },
  });
  if (status !== 200) throw new Error(`answered ${status}`);
  await service.close();
};

report('A service opened in this process, one request, closed', await interleaved({
  'libsql, the tables alone': async () => {
    const database = new Database(':memory:');
    database.exec(script);
    database.close();
  },
  'colloquy, one user': () => opened({ users: [{ username: 'kim', token: 'kim-token' }] }, 'kim-token'),
  'colloquy, the demo world': () => opened(undefined, 'root-token'),
}, 201));
