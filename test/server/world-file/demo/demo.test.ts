import { expect, test } from 'vitest';
import { openDatabase } from '../../../../src/server/store/open.js';
import { demoWorld } from '../../../../src/server/world-file/demo/demo.js';
import type { SeedOptions } from '../../../../src/server/world-file/seed-context.js';
import { seedDatabase } from '../../../../src/server/world-file/seed.js';

const given: SeedOptions = {
  now: new Date('2024-06-01T00:00:00Z'), hex: () => { throw new Error('the demo names all its ids'); },
  dialect: 'document',
};

test('the demo world fills a store and names every id by itself', async () => {
  const database = await openDatabase();
  await seedDatabase(database, demoWorld, given);
  const count = (table: string) => database.read((queries) => queries.get(`SELECT count(*) AS rows FROM ${table}`));
  expect(await count('users')).toEqual({ rows: 4 });
  expect(await count('noteables')).toEqual({ rows: 14 });
  expect(await count('notes WHERE starts = 1')).toEqual({ rows: 19 });
  expect(await count('notes')).toEqual({ rows: 28 });
  expect(await count('uploads')).toEqual({ rows: 1 });
});

test('no description of a commit repeats its title, which the message already has', () => {
  const commits = demoWorld.projects!.flatMap((project) => project.commits ?? []);
  expect(commits.filter(({ title, description = '' }) => description.startsWith(title!))).toEqual([]);
});
