import { expect, it } from 'vitest';
import type { Reviewer } from '../../../../src/contract/lookups/shapes.js';
import type { Note } from '../../../../src/contract/shapes/note.js';
import { testService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';
import { drafts, mergeRequest, outside } from './drafts.js';

/** The developer is a reviewer, the maintainer is not. */
const reviewed = async (version?: string) => {
  const world = structuredClone(acme);
  world.projects![0]!.merge_requests![0]!.reviewers = ['developer', { user: 'guest', state: 'review_started' }];
  const service = await testService({ dialect: 'live', world: { ...world, settings: { ...world.settings, ...version !== undefined && { version } } } });
  const notes = async () => (await service.get<Note[]>(`${mergeRequest}/notes?sort=asc&per_page=100`)).body;
  const before = (await notes()).length;
  return {
    ...service,
    publish: async (json: object, as = 'developer') => {
      const { status, body } = await service.post(`${drafts}/bulk_publish`, { json, as });
      return [status, body];
    },
    added: async () => (await notes()).slice(before).map(({ type, body, author, internal }) => [type, body, author.username, internal]),
    draft: (json: object, as = 'developer') => service.post(drafts, { json, as }),
    states: async () => Object.fromEntries((await service.get<Reviewer[]>(`${mergeRequest}/reviewers`)).body
      .map(({ user, state }) => [user.username, state])),
    left: async (as = 'developer') => (await service.get<{ note: string }[]>(drafts, { as })).body.map(({ note }) => note),
    approvers: async () => (await service.get<{ approved_by: unknown[] }>(`${mergeRequest}/approvals`)).body.approved_by.length,
  };
};

const waiting = { developer: 'unreviewed', guest: 'review_started' };

it('a review publishes the drafts, then posts its summary as a comment, then sets the state', async () => {
  const service = await reviewed();
  await service.draft({ note: 'a thread' });
  expect(await service.publish({ reviewer_state: 'requested_changes', note: 'Not yet.' })).toEqual([204, undefined]);
  expect(await service.added()).toEqual([
    ['DiscussionNote', 'a thread', 'developer', false], [null, 'Not yet.', 'developer', false],
  ]);
  expect(await service.states()).toEqual({ ...waiting, developer: 'requested_changes' });
  expect(await service.publish({ reviewer_state: 'reviewed', note: 'Fine.', internal: true })).toEqual([204, undefined]);
  expect((await service.added()).slice(2)).toEqual([[null, 'Fine.', 'developer', true]]);
  expect(await service.states()).toEqual({ ...waiting, developer: 'reviewed' });
  expect(await service.approvers()).toBe(0);
  await service.close();
});

it('no state gives or removes an approval', async () => {
  const service = await reviewed();
  await service.post(`${mergeRequest}/approve`);
  expect(await service.states()).toEqual({ ...waiting, developer: 'approved' });
  await service.publish({ reviewer_state: 'requested_changes' });
  expect([await service.states(), await service.approvers()]).toEqual([{ ...waiting, developer: 'requested_changes' }, 1]);
  await service.close();
});

it('a state of somebody who is not a reviewer gets 204, and changes nothing', async () => {
  const service = await reviewed();
  expect(await service.publish({ reviewer_state: 'reviewed', note: ' \n' }, 'maintainer')).toEqual([204, undefined]);
  expect([await service.states(), await service.added()]).toEqual([waiting, []]);
  await service.close();
});

it('drafts that cannot be published are 500 with a message, and nothing more is done', async () => {
  const service = await reviewed();
  await service.draft({ note: 'fine' });
  await service.draft({ note: 'outside', position: outside });
  const review = { reviewer_state: 'reviewed', note: 'Summary' };
  expect(await service.publish(review)).toEqual([500, { message: expect.stringMatching(/^Unable to save Note: Line code can't be blank/) }]);
  expect([await service.left(), await service.added(), await service.states()]).toEqual([['fine', 'outside'], [], waiting]);
  await service.call('PUT', '/-/world', { json: { ...acme, projects: acme.projects!.map((one) => ({ ...one, archived: true })) } });
  expect(await service.publish(review)).toEqual([500, { message: 'Not allowed to create notes' }]);
  await service.close();
});

it('a summary that cannot be stored is 422, and leaves the published drafts without a state', async () => {
  for (const [note, message] of [
    ['x'.repeat(1_000_001), 'Note is too long (maximum is 1000000 characters)'],
    ['/label ~bug', expect.stringMatching(/^Commands only ./)],
  ]) {
    const service = await reviewed();
    await service.draft({ note: 'a thread' });
    expect(await service.publish({ note, reviewer_state: 'reviewed' })).toEqual([422, { message }]);
    expect([await service.left(), await service.states()]).toEqual([[], waiting]);
    expect(await service.added()).toMatchObject([['DiscussionNote', 'a thread', 'developer', false]]);
    await service.close();
  }
});

it('an unknown state is 400, and nothing is published', async () => {
  const service = await reviewed();
  await service.draft({ note: 'a thread' });
  for (const reviewer_state of ['approved', 'unreviewed', 'bogus', '']) {
    expect(await service.publish({ reviewer_state })).toEqual([400, { error: 'reviewer_state does not have a valid value' }]);
  }
  expect(await service.left()).toEqual(['a thread']);
  await service.close();
});

it('older services ignore all of it, and a failure has no body', async () => {
  const service = await reviewed('19.1');
  expect(await service.publish({ reviewer_state: 'bogus', note: 'Summary', internal: 'maybe' })).toEqual([204, undefined]);
  expect([await service.added(), await service.states()]).toEqual([[], waiting]);
  await service.draft({ note: 'outside', position: outside });
  expect(await service.publish({})).toEqual([500, undefined]);
  await service.close();
});
