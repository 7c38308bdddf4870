import { expect, test } from 'vitest';
import { openService } from '../../../src/server/index.js';

test('a merge request with versions is dumped with them, and one without with its own SHAs', async () => {
  const refs = { base_sha: 'a', start_sha: 's', head_sha: 'b' };
  const service = await openService({
    world: { projects: [{ path: 'acme/app', files: { x: 'X' }, merge_requests: [{ ...refs, diff: '' }, { versions: [{ ...refs, diff: '' }] }] }, {}] },
  });
  const [app, other] = (await service.world()).projects!;
  await service.close();
  expect(app).toMatchObject({ files: { x: 'X' }, merge_requests: [{ ...refs, diff: '' }, { versions: [{ id: 2, ...refs, diff: '' }] }] });
  expect(app!.merge_requests!.map((one) => Object.keys(one).filter((key) => /sha|diff|versions/.test(key))))
    .toEqual([['base_sha', 'start_sha', 'head_sha', 'diff'], ['versions']]);
  expect(other).not.toHaveProperty('files');
});
