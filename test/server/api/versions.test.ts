import { describe, expect, it } from 'vitest';
import { createVersions } from '../../../src/server/api/cache.js';
import { gated } from '../../support/gated-store.js';

describe('versions of noteables', () => {
  it('are batched for all callers that arrive during a query', async () => {
    const { through, waiting, database } = await gated();
    const versions = createVersions(database);
    const first = versions(1);
    await through();
    const others = [versions(1), versions(2), versions(3), versions(99), versions(2)];
    expect((await first)?.version).toBe(1);
    await through();
    expect((await Promise.all(others)).map((row) => row?.noteable)).toEqual([1, 2, 3, undefined, 2]);
    expect(waiting).toEqual([]);
    await database.close();
  });

  it('are never those of a question that was on its way before', async () => {
    const { through, raise, asked, database } = await gated();
    const versions = createVersions(database);
    const first = versions(1);
    await asked();
    const second = versions(1);
    await through();
    expect((await first)?.version).toBe(1);
    await raise(1);
    await through();
    expect((await second)?.version).toBe(2);
    await database.close();
  });

  it('can be read again after a failed query', async () => {
    const { through, fail, database } = await gated();
    const versions = createVersions(database);
    fail(true);
    const first = versions(1);
    await through();
    await expect(first).rejects.toThrow('no');
    fail(false);
    const second = versions(1);
    await through();
    expect((await second)?.version).toBe(1);
    await database.close();
  });
});
