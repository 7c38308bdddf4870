import { expect, it, onTestFinished } from 'vitest';
import { openService, type World } from '../../../../src/server/index.js';
import { acme } from '../../../support/worlds.js';

const eva: World = { users: [{ username: 'eva', token: 'eva-token' }] };

const opened = async () => {
  const service = await openService({ world: acme });
  onTestFinished(() => service.close());
  return service;
};

it('tokens follow the world that code sets, and a reset', async () => {
  const service = await opened();
  const { tokens } = service;
  await service.setWorld(eva);
  expect(service.tokens).toEqual({ eva: 'eva-token' });
  await service.reset();
  expect(service.tokens).toEqual(tokens);
});

it('tokens are valid at the time of the server, and unrestricted if a user has such a one', async () => {
  const [old, gone, good] = [{ token: 'old', expires_at: '2020-01-01' }, { token: 'gone', revoked: true }, { token: 'good', expires_at: '2030-01-01' }];
  const limited = [{ token: 'job', kind: 'job' as const }, { token: 'granular', kind: 'granular' as const }, { token: 'read', scopes: ['read_api' as const] }];
  const users = [
    { username: 'a', tokens: [old, gone, ...limited, good] }, { username: 'b', tokens: [old, ...limited] }, { username: 'c', tokens: [old, gone] }]
    .map(({ username, tokens }) => ({ username, tokens: tokens.map((one) => ({ ...one, token: `${username}-${one.token}` })) }));
  const service = await openService({ world: { users }, now: '2024-05-01T00:00:00Z' });
  onTestFinished(() => service.close());
  expect(service.tokens).toEqual({ a: 'a-good', b: 'b-job' });
});

it('tokens follow a world that a request sets', async () => {
  const service = await opened();
  const request = { method: 'PUT', target: '/-/world', headers: {}, body: JSON.stringify(eva) };
  expect((await service.handle(request)).status).toBe(204);
  expect(service.tokens).toEqual({ eva: 'eva-token' });
});

it('tokens follow snapshots', async () => {
  const service = await opened();
  const { tokens } = service;
  await service.snapshot('start');
  await service.setWorld(eva);
  await service.snapshot('eva');
  await service.restore('start');
  expect(service.tokens).toEqual(tokens);
  await service.restore('eva');
  expect(service.tokens).toEqual({ eva: 'eva-token' });
});

it('data and tokens stay when a world is rejected, or is undefined or null', async () => {
  const service = await opened();
  const isolated = await service.openWorld('a');
  const before = [service.tokens, isolated.tokens, await service.world(), await isolated.world()];
  for (const wrong of [undefined, null, { users: [{ username: 'eva' }, { username: 'eva' }] }]) {
    for (const set of [service.setWorld, isolated.set]) {
      await expect(set(wrong as World), String(wrong)).rejects.toMatchObject({ name: 'WorldError' });
    }
  }
  expect([service.tokens, isolated.tokens, await service.world(), await isolated.world()]).toEqual(before);
});
