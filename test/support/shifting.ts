import type { World } from '../../src/server/world-file/schema.js';
import type { HttpRequest, HttpResponse } from '../../src/wire/http.js';
import type { TestService } from './service.js';

/** Unlike the ids that the services of tests give. */
export const threadId = (number: number) => `f${String(number).padStart(39, '0')}`;

/** 100 resolved threads by the author of the merge request, an open one by a reviewer, and 30 more resolved ones. */
export const blocker = { id: threadId(101), note: 1_101 };
export const shiftingWorld: World = {
  users: [
    { id: 1, username: 'root', name: 'Administrator', admin: true, token: 'root-token' },
    { id: 2, username: 'author', name: 'Ada Author', token: 'author-token' },
    { id: 3, username: 'reviewer', name: 'Rita Reviewer', token: 'reviewer-token' },
  ],
  groups: [{ id: 10, path: 'acme', visibility: 'private' }],
  projects: [{
    id: 20, path: 'acme/app', visibility: 'private', members: { author: 'developer', reviewer: 'maintainer' },
    merge_requests: [{
      id: 50, iid: 1, title: 'Change', author: 'author', discussions: Array.from({ length: 131 }, (_, i) => ({
        id: threadId(i + 1), notes: [{
          id: 1_001 + i, author: i === 100 ? 'reviewer' : 'author', body: i === 100 ? 'blocker' : `thread ${i + 1}`,
          ...(i !== 100 && { resolved_by: 'reviewer' }),
        }],
      })),
    }],
  }],
};

/** Where the note of one of the first threads is, which the author deletes. */
export const deletedNote = (times: number): string =>
  `/projects/20/merge_requests/1/discussions/${threadId(times)}/notes/${1_000 + times}`;

/** Whether the request is for the second page of a list. */
export const isSecondPage = ({ method, target }: Pick<HttpRequest, 'method' | 'target'>): boolean =>
  method === 'GET' && /\/(discussions|epics)\?(.*&)?page=2\b/.test(target);

/** The author deletes a thread between the first two pages of a list, so many times. */
export const shifting = (service: TestService, most = 1) => {
  let times = 0;
  return async (request: HttpRequest): Promise<HttpResponse> => {
    if (isSecondPage(request) && times < most) {
      times++;
      await service.delete(deletedNote(times), { as: 'author' });
    }
    return service.handle(request);
  };
};
