import { expect, test } from 'vitest';
import { openService } from '../../../src/server/index.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { acme } from '../../support/worlds.js';
import { backToVersion1 } from './version-1.js';

const headers = { 'private-token': 'root-token', host: 'localhost', 'content-type': 'application/json' };
const issue = '/api/v4/projects/20/issues/1/discussions';
const lists = [issue, '/api/v4/projects/20/merge_requests/1/discussions', '/api/v4/projects/20/issues/1/notes', '/-/world'];

/** Stores did not know at first when a note updated its noteable. */
const withoutUpdates = (json: string): unknown =>
  JSON.parse(json, (key, value: unknown) => key === 'updated_at' ? undefined : value);

/** What a store of version 1 must come to, whatever runs below it. */
export const fromVersion1 = (name: string, newFile: () => string | Promise<string>): void =>
  test(`${name}: a store of version 1 gives the same responses, and accepts new notes`, async () => {
    const data = await newFile();
    const answers = async (change?: string) => {
      const service = await openService({ data, world: acme });
      const [early, ...others] = ['2001-01-01T00:00:00Z', null].map((created_at) => JSON.stringify({ body: change, created_at }));
      for (const body of change === undefined ? [] : [early!, ...others]) {
        const { status } = await service.handle({ method: 'POST', target: issue, headers, body: Buffer.from(body) });
        expect(status).toBe(201);
      }
      const bodies = [];
      for (const target of lists) bodies.push(String((await service.handle({ method: 'GET', target, headers })).body));
      await service.close();
      return bodies;
    };
    const before = await answers('from version 1');
    const database = await openDatabase({ file: data });
    await database.writeExclusively(backToVersion1);
    await database.close();
    expect((await answers()).map(withoutUpdates)).toEqual(before.map(withoutUpdates));
    const threads = JSON.parse((await answers('from version 2'))[0]!) as { notes: { body: string }[] }[];
    const bodies = threads.map(({ notes }) => notes[0]!.body);
    expect(bodies.slice(0, 2)).toEqual(['from version 1', 'from version 2']);
    expect(bodies.slice(-1)).toEqual(['from version 2']);
  });
