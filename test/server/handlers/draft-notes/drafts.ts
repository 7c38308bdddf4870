import { afterEach, beforeEach } from 'vitest';
import type { DraftNote } from '../../../../src/contract/lookups/draft-notes.js';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import { testService, type Sent, type TestService } from '../../../support/service.js';
import { refs } from '../../../support/worlds.js';

export const mergeRequest = '/projects/acme%2Fapp/merge_requests/1';
export const drafts = `${mergeRequest}/draft_notes`;
export const shas = { base_sha: refs.base, start_sha: refs.start, head_sha: refs.head };
export const added = { ...shas, position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2 };
export const outside = { ...added, new_line: 400 };

/** A live service for each test, and what tests of draft notes ask it. Called once in a test file. */
export const draftService = () => {
  let service: TestService;
  beforeEach(async () => { service = await testService({ dialect: 'live' }); });
  afterEach(() => service.close());
  const answer = async (method: string, path: string, sent: Sent = {}) => {
    const { status, body } = await service.call(method, path, sent);
    return [status, body];
  };
  return {
    call: ((...sent) => service.call(...sent)) as TestService['call'],
    faults: (rules: string[]) => service.faults(rules),
    answer,
    list: async (as = 'developer') => (await service.get<DraftNote[]>(drafts, { as })).body,
    draft: async (json: object, as = 'developer') => (await service.post<DraftNote>(drafts, { json, as })).body,
    discussions: async () => (await service.get<Discussion[]>(`${mergeRequest}/discussions?per_page=100`)).body,
    thread: async (id: string) => (await service.get<Discussion>(`${mergeRequest}/discussions/${id}`)).body,
    publishAll: (as = 'developer') => answer('POST', `${drafts}/bulk_publish`, { as }),
  };
};
