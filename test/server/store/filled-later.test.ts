import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../src/server/store/database.js';
import { fillLater } from '../../../src/server/store/filled-later.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { openService } from '../../../src/server/index.js';

vi.mock('../../../src/wire/time.js', async () => (await import('../../support/fakeable-timers.js')).fakeableTimers());

const opened = async (fill?: (database: Database) => Promise<unknown>) => {
  const database = await openDatabase();
  let fills = 0;
  const later = fillLater(database, () => {
    fills++;
    return fill ? fill(database) : database.write((queries) => queries.run(`INSERT INTO meta VALUES ('x', '1')`));
  });
  return { later, fills: () => fills };
};

const rows = `SELECT value FROM meta WHERE name = 'x'`;

const uses: Record<string, (database: Database) => Promise<unknown>> = {
  all: (database) => database.all(rows),
  read: (database) => database.read((queries) => queries.all(rows)),
  write: (database) => database.write((queries) => queries.all(rows)),
  writeExclusively: (database) => database.writeExclusively((queries) => queries.all(rows)),
};

describe('a database that is filled later', () => {
  beforeEach(() => { vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); });

  afterEach(() => { vi.useRealTimers(); });

  it.each(Object.entries(uses))('is filled before the first %s', async (_, use) => {
    const { later, fills } = await opened();
    expect(await use(later)).toEqual([{ value: '1' }]);
    expect(await use(later)).toEqual([{ value: '1' }]);
    expect(fills()).toBe(1);
    await later.close();
  });

  it('is filled before it is copied', async () => {
    const { later } = await opened();
    const copy = await later.copies!.save(1_000_000);
    await later.write((queries) => queries.run(`DELETE FROM meta WHERE name = 'x'`));
    await later.copies!.restore(copy!, () => undefined);
    expect(await later.all(rows)).toEqual([{ value: '1' }]);
    copy!.close();
    await later.close();
  });

  it('is filled once by uses at the same time', async () => {
    const { later, fills } = await opened();
    await Promise.all(Object.values(uses).map((use) => use(later)));
    expect(fills()).toBe(1);
    await later.close();
  });

  it('is filled without a use', async () => {
    const { later, fills } = await opened();
    expect(later.revision()).toBeNull();
    await vi.runAllTimersAsync();
    expect(fills()).toBe(1);
    await later.close();
  });

  it('fails every use with the error of filling', async () => {
    const { later, fills } = await opened(() => Promise.reject(new Error('no space')));
    await vi.runAllTimersAsync();
    for (const use of Object.values(uses)) await expect(use(later)).rejects.toThrow('no space');
    expect(fills()).toBe(1);
    await later.close();
  });

  it('is not filled after it was closed', async () => {
    const { later, fills } = await opened();
    await later.close();
    await vi.runAllTimersAsync();
    expect(fills()).toBe(0);
  });
});

describe('a service with the demo world', () => {
  it('has the same tokens and records before and after its store is filled', async () => {
    const [early, filled] = [await openService(), await openService()];
    const counts = await filled.counts();
    expect(early.tokens).toEqual(filled.tokens);
    expect(await early.counts()).toEqual(counts);
    for (const service of [early, filled]) {
      const { status } = await service.fetch(new Request('http://127.0.0.1/api/v4/user', {
        headers: { 'private-token': service.tokens['root']! },
      }));
      expect(status).toBe(200);
      await service.close();
    }
  });
});
