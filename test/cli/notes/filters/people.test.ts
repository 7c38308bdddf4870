import { expect, it } from 'vitest';
import { filterNames, needsOwner } from '../../../../src/cli/notes/filters/people.js';
import type { World } from '../../../../src/server/world-file/schema.js';
import { ranIn } from '../../../support/app.js';
import { testService } from '../../../support/service.js';
import { acme, refs } from '../../../support/worlds.js';

const world: World = { ...acme, projects: [{ id: 20, path: 'acme/app', visibility: 'private', merge_requests: [{
  id: 50, iid: 1, title: 'Change', author: 'developer', base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, discussions: [
    { id: '1'.repeat(40), notes: [{ id: 1, author: 'guest', body: 'Why so, `@reporter`?' }, { id: 2, author: 'developer', body: 'Because.' }] },
    { id: '2'.repeat(40), notes: [{ id: 3, author: 'guest', body: 'Right?' }, { id: 4, author: 'root', body: 'closed', system: true }] },
    { id: '3'.repeat(40), notes: [{ id: 5, author: 'reporter', body: '@guest?' }] },
  ],
}] }] };
const service = await testService({ world });

it('--waiting keeps the threads where somebody answered', async () => {
  const { out } = await ranIn({ service, env: { COLLOQUY_TOKEN: 'guest-token' } }, 'discussions', 'list', '!1', '--waiting', '-q', '.[].id[:1]');
  expect(out).toBe('1\n');
});

it.each([
  [['--participant', 'ada'], 'no note is by "ada": check the spelling of --participant\n'],
  [['--mentions', 'Ada', '--mentions', 'guest'], 'no note mentions "ada": check the spelling of --mentions\n'],
  [['--author', '@ada'], 'no note is by "ada": check the spelling of --author\n'],
  [['--participant', 'guest', '--type', 'diff'], ''],
])('a name that no thread has is named: %j', async (flags, message) => {
  for (const noun of ['discussions', 'notes']) expect(await ranIn({ service }, noun, 'list', '!1', ...flags)).toMatchObject({ code: 0, err: message });
});

it('a name in code is not a mention', async () => {
  expect(await ranIn({ service }, 'notes', 'list', '!1', '--mentions', 'reporter')).toMatchObject({ code: 0, out: '' });
});

it('only `me` and what is mine need the owner of the token', () => {
  expect([{ author: ['Me'] }, { mentions: ['@me'] }, { participant: ['a', 'me'] }, { mine: true }, { waiting: true }].map(needsOwner))
    .toEqual([true, true, true, true, true]);
  expect(needsOwner({ author: ['ada'], mentions: ['memory'] })).toBe(false);
  expect(filterNames({ author: ['me', '@Ada'], mentions: ['bob'] }, () => new Set()).map(({ flag, name }) => [flag, name]))
    .toEqual([['--author', 'ada'], ['--mentions', 'bob']]);
});
