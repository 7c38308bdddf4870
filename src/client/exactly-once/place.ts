import { contract } from '../../contract/contract.js';
import type { Endpoint } from '../../contract/endpoint.js';
import { noteableKinds, type NoteableKind } from '../../contract/noteables.js';
import type { Params } from '../../wire/forms.js';

export interface Noteable {
  readonly kind: NoteableKind;
  readonly path: Params;
}

export interface Place extends Noteable {
  readonly makes: 'comment' | 'thread' | 'reply';
}

/** Where an endpoint that creates notes creates one. @throws TypeError for any other endpoint */
export const placeOf = (endpoint: Endpoint, params: Params): Place => {
  const { id, noteable_id, discussion_id } = params;
  for (const kind of noteableKinds) {
    const makes = madeBy(endpoint, kind);
    if (makes !== null) return { kind, makes, path: { id, noteable_id, ...(makes === 'reply' && { discussion_id }) } };
  }
  throw new TypeError(`${endpoint.method} ${endpoint.paths[0]} creates no note`);
};

const madeBy = (endpoint: Endpoint, kind: NoteableKind): Place['makes'] | null => {
  if (endpoint === contract.discussions[kind].create) return 'thread';
  if (endpoint === contract.discussions[kind].addNote) return 'reply';
  return kind !== 'commit' && endpoint === contract.notes[kind].create ? 'comment' : null;
};

export const noteableKey = ({ kind, path: { id, noteable_id } }: Noteable): string => [kind, id, noteable_id].join(' ');
