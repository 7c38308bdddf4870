import { expect, it } from 'vitest';
import type { Discussion, Note } from '../../../src/contract/shapes/note.js';
import { openService } from '../../../src/server/index.js';
import { newStore } from '../../support/stores.js';
import { caller } from './calls.js';
import { bases, threadWorld } from './threads-model.js';

const list = `${bases.merge_request}/discussions`;

it('of many who write at once through two servers on one store each is heard once, and each in their own order', async () => {
  const data = await newStore();
  const services = [await openService({ world: threadWorld, data }), await openService({ world: threadWorld, data })];
  const calls = services.map((service) => caller(service, new Map()));
  const { body: common } = await calls[0]!<Discussion>('owner', 'POST', list, { body: 'common' });
  const told = new Map<number, string>();
  await Promise.all(Array.from({ length: 8 }, async (_, name) => {
    for (let i = 0; i < 12; i++) {
      const call = calls[(name + i) % 2]!;
      const { status, body } = await call<Note>('developer', 'POST', `${list}/${common.id}/notes`, { body: `${name}-${i}` });
      expect(status).toBe(201);
      told.set(body.id, `${name}-${i}`);
      await call('owner', 'PUT', `${list}/${common.id}`, { resolved: i % 2 === 0 });
    }
  }));
  for (const call of calls) {
    const { body: thread } = await call<Discussion>('owner', 'GET', `${list}/${common.id}`);
    const replies = thread.notes.slice(1);
    expect(new Map(replies.map(({ id, body }) => [id, body]))).toEqual(told);
    expect(replies).toHaveLength(96);
    for (let name = 0; name < 8; name++) {
      const own = replies.filter(({ body }) => body.startsWith(`${name}-`)).map(({ body }) => Number(body.split('-')[1]));
      expect(own).toEqual(Array.from({ length: 12 }, (_, i) => i));
    }
  }
  for (const service of services) await service.close();
});
