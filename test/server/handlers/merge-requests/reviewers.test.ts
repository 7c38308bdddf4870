import { expect, test } from 'vitest';
import { reviewerStates } from '../../../../src/contract/conventions.js';
import type { Reviewer } from '../../../../src/contract/lookups/shapes.js';
import type { World, WorldReviewer } from '../../../../src/server/world-file/schema.js';
import { testService } from '../../../support/service.js';
import { acme } from '../../../support/worlds.js';

const at = '/projects/20/merge_requests/1';

const withReviewers = (reviewers: WorldReviewer[]): World => ({
  ...acme, projects: acme.projects!.map((project) => ({
    ...project, merge_requests: (project.merge_requests ?? []).map((one) => one.iid === 1 && project.id === 20 ? { ...one, reviewers } : one),
  })),
});

const opened = async (world: World, version?: string) => {
  const service = await testService({ dialect: 'live', world: { ...world, settings: { ...world.settings, ...(version && { version }) } } });
  const reviewers = async () => (await service.get<Reviewer[]>(`${at}/reviewers`)).body;
  return { ...service, reviewers, states: async () => (await reviewers()).map(({ user, state }) => [user.username, state]) };
};

test('a world file gives reviewers a state, which its dump keeps', async () => {
  const users = ['developer', 'guest', 'maintainer', 'outsider', 'owner', 'reporter'];
  const given = reviewerStates.map((state, i) => ({ user: users[i]!, state, created_at: `2024-05-0${i + 1}T00:00:00.000Z` }));
  const service = await opened(withReviewers([...given]));
  const before = await service.reviewers();
  expect(before.map(({ user, state, created_at }) => ({ user: user.username, state, created_at })).sort((a, b) => a.user.localeCompare(b.user)))
    .toEqual(given);
  const { body: dumped } = await service.get<World>('/-/world');
  expect(await service.call('PUT', '/-/world', { json: dumped })).toMatchObject({ status: 204 });
  expect(await service.reviewers()).toEqual(before);
  await service.close();
});

test('an approval changes the state of a reviewer, and makes nobody a reviewer', async () => {
  const service = await opened(withReviewers(['developer', { user: 'guest', state: 'reviewed' }]));
  const send = (verb: string, as: string) => service.post(`${at}/${verb}`, { as });
  await send('approve', 'developer');
  await send('approve', 'maintainer');
  expect(new Map(await service.states() as [string, string][])).toEqual(new Map([['developer', 'approved'], ['guest', 'reviewed']]));
  await send('unapprove', 'developer');
  expect(new Map(await service.states() as [string, string][])).toEqual(new Map([['developer', 'unapproved'], ['guest', 'reviewed']]));
  await service.close();
});

test('a reviewer who is added has not reviewed it, and was asked now', async () => {
  const service = await opened(withReviewers([]));
  await service.call('PUT', at, { json: { reviewer_ids: [4] }, as: 'maintainer' });
  const [reviewer] = await service.reviewers();
  const { updated_at } = (await service.get<{ updated_at: string }>(at)).body;
  expect(reviewer).toMatchObject({ state: 'unreviewed', created_at: updated_at });
  await service.call('PUT', at, { json: { reviewer_ids: [0] }, as: 'maintainer' });
  expect(await service.reviewers()).toEqual([]);
  await service.close();
});

test('older services have no such path', async () => {
  const service = await opened(acme, '14.9');
  expect(await service.get(`${at}/reviewers`)).toMatchObject({ status: 404, body: { error: '404 Not Found' } });
  await service.close();
});
