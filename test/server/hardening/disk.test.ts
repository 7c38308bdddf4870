import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../src/contract/shapes/note.js';
import { openService } from '../../../src/server/index.js';
import { createService } from '../../../src/server/service.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { seedTables } from '../../../src/server/world-file/fill.js';
import { canMount, ownDisk, ownFolder } from '../../support/disks.js';
import { acme } from '../../support/worlds.js';
import { childServers } from './child-server.js';
import { createClock } from '../../../src/server/clock.js';
import { createRandom } from '../../../src/server/random.js';

const path = '/api/v4/projects/20/issues/1/discussions';
const token = { 'private-token': 'developer-token' };
const serve = childServers();

/** A place with little room, and how to make more; `limit` is for the files of the process. */
interface Room { readonly name: string; readonly open: () => { readonly folder: string; readonly limit: string; readonly free?: () => void } }

const limited: Room = { name: 'files may not grow', open: () => ({ folder: ownFolder(), limit: 'ulimit -f 600;' }) };

/** A disk of its own, where the system lets one be made. */
const small: Room = {
  name: 'the disk is full',
  open: () => {
    const folder = ownDisk('2m');
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(1_000_000));
    return { folder, limit: '', free: () => rmSync(join(folder, 'ballast')) };
  },
};

const rooms = canMount() ? [limited, small] : [limited];

const post = async (url: string, body: string) => {
  const response = await fetch(url + path, { method: 'POST', headers: { ...token, 'content-type': 'application/json' }, body: JSON.stringify({ body }) });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

const idsAt = async (ask: (target: string) => Promise<string>): Promise<string[]> => {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const threads = JSON.parse(await ask(`${path}?per_page=100&page=${page}`)) as Discussion[];
    if (threads.length === 0) return ids.sort();
    ids.push(...threads.map(({ id }) => id));
  }
};

describe.each(rooms)('where $name', ({ open }) => {
  it('a change is rejected as a whole, everything else works, and nothing acknowledged is lost', async () => {
    const { folder, limit, free } = open();
    const file = join(folder, 'store.db');
    const { url } = await serve(limit, file);
    const ask = async (target: string) => (await fetch(url + target, { headers: token })).text();
    const kept = await idsAt(ask);
    const text = 'x'.repeat(20_000);
    let refused = await post(url, text);
    for (; refused.status === 201; refused = await post(url, text)) kept.push((JSON.parse(refused.text) as Discussion).id);
    expect(refused).toMatchObject({ status: 503, type: 'application/json' });
    expect(refused.text).toMatch(/^{"message":"503 Service Unavailable - .+; nothing was stored"}$/);
    for (let i = 0; i < 5; i++) expect((await post(url, text)).status).toBe(503);
    expect((await fetch(`${url}/-/health`)).status).toBe(200);
    expect(await idsAt(ask)).toEqual(kept.sort());
    if (free) {
      free();
      const again = await post(url, text);
      expect(again.status).toBe(201);
      kept.push((JSON.parse(again.text) as Discussion).id);
    }
    const other = await openService({ data: file });
    const stored = await idsAt(async (target) => {
      const { body } = await other.handle({ method: 'GET', target, headers: token });
      return Buffer.from(body as Uint8Array).toString();
    });
    await other.close();
    expect(stored).toEqual(kept.sort());
  });
});

describe('a store that rejects changes', () => {
  it.each(['attempt to write a readonly database', 'database or disk is full', 'disk I/O error', 'database disk image is malformed'])(
    'leaves all reading as it was: %s', async (reason) => {
      const database = await openDatabase();
      const told: unknown[] = [];
      const surroundings = {
        dialect: 'document' as const, now: () => new Date(0), sleep: async () => undefined, hex: (length: number) => 'a'.repeat(length) };
      await database.write((queries) => seedTables(queries, acme, surroundings));
      const { handle } = createService({
        ...surroundings, clock: createClock(surroundings.now), random: createRandom(undefined, surroundings.hex),
        world: acme, version: '0', address: () => '', onFault: (error) => { told.push((error as Error).message); },
        database: { ...database, write: async () => { throw new Error(reason); } },
      });
      const call = (method: string) => handle({
        method, target: path, headers: { ...token, 'content-type': 'application/json' }, ...(method === 'POST' && { body: '{"body":"x"}' }),
      });
      const before = (await call('GET')).body;
      expect(await call('POST')).toMatchObject({ status: 500, body: '{"message":"500 Internal Server Error"}' });
      expect(told).toEqual([reason]);
      expect((await call('GET')).body).toEqual(before);
      await database.close();
    });
});
