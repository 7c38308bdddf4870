import { describe, expect, it } from 'vitest';
import type { PostResult } from '../../../../src/cli/notes/findings/result.js';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { sampleOf } from '../../../support/extent.js';
import { everyRow } from '../../../support/rows.js';
import { testService, type TestService } from '../../../support/service.js';

const base = '/projects/20/merge_requests/1';
const sources = { '/app/app.js': 'one\nzwei\nthree\nfour\n', '/app/new.txt': 'first\ninserted\nlast\n' };

/** The job of a bot, on the merge request of `developer`, whose gate fails for each finding. */
const gateOn = (service: TestService, options: WorldOptions = {}) =>
  async (lines: readonly string[], ...words: readonly string[]) => {
    const { run } = await testApp({
      service, workTree: '/app', ...options, files: { ...sources, report: lines.map((line) => `${line}\n`).join('') },
      env: { COLLOQUY_TOKEN: 'maintainer-token', ...options.env },
    });
    const ran = await run('notes', 'post', 'mr/1', '--from', 'lines', '--key', 'lint', '--allow-empty', '--fail-level', 'note', 'report', '--json', ...words);
    const result = (ran.out === '' ? null : JSON.parse(ran.out)) as PostResult;
    const counts = Object.fromEntries(Object.entries(result ?? {}).map(([name, list]: [string, number | readonly unknown[]]) =>
      [name, typeof list === 'number' ? list : list.length]).filter(([, count]) => count !== 0));
    return { ...ran, result, counts };
  };

const resolve = (service: TestService, id: string, as: string, resolved = true) =>
  service.put(`${base}/discussions/${id}`, { as, json: { resolved } });
const reply = (service: TestService, id: string, as: string, body = 'thanks!') =>
  service.post<Note>(`${base}/discussions/${id}/notes`, { as, json: { body } });
const threadOn = async (service: TestService, id: string) => (await service.get<Discussion>(`${base}/discussions/${id}`)).body;

const finding = 'app.js:2:1: error: no zwei [r1]';
const created = ({ result }: { result: PostResult }) => result.created[0]!.discussion_id!;

describe('a finding that returns after the bot resolved its thread', () => {
  it('reopens the thread that somebody answered, whoever it was, and leaves its text', async () => {
    const answers: readonly (readonly [name: string, answer: (service: TestService, id: string) => Promise<unknown>])[] = [
      ['the author of the merge request', (service, id) => reply(service, id, 'developer')],
      ['a guest', (service, id) => reply(service, id, 'guest', 'Not a bug.')],
      ['the owner, then the author', async (service, id) => [await reply(service, id, 'owner'), await reply(service, id, 'developer')]],
      ['the user of the token by hand', (service, id) => reply(service, id, 'maintainer', 'By hand.')],
      ['somebody whose reply was resolved by hand', async (service, id) => {
        const { body: { id: note } } = await reply(service, id, 'guest');
        for (const resolved of [false, true]) await service.put(`${base}/discussions/${id}/notes/${note}`, { as: 'guest', json: { resolved } });
      }],
    ];
    const rows = answers.flatMap((answer) => (['document', 'live'] as const).map((dialect) => [dialect, ...answer] as const));
    await everyRow(sampleOf(rows, 3), ([dialect, name]) => `${name} (${dialect})`, async ([dialect, , answer]) => {
      const service = await testService({ dialect });
      const gate = gateOn(service);
      const first = await gate([finding]);
      const id = created(first);
      const before = (await threadOn(service, id)).notes[0]!.body;
      expect([first.code, (await gate([])).counts]).toEqual([8, { resolved: 1 }]);
      await answer(service, id);
      expect((await threadOn(service, id)).notes.every(({ resolved }) => resolved)).toBe(true);
      const again = await gate([finding]);
      expect([again.code, again.counts]).toEqual([8, { reopened: 1 }]);
      const { notes } = await threadOn(service, id);
      expect([notes.some(({ resolved }) => resolved), notes[0]!.body]).toEqual([false, before]);
      expect([(await gate([finding])).code, (await gate([finding])).counts]).toEqual([8, { left: 1 }]);
    });
  });

  it('reopens the thread whose text a person changed, and leaves the text', async () => {
    const service = await testService();
    const gate = gateOn(service);
    const id = created(await gate([finding]));
    await gate([]);
    const [note] = (await threadOn(service, id)).notes;
    const body = note!.body.replace('no zwei', 'never mind');
    await service.put(`${base}/notes/${note!.id}`, { as: 'maintainer', json: { body } });
    const again = await gate([finding]);
    expect([again.code, again.counts]).toEqual([8, { reopened: 1 }]);
    expect((await threadOn(service, id)).notes).toMatchObject([{ body, resolved: false }]);
  });

  it('accepts it after a person has resolved the thread', async () => {
    const service = await testService();
    const gate = gateOn(service);
    const id = created(await gate([finding]));
    await gate([]);
    await reply(service, id, 'developer');
    await gate([finding]);
    await resolve(service, id, 'developer');
    expect(await gate([finding])).toMatchObject({ code: 0, counts: { left: 1 }, result: { left: [{ reason: 'resolved by developer' }] } });
  });
});

it('a thread that is answered and open counts, and its text stays', async () => {
  const service = await testService();
  const gate = gateOn(service);
  const id = created(await gate([finding]));
  const before = (await threadOn(service, id)).notes[0]!.body;
  await reply(service, id, 'developer', 'On purpose.');
  const again = await gate(['app.js:2:1: error: another message [r1]']);
  expect(again).toMatchObject({ code: 8, counts: { left: 1 }, result: { left: [{ reason: 'answered by developer' }] } });
  expect((await threadOn(service, id)).notes[0]).toMatchObject({ body: before, resolved: false });
});
