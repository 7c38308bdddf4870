import { describe, expect, it } from 'vitest';
import { importThread, newProgress, type ServiceAbilities } from '../../../../../src/cli/notes/import/import-threads.js';
import { findImportedNotes, planThreads } from '../../../../../src/cli/notes/import/plan.js';
import type { Discussion } from '../../../../../src/contract/shapes/note.js';
import { readMarker } from '../../../../../src/wire/note-text.js';
import { json } from '../../../../support/answers.js';
import type { WorldOptions } from '../../../../support/app.js';
import { exported, threadsOf } from '../../../../support/exported-threads.js';
import { testService, type TestService } from '../../../../support/service.js';
import { openTarget } from '../../../../support/targets.js';
import { refs } from '../../../../support/worlds.js';

const anchor = {
  base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2 };

interface Import extends WorldOptions {
  readonly word?: string;
  readonly isRaw?: boolean;
  /** Runs between the plan and the import. */
  readonly between?: () => Promise<unknown>;
}

/** Plans and imports one thread, into mr/1 if nothing else is given. */
const imported = async (line: string, { word = '!1', isRaw = false, between, ...options }: Import = {}) => {
  const service: TestService = options.service ?? await testService();
  const { app, target, sent } = await openTarget(word, { env: { COLLOQUY_TOKEN: 'owner-token' }, ...options, service });
  const [step] = await planThreads(target, threadsOf(line), await findImportedNotes(target));
  await between?.();
  const abilities: ServiceAbilities = { storesTimes: null, routes: new Map() };
  const result = await importThread({ app, target, isRaw, service: abilities, progress: newProgress() }, step!);
  const list = { '!1': 'merge_requests/1', '#1': 'issues/1', '$40': 'snippets/40' }[word]!;
  const { body } = await service.get<Discussion[]>(`/projects/20/${list}/discussions?per_page=100`, { as: 'owner' });
  const stored = body.filter(({ notes }) => notes.some((note) => readMarker(note.body).marker?.['source'] !== undefined));
  return {
    service, step: step!, result, storesTimes: abilities.storesTimes, stored, first: stored[0]?.notes[0],
    texts: stored.map(({ notes }) => notes.map((note) => readMarker(note.body).text.split('\n\n').slice(1).join('\n\n'))),
    posts: sent.filter(({ method }) => method === 'POST').length,
  };
};

describe('an imported thread', () => {
  it('has all its notes with their times, and is resolved', async () => {
    const { result, stored, texts, storesTimes } = await imported(exported('a', [{ resolved: true }, { body: 'reply', resolved: true }]));
    expect([result, texts, storesTimes]).toEqual([{ created: 2, isResolved: true, isUnanchored: false, cut: 0 }, [['text a', 'reply']], true]);
    expect(stored[0]!.notes.map(({ created_at, resolved }) => [created_at, resolved])).toEqual([
      ['2023-01-01T10:00:00.000Z', true], ['2023-01-01T10:00:01.000Z', true]]);
  });

  it('is a comment if it was one', async () => {
    const { stored } = await imported(exported('a', [{}], { individual_note: true }), { word: '#1' });
    expect(stored).toMatchObject([{ individual_note: true }]);
  });

  it('gets the notes that earlier imports did not create', async () => {
    const { service } = await imported(exported('a', [{}]));
    const { result, texts, step, posts } = await imported(exported('a', [{}, { body: 'reply' }]), { service });
    expect([step.missing.length, result.created, posts, texts]).toEqual([1, 1, 1, [['text a', 'reply']]]);
  });

  it('changes nothing if it is there', async () => {
    const line = exported('a', [{ resolved: true }]);
    const { service } = await imported(line);
    const { step, result, posts } = await imported(line, { service });
    expect([step.missing, step.isResolved, result, posts]).toEqual([[], false, { created: 0, isResolved: false, isUnanchored: false, cut: 0 }, 0]);
  });

  it('is not resolved on a kind that has no resolved threads, or if a note is open', async () => {
    expect((await imported(exported('a', [{ resolved: true }]), { word: '$40' })).step.isResolved).toBe(false);
    expect((await imported(exported('a', [{ resolved: true }]), { word: '#1' })).result).toMatchObject({ created: 1, isResolved: false });
    const service = await testService({ dialect: 'live' });
    expect((await imported(exported('a', [{ resolved: true }]), { word: '#1', service })).result.isResolved).toBe(true);
    expect((await imported(exported('a', [{ resolved: true }, { resolved: false }]))).step.isResolved).toBe(false);
  });

  it('is not resolved again if a person reopened and answered it', async () => {
    const line = exported('a', [{ resolved: true }]);
    const { service, stored: [thread] } = await imported(line);
    const path = `/projects/20/merge_requests/1/discussions/${thread!.id}`;
    await service.put(path, { as: 'owner', json: { resolved: false } });
    expect((await imported(line, { service })).step.isResolved).toBe(true);
    await service.put(path, { as: 'owner', json: { resolved: false } });
    await service.post(`${path}/notes`, { as: 'guest', json: { body: 'Not fixed.' } });
    expect((await imported(line, { service })).step.isResolved).toBe(false);
  });

  it('is not resolved if a person answered it after it was planned', async () => {
    const { service, stored: [thread] } = await imported(exported('a', [{}]));
    const line = exported('a', [{ resolved: true }, { body: 'reply', resolved: true }]);
    const path = `/projects/20/merge_requests/1/discussions/${thread!.id}/notes`;
    const between = () => service.post(path, { as: 'guest', json: { body: 'Not fixed.' } });
    const { step, result, first } = await imported(line, { service, between });
    expect([step.isResolved, result, first!.resolved]).toMatchObject([true, { created: 1, isResolved: false }, false]);
  });
});

