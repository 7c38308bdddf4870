import { expect, it } from 'vitest';
import { historyOf } from '../../../../src/cli/notes/proofs/history.js';
import { openNamedTarget } from '../../../../src/cli/service/targets/target.js';
import { testApp, type WorldOptions } from '../../../support/app.js';
import { changed, fixed, inGit, proofRepository, source, type ProofRepository } from '../../../support/proofs.js';

const history = async ({ service }: ProofRepository, options: WorldOptions = {}) => {
  const { app } = await testApp({ ...options, service });
  return historyOf(app, await openNamedTarget(app, {}, '!1'));
};

it.each([['git', inGit], ['the service', {}]])('commits, what they change and where lines are come from %s', async (_, options) => {
  const repository = await proofRepository(options);
  const above = repository.commit({ [source]: changed.replace('bad', '// Above.\nbad') });
  const fix = repository.commit({ [source]: fixed.replace('good', '// Above.\ngood') });
  await repository.push();
  const { commits, has, changeOf, fileAt } = await history(repository, options);
  expect((await commits())!.map(({ id }) => id)).toEqual([fix, above, repository.first]);
  expect([await has(fix), await has('f'.repeat(40))]).toEqual([true, false]);
  expect(await changeOf(fix)).toMatchObject({ parent: above, files: [{ new_path: source }], unknown: new Set() });
  const version = { base_sha: repository.base, start_sha: repository.base, head_sha: repository.first };
  const lines = async (sha: string) => [5, 6, 7].map(((file) => (line: number) => file?.line(line))(await fileAt(version, source, sha)));
  expect(await Promise.all([repository.first, above, fix].map(lines))).toEqual([[5, 6, 7], [5, 7, 8], [5, null, 8]]);
});

it('a list of commits that is shorter than the service says is not known, and neither is anything about it', async () => {
  const repository = await proofRepository();
  const { app } = await testApp({ service: repository.service, answer: (request) => request.target.includes('/commits')
    ? { status: 200, headers: { 'content-type': 'application/json', 'x-total': '3' }, body: '[]' } : undefined });
  const { commits, has } = historyOf(app, await openNamedTarget(app, {}, '!1'));
  expect([await commits(), await has(repository.first)]).toEqual([null, null]);
});

it('a SHA that is none is never asked for', async () => {
  const repository = await proofRepository(inGit);
  const { changeOf } = await history(repository, { git: { sha: async () => { throw new Error('asked'); } } });
  expect([await changeOf('--all'), await changeOf('HEAD')]).toEqual([null, null]);
});
