import { describe, expect, it } from 'vitest';
import { findEarlierPosts, summaryFingerprint, summaryKey } from '../../../../src/cli/notes/findings/earlier.js';
import { findingOf } from '../../../../src/cli/notes/findings/finding.js';
import { identify, printFingerprint } from '../../../../src/cli/notes/findings/fingerprint.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { withMarker, type Marker } from '../../../../src/wire/note-text.js';
import { unknownRoute } from '../../../support/answers.js';
import { testService, type TestService } from '../../../support/service.js';
import { openTarget } from '../../../support/targets.js';
import { refs } from '../../../support/worlds.js';

const base = '/projects/20/merge_requests/1';
const [{ fingerprint }] = identify([findingOf({ file: 'a', message: 'no' })], () => undefined) as [ReturnType<typeof identify>[number]];
const fp = printFingerprint(fingerprint);

const start = async (service: TestService, text: string, marker: Marker, { as = 'developer', ...parts }: { as?: string; position?: object } = {}) =>
  (await service.post<Discussion>(`${base}/discussions`, { as, json: { body: withMarker(text, marker), ...parts } })).body;
const found = async (service: TestService, ...keys: string[]) => findEarlierPosts((await openTarget('!1', { service })).target, keys);

describe('the threads of earlier runs', () => {
  it('are those of the token\'s user with one of the keys and a fingerprint', async () => {
    const service = await testService();
    const own = await start(service, 'Own.', { key: 'lint', fp });
    await start(service, 'Of another key.', { key: 'other', fp });
    await start(service, 'Of another user.', { key: 'lint', fp }, { as: 'guest' });
    await start(service, 'Without a fingerprint.', { key: 'lint' });
    await start(service, 'With a damaged one.', { key: 'lint', fp: 'x' });
    const reply = withMarker('A reply.', { key: 'lint', fp });
    expect((await service.post(`${base}/discussions/${own.id}/notes`, { json: { body: reply } })).status).toBe(201);
    const { threads, copies } = await found(service, 'lint', 'test');
    expect([threads.map(({ note }) => note), copies]).toEqual([[own.notes[0]!.id], []]);
    expect(threads).toMatchObject([{
      id: own.id, note: own.notes[0]!.id, key: 'lint', text: 'Own.', state: 'open', resolvedBy: null, answeredBy: null, isChanged: false,
      file: null, line: null }]);
    expect(printFingerprint(threads[0]!.fingerprint)).toBe(fp);
  });

  it('are without copies that a stopped run left, unless these are resolved', async () => {
    const service = await testService();
    const [first, copy] = [await start(service, 'Own.', { key: 'lint', fp }), await start(service, 'Own.', { key: 'lint', fp })];
    const ids = async () => {
      const { threads, copies } = await found(service, 'lint');
      return [threads.map(({ id }) => id), copies.map(({ discussion }) => discussion.id)];
    };
    expect(await ids()).toEqual([[first.id], [copy.id]]);
    await service.put(`${base}/discussions/${copy.id}`, { json: { resolved: true } });
    expect(await ids()).toEqual([[first.id, copy.id], []]);
  });

  it('have their place on the diff', async () => {
    const service = await testService();
    const position = {
      base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2 };
    await start(service, 'Own.', { key: 'lint', fp }, { position });
    expect((await found(service, 'lint')).threads).toMatchObject([{ file: 'app.js', line: 2 }]);
  });

  it('name the first person who answered; notes with markers are by programs', async () => {
    const service = await testService();
    const { id } = await start(service, 'Own.', { key: 'lint', fp });
    const reply = (as: string, body: string) => service.post(`${base}/discussions/${id}/notes`, { as, json: { body } });
    await reply('developer', withMarker('By a program.', { key: 'other' }));
    expect((await found(service, 'lint')).threads[0]!.answeredBy).toBeNull();
    await reply('developer', 'By hand.');
    await reply('guest', 'Me too.');
    expect((await found(service, 'lint')).threads[0]!.answeredBy).toBe('developer');
  });

  it('name who resolved them, if it was another user', async () => {
    const service = await testService();
    const [own, other] = [await start(service, 'One.', { key: 'lint', fp }), await start(service, 'Two.', { key: 'lint', fp })];
    await service.put(`${base}/discussions/${own.id}`, { json: { resolved: true } });
    await service.put(`${base}/discussions/${other.id}`, { as: 'owner', json: { resolved: true } });
    expect((await found(service, 'lint')).threads.map(({ state, resolvedBy }) => [state, resolvedBy])).toEqual([['resolved', null], ['resolved', 'owner']]);
  });

  it('are known to be changed by a person', async () => {
    const service = await testService();
    const { notes: [note] } = await start(service, 'Own.', { key: 'lint', fp });
    await service.put(`${base}/notes/${note!.id}`, { json: { body: note!.body.replace('Own.', 'My words.') } });
    expect((await found(service, 'lint')).threads).toMatchObject([{ isChanged: true, text: 'My words.' }]);
  });
});

describe('the comment that lists findings', () => {
  it('belongs to all keys of the run together, whatever their order', async () => {
    expect(summaryKey(['b', 'a'])).toBe('a,b');
    const service = await testService();
    const { notes: [note] } = await start(service, 'List.', { key: 'a,b', fp: summaryFingerprint });
    await start(service, 'Of one.', { key: 'a', fp: summaryFingerprint });
    const { summaries, threads } = await found(service, 'b', 'a');
    expect([summaries.map((one) => one.note.id), threads]).toEqual([[note!.id], []]);
  });
});

it('the markers of all of them have the pipelines', async () => {
  const service = await testService();
  await start(service, 'One.', { key: 'lint', fp, newer: '5', project: '20' });
  await start(service, 'List.', { key: 'lint', fp: summaryFingerprint, newer: '6' });
  await start(service, 'Upserted.', { key: 'lint', newer: '7' });
  expect((await found(service, 'lint')).markers.map(({ newer }) => newer).toSorted()).toEqual(['5', '6']);
});

it('a service that does not report the user of the token is refused', async () => {
  const { target } = await openTarget('!1', { answer: (request) => request.target.endsWith('/user') ? unknownRoute : undefined });
  await expect(findEarlierPosts(target, ['lint'])).rejects.toMatchObject({
    code: 'usage', message: 'cannot find the earlier threads on mr/1: the service does not report the user of the token' });
});
