import { expect, it } from 'vitest';
import type { DiffVersion } from '../../../../src/contract/lookups/shapes.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { mergeRequest, on, pushService, pushWorld } from '../../../support/pushes.js';

const world = {
  ...pushWorld,
  users: [...pushWorld.users!, { username: 'reporter', token: 'reporter-token' }, { username: 'outsider', token: 'outsider-token' }],
  projects: [{ ...pushWorld.projects![0]!, members: { developer: 'developer', reporter: 'reporter' } as const }],
};
const unknown = 'Suggestion is not applicable as the suggestion was not found.';

it('a suggestion is unknown to those who do not see it, and forbidden to those who cannot push', async () => {
  const service = await pushService(world);
  const comment = { body: '```suggestion\nzwei\n```', position: { ...on, new_line: 2 } };
  const [note] = (await service.post<Discussion>(`${mergeRequest}/discussions`, { json: comment })).body.notes;
  const id = note!.suggestions![0]!.id;
  const apply = async (wanted: number, as = 'developer') => {
    const { status, body } = await service.put<{ message: string }>(`/suggestions/${wanted}/apply`, { as, json: {} });
    return [status, body.message];
  };
  for (const wrong of [id + 1, 0, -1, 2 ** 52]) expect(await apply(wrong)).toEqual([404, unknown]);
  expect(await apply(id, 'outsider')).toEqual([404, unknown]);
  expect(await apply(id, 'reporter')).toEqual([403, '403 Forbidden']);
  expect((await service.get<DiffVersion[]>(`${mergeRequest}/versions`)).body).toHaveLength(1);
  await service.close();
});