describe('the place of an imported thread', () => {
  it('is its position, if the diff has that version', async () => {
    const { step, first } = await imported(exported('a', [{ position: anchor }]));
    expect([step.isUnanchored, first]).toMatchObject([false, { type: 'DiffNote', position: anchor }]);
    expect(first!.body).not.toContain('app.js');
  });

  it('is in the text for another version', async () => {
    const { step, result, first } = await imported(exported('a', [{ position: { ...anchor, head_sha: 'f'.repeat(40) } }]));
    expect([step.isUnanchored, result.isUnanchored, first!.type]).toEqual([true, true, 'DiscussionNote']);
    expect(first!.body).toMatch(/^`bob` wrote about `app\.js:2` on /);
  });

  it('is in the text if the service drops the position, and counts', async () => {
    const service = await testService();
    const handle: TestService['handle'] = (request) => {
      if (request.method !== 'POST') return service.handle(request);
      const { position: _, ...others } = JSON.parse(String(request.body)) as { position: object };
      return service.handle({ ...request, body: JSON.stringify(others) });
    };
    const { step, result, first } = await imported(exported('a', [{ position: anchor }]), { service: { ...service, handle } });
    expect([step.isUnanchored, result.isUnanchored]).toEqual([false, true]);
    expect(first!.body).toMatch(/^`bob` wrote about `app\.js:2` on /);
  });

  it('is in the text if the service rejects the position', async () => {
    const { step, result, first } = await imported(exported('a', [{ position: { ...anchor, new_line: 99 } }]));
    expect([step.isUnanchored, result.isUnanchored]).toEqual([false, true]);
    expect(first!.body).toMatch(/^`bob` wrote about `app\.js:99` on /);
  });
});

it('texts are neutral unless they are raw', async () => {
  const line = exported('a', [{ body: '@root see #1' }]);
  expect((await imported(line)).texts).toEqual([['@\u2060root see #\u20601']]);
  expect((await imported(line, { isRaw: true })).texts).toEqual([['@root see #1']]);
});

it('a service that ignores creation times is recognized by its first response', async () => {
  expect((await imported(exported('a', [{}]), { env: { COLLOQUY_TOKEN: 'developer-token' } })).storesTimes).toBe(false);
});

it('a note that the service rejects is an error, and the notes before it stay', async () => {
  const service = await testService();
  const answer: WorldOptions['answer'] = ({ method, body }) =>
    method === 'POST' && String(body).includes('refuse me') ? json(400, { message: '400 Bad request' }) : undefined;
  await expect(imported(exported('a', [{}, { body: 'refuse me' }]), { service, answer })).rejects.toThrow('400 Bad request');
  expect((await imported(exported('a', [{}, { body: 'good' }]), { service })).result.created).toBe(1);
});
