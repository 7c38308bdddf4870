import type { Key, KeyName } from '../../src/cli/app.js';
import { press } from '../../src/cli/notes/triage/transitions.js';
import { firstState, type Step, type TriageState } from '../../src/cli/notes/triage/state.js';
import type { Discussion, Note } from '../../src/contract/shapes/note.js';

/** Of the user 1 unless another is given. */
export const noteOf = (id: number, body: string, user = 1): Note => ({
  id, type: 'DiscussionNote', body, attachment: null, created_at: '2024-05-01T11:00:00.000Z', updated_at: '2024-05-01T11:00:00.000Z',
  author: { id: user, name: 'Ada', username: 'ada', state: 'active', avatar_url: null, web_url: 'https://a.example/ada' },
  system: false, noteable_id: 50, noteable_type: 'MergeRequest', noteable_iid: 1, resolvable: true, resolved: false,
});

export const threadWith = (id: string, ...notes: readonly Note[]): Discussion => ({ id, individual_note: false, notes } as Discussion);

/** Three threads, each with a note of another user, the second with one of this user, too. */
export const triageState = (): TriageState => firstState([
  threadWith('a', noteOf(1, 'one', 2)), threadWith('b', noteOf(2, 'two', 2), noteOf(3, 'mine')), threadWith('c', noteOf(4, 'three', 2)),
], 1);

/** The state and the effect after keys: letters, names, or `:text`. */
export const pressed = (state: TriageState, ...words: readonly string[]): Step => words
  .flatMap((word): Key[] => word.startsWith(':') ? [{ name: 'paste', text: word.slice(1) }]
    : [word.length === 1 ? { name: 'text', text: word } : { name: word as KeyName }])
  .reduce<Step>(([now], key) => press(now, key), [state, null]);
