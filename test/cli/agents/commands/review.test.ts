import { describe, expect, it } from 'vitest';
import { callOf, writeCommand } from '../../../../src/cli/agents/commands.js';
import type { Given } from '../../../../src/cli/agents/tools.js';
import type { DraftNote } from '../../../../src/contract/lookups/draft-notes.js';
import { demoWorld } from '../../../../src/server/index.js';
import { testApp } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';

type Place = Pick<Given<'write'>, 'thread' | 'file' | 'line'>;

const retried = demoWorld.projects![0]!.merge_requests![0]!;
const other = 'a b/src/delivery/send.ts';
const added = `diff --git a/${other} b/${other}\nnew file mode 100644\n--- /dev/null\n+++ b/${other}\n@@ -0,0 +1,13 @@\n${'+x\n'.repeat(13)}`;
/** The name of a user looks like the first line of a thread, and that of a file ends like another one. */
const world = {
  ...demoWorld,
  users: demoWorld.users!.map((user) => user.username === 'bob' ? { ...user, name: 'thread 1ce52a2d [open]' } : user),
  projects: [{ ...demoWorld.projects![0]!, merge_requests: [{ ...retried, diff: added + retried.diff! }] }],
};

const reviewer = async () => {
  const service = await testService({ world, dialect: 'live' });
  const { app } = await testApp({ service, env: { COLLOQUY_TOKEN: 'root-token' } });
  const write = (place: Place, body = 'Why?') =>
    callOf(app, [])(writeCommand({ action: 'review', ref: 'mr/12', body, ...place }), new AbortController().signal);
  const path = '/projects/acme%2Fapp/merge_requests/12/draft_notes';
  const drafts = async () => (await service.get<DraftNote[]>(path, { as: 'root' })).body;
  const clear = async () => { for (const { id } of await drafts()) await service.delete(`${path}/${id}`, { as: 'root' }); };
  return { write, drafts, clear };
};

const thread = '1ce52a2d5081ee5773ff923d61c47a22273c6210';
const file = 'src/delivery/send.ts';

describe('a comment of an agent in a review', () => {
  it('is at the place that the agent names', async () => {
    const { write, drafts, clear } = await reviewer();
    const reply = { discussion_id: thread };
    const on = (new_path: string, new_line: number, old_line: number | null) => ({ position: { new_path, new_line, old_line } });
    await everyRow<readonly [Place, object]>([
      [{ thread }, reply], [{ thread: '1ce5' }, reply], [{ thread: '307' }, reply], [{}, { discussion_id: null }],
      [{ file, line: 2 }, on(file, 2, null)], [{ file, line: 3 }, on(file, 3, null)], [{ file, line: 4 }, on(file, 4, 3)],
      [{ file, line: 13 }, on(file, 13, null)], [{ file: other, line: 13 }, on(other, 13, null)],
      [{ file: 'src/delivery/limits.ts', line: 6 }, on('src/delivery/limits.ts', 6, null)],
      [{ file }, { position: { position_type: 'file', new_path: file } }],
    ], ([place]) => JSON.stringify(place), async ([place, draft]) => {
      await clear();
      expect(await write(place)).toMatchObject({ code: 0, error: null });
      expect(await drafts()).toMatchObject([{ note: 'Why?', ...draft }]);
    });
  });

  it('is refused if the merge request does not have the place', async () => {
    const { write, drafts } = await reviewer();
    await everyRow<readonly [Place, string]>([
      [{ file, line: 20 }, `${file}:20 is not in the diff`], [{ file: 'none.ts', line: 1 }, 'none.ts is not in the diff'],
      [{ file: 'delivery/send.ts' }, 'delivery/send.ts is not in the diff'], [{ thread: '0000' }, 'mr/12 has no thread 0000'],
      [{ thread: '1ce52a2dffffffff' }, 'mr/12 has no thread 1ce52a2dffffffff'],
      [{ thread: '1ce52a2d'.padEnd(40, 'f') }, 'the service did not find the requested object: "Discussion Not Found"'],
    ], ([place]) => JSON.stringify(place), async ([place, message]) => {
      expect((await write(place)).error).toMatchObject({ message });
    });
    expect(await drafts()).toEqual([]);
  });

  it('says nothing to the page of an editor', async () => {
    const { write, drafts } = await reviewer();
    const body = '> a\n>\n> | range\n[resolve]\n\t[resolve] \nEnd';
    expect((await write({ thread }, body)).error).toBeNull();
    expect(await drafts()).toMatchObject([{ note: body, resolve_discussion: false }]);
  });
});
