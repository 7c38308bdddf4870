import { describe, expect, it } from 'vitest';
import { importThreads } from '../../../../../src/cli/notes/import/import-threads.js';
import { findImportedNotes } from '../../../../../src/cli/notes/import/plan.js';
import type { Discussion } from '../../../../../src/contract/shapes/note.js';
import { withMarker } from '../../../../../src/wire/note-text.js';
import { testService } from '../../../../support/service.js';
import { openTarget } from '../../../../support/targets.js';
import { written } from '../../../../support/written.js';

const discussions = '/projects/20/merge_requests/2/discussions';

const opened = async () => {
  const service = await testService();
  const start = async (text: string, source: string | null, as = 'developer') => (await service.post<Discussion>(discussions, {
    as, json: { body: source === null ? text : withMarker(text, { source }) } })).body;
  return {
    service, start, target: async () => (await openTarget('!2', { service })).target,
    reply: (id: string, body: string, as = 'developer') => service.post(`${discussions}/${id}/notes`, { as, json: { body } }),
    /** What an import without threads prints: it deletes copies first. */
    clean: async () => {
      const { app, target } = await openTarget('!2', { service });
      const { app: program, texts } = written(app);
      await importThreads(program, {}, target, [], false);
      return texts.err;
    },
    left: async () => (await service.get<Discussion[]>(`${discussions}?per_page=100`)).body.map(({ id }) => id),
  };
};

describe('the notes of earlier imports', () => {
  it('are those of the token\'s user whose marker has a source', async () => {
    const { start, target, reply } = await opened();
    const { id } = await start('One.', 'a/1');
    await reply(id, withMarker('Two.', { source: 'a/2' }));
    await start('Of another user.', 'b/1', 'guest');
    await start('Without a source.', null);
    expect([...(await findImportedNotes(await target())).keys()].toSorted()).toEqual(['a/1', 'a/2']);
  });
});

describe('copies of an imported note', () => {
  it('are deleted except the first', async () => {
    const { start, clean, left } = await opened();
    const [first] = [await start('One.', 'a/1'), await start('One.', 'a/1'), await start('One.', 'a/1')];
    expect([await clean(), await left()]).toEqual(['', [first.id]]);
  });

  it('are deleted except the one in the longest thread, because copies have no replies', async () => {
    const { start, reply, clean, left } = await opened();
    const [, second] = [await start('One.', 'a/1'), await start('One.', 'a/1')];
    await reply(second.id, withMarker('Two.', { source: 'a/2' }));
    await clean();
    expect(await left()).toEqual([second.id]);
  });

  it('stay where a person answered them', async () => {
    const { start, reply, clean, left } = await opened();
    const [first, second] = [await start('One.', 'a/1'), await start('One.', 'a/1')];
    await reply(first.id, 'Why?', 'guest');
    await reply(second.id, 'Why?', 'guest');
    await clean();
    expect(await left()).toEqual([first.id, second.id]);
  });

  it('stay where a person changed their text, and are named', async () => {
    const { service, start, clean, left } = await opened();
    const [first, second] = [await start('One.', 'a/1'), await start('One.', 'a/1')];
    const { id, body } = second.notes[0]!;
    await service.put(`/projects/20/merge_requests/2/notes/${id}`, { json: { body: body.replace('One.', 'Mine.') } });
    expect([await clean(), await left()]).toEqual([
      `left note ${id} of mr/2: it is a copy of an imported note, but has another text\n`, [first.id, second.id]]);
  });

  it('of different notes stay', async () => {
    const { start, clean, left } = await opened();
    const ids = [(await start('One.', 'a/1')).id, (await start('One.', 'a/2')).id, (await start('One.', null)).id];
    await clean();
    expect(await left()).toEqual(ids);
  });
});
