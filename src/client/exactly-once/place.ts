import { contract } from '../../contract/contract.js';
import type { Endpoint } from '../../contract/endpoint.js';
import { noteableKinds, type NoteableKind } from '../../contract/noteables.js';
import type { Params } from '../../wire/forms.js';

/** Where a call creates a note. */
export interface Place {
  readonly kind: NoteableKind;
  readonly makes: 'comment' | 'thread' | 'reply';
  /** The path parameters of the noteable, of a reply also `discussion_id`. */
  readonly path: Params;
  /** Identifies the noteable. */
  readonly noteable: string;
}

/** Where an endpoint that creates notes creates one. @throws TypeError for any other endpoint */
export const placeOf = (endpoint: Endpoint, params: Params): Place => {
  const { id, noteable_id, discussion_id } = params;
  for (const kind of noteableKinds) {
    const makes = madeBy(endpoint, kind);
    if (makes === null) continue;
    const path = { id, noteable_id, ...(makes === 'reply' && { discussion_id }) };
    return { kind, makes, path, noteable: [kind, id, noteable_id].join(' ') };
  }
  throw new TypeError(`${endpoint.method} ${endpoint.paths[0]} creates no note`);
};

const madeBy = (endpoint: Endpoint, kind: NoteableKind): Place['makes'] | null => {
  if (endpoint === contract.discussions[kind].create) return 'thread';
  if (endpoint === contract.discussions[kind].addNote) return 'reply';
  return kind !== 'commit' && endpoint === contract.notes[kind].create ? 'comment' : null;
};
