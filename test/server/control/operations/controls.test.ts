import { expect, it, onTestFinished } from 'vitest';
import { openService, type OpenWorld } from '../../../../src/server/index.js';
import { acme } from '../../../support/worlds.js';

const uses: Record<string, (world: OpenWorld) => Promise<unknown>> = {
  reset: (world) => world.reset(),
  world: (world) => world.world(),
  requests: (world) => world.requests(),
  snapshot: (world) => world.snapshot('one'),
  restore: (world) => world.restore('one'),
  faults: (world) => world.faults([]),
  clock: (world) => world.clock('2h'),
  set: (world) => world.set({ users: [{ username: 'eva', token: 'eva-token' }] }),
};

it.each(Object.keys(uses))('%s works on an open world, and rejects on a closed one', async (name) => {
  const service = await openService({ world: acme });
  onTestFinished(() => service.close());
  const world = await service.openWorld('a');
  await world.snapshot('one');
  await uses[name]!(world);
  await world.close();
  await expect(uses[name]!(world)).rejects.toMatchObject({
    name: 'OperationError', status: 404, message: 'the world a is closed; open it again with openWorld("a")',
  });
});
