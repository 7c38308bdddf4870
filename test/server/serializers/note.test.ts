import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { editionOf } from '../../../src/contract/behavior/fact.js';
import { noteableKinds } from '../../../src/contract/conventions.js';
import { demoWorld } from '../../../src/server/index.js';
import { fragmentFormat } from '../../../src/server/serializers/note.js';
import { openDatabase } from '../../../src/server/store/open.js';
import { testService } from '../../support/service.js';

const dialects = ['document', 'live'] as const;
const issue = '/projects/20/issues/1/discussions';

it.each(dialects)('a store of an older serializer shows notes as a new one does: %s', async (dialect) => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-notes-'));
  const file = join(folder, 'data.db');
  const first = await testService({ data: file, dialect });
  const { text } = await first.get(issue);
  await first.close();

  // Before serializers had versions, the dialect stood alone; this one did not know `resolvable`.
  const database = await openDatabase({ file });
  await database.write((queries) => queries.run(
    `UPDATE notes SET dialect = ?, fragment = replace(fragment, '"resolvable":', '"was":')`, dialect));
  await database.close();

  const second = await testService({ data: file, dialect });
  expect((await second.get(issue)).text).toBe(text);
  await second.close();
  rmSync(folder, { recursive: true });
});

/** `npm run reference` does not write this file: a change of it needs another version of the serializer. */
it('the JSON of notes has not changed since its version was raised', async () => {
  const paths = { issue: 'issues/7', snippet: 'snippets/5', epic: 'epics/500', merge_request: 'merge_requests/12', commit: '' };
  const shown: Record<string, unknown> = {};
  for (const dialect of dialects) {
    const { get, close } = await testService({ world: demoWorld, dialect, externalUrl: 'http://service.test' });
    for (const kind of noteableKinds.filter((one) => paths[one] !== '')) {
      const container = kind === 'epic' ? '/groups/acme' : '/projects/acme%2Fapp';
      const { body, status } = await get<{ notes: Record<string, unknown>[] }[]>(`${container}/${paths[kind]}/discussions`, { as: 'root' });
      expect(status, kind).toBe(200);
      const keys = body.flatMap(({ notes }) => notes.map((note) => Object.keys(note).join(' ')));
      shown[`${fragmentFormat(editionOf(dialect, null))}, ${kind}`] = [...new Set(keys)].sort();
    }
    await close();
  }
  const file = join(import.meta.dirname, 'note.json');
  if (process.env['COLLOQUY_GOLDEN'] === 'version') writeFileSync(file, `${JSON.stringify(shown, null, 2)}\n`);
  expect(shown).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});
