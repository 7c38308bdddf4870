import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DiffVersion } from '../../../../../src/contract/lookups/shapes.js';
import { diff, mergeRequest, patch, pushService, second, type PushService } from '../../../../support/pushes.js';

let service: PushService;
beforeEach(async () => { service = await pushService(); });
afterEach(() => service.close());

describe('at the same time', () => {
  test('pushes come one after the other', async () => {
    const id = await service.comment({ new_line: 2 });
    const pushes = await Promise.all(Array.from({ length: 6 }, (_, i) => service.push({ diff: i % 2 ? diff : second })));
    expect(pushes.map(({ status }) => status)).toEqual(pushes.map(() => 201));
    expect(pushes.map(({ body }) => body.number).sort()).toEqual([2, 3, 4, 5, 6, 7]);
    expect(new Set(pushes.map(({ body }) => body.id)).size).toBe(6);
    const [newest] = (await service.get<DiffVersion[]>(`${mergeRequest}/versions`)).body;
    expect((await service.placeOf(id))!.head_sha).toBe(newest!.head_commit_sha);
  });

  test('comments on the version before are accepted, and are on the new one or outdated', async () => {
    const made: Promise<string>[] = [];
    const pushes: ReturnType<PushService['push']>[] = [];
    for (let i = 0; i < 20; i++) {
      made.push(service.comment(i % 2 ? { new_line: 2 } : { old_line: 2 }));
      if (i % 5 === 2) pushes.push(service.push({ diff: i === 2 ? second : patch('x.ts', '@@ -2 +1,0 @@', '-two') }));
    }
    const ids = await Promise.all(made);
    expect((await Promise.all(pushes)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { body } = await service.get<DiffVersion[]>(`${mergeRequest}/versions`);
    const heads = body.map((version) => version.head_commit_sha);
    const known = await Promise.all(ids.map(async (id) => (await service.placeOf(id))!));
    expect(known.filter(({ head_sha }) => !heads.includes(head_sha))).toEqual([]);
    const removed = known.filter((_, i) => i % 2 === 0);
    expect(removed.map(({ head_sha }) => head_sha)).toEqual(removed.map(() => heads[0]));
  });
});
