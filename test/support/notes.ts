import type { Note } from '../../src/contract/shapes/note.js';

/** A note with these parts. */
export const note = (more: Partial<Note> = {}): Note => ({
  id: 1, type: 'DiscussionNote', body: 'text', attachment: null, created_at: '2024-05-01T11:00:00.000Z', updated_at: '2024-05-01T11:00:00.000Z',
  author: { id: 1, name: 'Ada', username: 'ada', state: 'active', avatar_url: null, web_url: 'https://a.example/ada' },
  system: false, noteable_id: 1, noteable_type: 'MergeRequest', resolvable: false, ...more,
});
