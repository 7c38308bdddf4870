import type { Discussion } from '../../src/contract/shapes/note.js';
import type { PushResult, World } from '../../src/server/index.js';
import { expect } from 'vitest';
import { testService } from './service.js';

export const a = 'a'.repeat(40);
export const b = 'b'.repeat(40);
export const c = 'c'.repeat(40);
export const d = 'd'.repeat(40);
export const lines = (...texts: string[]): string => texts.map((text) => `${text}\n`).join('');
export const patch = (path: string, ...hunk: string[]): string => `--- a/${path}\n+++ b/${path}\n${lines(...hunk)}`;

export const diff = patch('x.ts', '@@ -1,4 +1,4 @@', ' one', '-two', '+2', ' three', ' four');
/** With merge requests that can be pushed to, that is merged, and without SHAs. */
export const pushWorld: World = {
  users: [{ username: 'root', admin: true, token: 'root-token' }, { username: 'developer', token: 'developer-token' }],
  projects: [{
    id: 20, path: 'acme/app', members: { developer: 'developer' },
    merge_requests: [
      { id: 91, iid: 1, title: 'Count', author: 'developer', base_sha: a, start_sha: a, head_sha: b, diff, created_at: '2024-04-01T08:00:00Z' },
      { id: 92, iid: 2, state: 'merged', base_sha: a, start_sha: a, head_sha: b, diff },
      { id: 93, iid: 3 },
    ],
  }],
};

/** A new first line, and another text where the comment is. */
export const second = patch('x.ts', '@@ -1,4 +1,5 @@', '+zero', ' one', '-two', '+2', ' three', ' four');

export const mergeRequest = '/projects/20/merge_requests/1';
export const discussions = `${mergeRequest}/discussions`;
export const on = { base_sha: a, start_sha: a, head_sha: b, position_type: 'text', old_path: 'x.ts', new_path: 'x.ts' };

/** A service whose merge request 1 a test comments on and pushes to. */
export const pushService = async (world = pushWorld) => {
  const service = await testService({ world, dialect: 'live' });
  const thread = async (id: string) => (await service.get<Discussion>(`${discussions}/${id}`)).body;
  return {
    ...service, thread,
    comment: async (line: object, body = 'x'): Promise<string> => {
      const { status, body: made } = await service.post<Discussion>(discussions, { json: { body, position: { ...on, ...line } } });
      expect(status).toBe(201);
      return made.id;
    },
    push: (change: object) => service.post<PushResult>('/-/push', { as: null, json: { project: 'acme/app', merge_request: 1, ...change } }),
    placeOf: async (id: string) => (await thread(id)).notes[0]!.position,
  };
};

export type PushService = Awaited<ReturnType<typeof pushService>>;
