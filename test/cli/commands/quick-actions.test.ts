import { describe, expect, it } from 'vitest';
import { testApp } from '../../support/app.js';
import { testService } from '../../support/service.js';
import { threads } from '../../support/worlds.js';

const live = async (...words: string[]) => {
  const service = await testService({ dialect: 'live' });
  const { run } = await testApp({ service });
  const notes = async () => (await service.get('/projects/20/merge_requests/1/notes')).body as { id: number; system: boolean }[];
  const written = async () => (await notes()).filter(({ system }) => !system).map(({ id }) => id);
  const before = await written();
  const result = await run(...words);
  return { ...result, before, after: await written() };
};

const said = { commands_changes: { state_event: 'close' }, summary: ['Closed this merge request.'] };

describe.each([
  ['notes add', ['notes', 'add', 'mr/1']],
  ['notes add --thread', ['notes', 'add', 'mr/1', '--thread', threads.thread]],
  ['discussions create', ['discussions', 'create', 'mr/1']],
  ['discussions reply', ['discussions', 'reply', 'mr/1', threads.thread]],
])('%s with quick actions alone', (_, words) => {
  it('reports that the service ran them and stored no note', async () => {
    const { code, out, err, before, after } = await live(...words, '-m', '/close');
    expect({ code, out, err }).toEqual({
      code: 0, out: '', err: 'Closed this merge request. The service ran the quick actions and stored no note.\n' });
    expect(after).toEqual(before);
  });

  it('prints what the service said with --json, --jq and --json=fields', async () => {
    for (const flag of ['--json', '--json=id', '--output=json']) {
      const { code, out } = await live(...words, '-m', '/close', flag);
      expect({ code, out: JSON.parse(out) }).toEqual({ code: 0, out: said });
    }
    expect(await live(...words, '-m', '/close', '-q', '.summary[]')).toMatchObject({ code: 0, out: 'Closed this merge request.\n' });
  });
});

describe('notes edit with quick actions alone', () => {
  it('reports that the service deleted the note', async () => {
    const { code, out, err, before, after } = await live('notes', 'edit', 'mr/1', '121', '-m', '/close');
    expect({ code, out, err }).toEqual({
      code: 0, out: '', err: 'Closed this merge request. The service ran the quick actions and deleted the note.\n' });
    expect(after).toEqual(before.filter((id) => id !== 121));
  });
});

it('a text with a quick action whose response is lost is stored once, and its action runs once', async () => {
  const service = await testService({ dialect: 'live' });
  const { run } = await testApp({ service });
  await service.faults([{ on: 'POST *', do: 'reset after', times: 1 }]);
  expect((await run('notes', 'add', 'mr/1', '-m', 'Done.\n/close', '--retries', '2')).code).toBe(0);
  const { body } = await service.get<{ body: string }[]>('/projects/20/merge_requests/1/notes?sort=asc');
  expect(body.slice(4).map((note) => note.body.split('\n')[0])).toEqual(['Done.', 'closed']);
});
