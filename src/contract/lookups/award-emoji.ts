import * as Type from '@sinclair/typebox';
import { companion, group, list, type Paths } from '../builders.js';
import { noteables } from '../conventions.js';
import { noteablePath, noteablePaths, noteId } from '../discussions.js';
import { required, type Endpoint } from '../endpoint.js';
import { liveOnly, nullable, Timestamp, User } from '../shapes/scalars.js';

/** behavior: awards.keys, awards.url */
export const AwardEmoji = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  user: User,
  created_at: Timestamp,
  updated_at: Timestamp,
  awardable_id: Type.Integer(),
  awardable_type: Type.String(),
  url: liveOnly(nullable(Type.String())),
}, { $id: 'AwardEmoji', description: 'reaction of a user to a note' });
export interface AwardEmoji extends Type.Static<typeof AwardEmoji> {}

const operations = <const P extends Endpoint['params']>(noun: string, path: P, pathsTo: (suffix: string) => Paths) => {
  const ofNote = { ...path, note_id: noteId };
  const ofOne = { ...ofNote, award_id: required(Type.Integer(), 'id of the award emoji') };
  const all = pathsTo('/notes/:note_id/award_emoji');
  const one = pathsTo('/notes/:note_id/award_emoji/:award_id');
  return {
    list: list(all, `list the award emoji of a note of one ${noun}`, ofNote, AwardEmoji),
    get: companion('GET', one, `get an award emoji of a note of one ${noun}`, ofOne, AwardEmoji),
    create: companion('POST', all, `award an emoji to a note of one ${noun}`,
      { ...ofNote, name: required(Type.String(), 'name of the emoji, without colons') }, AwardEmoji),
    delete: companion('DELETE', one, `delete an award emoji of a note of one ${noun}`, ofOne, null),
  };
};

const ofKind = <K extends 'issue' | 'snippet' | 'merge_request'>(kind: K) =>
  operations(noteables[kind].noun, noteablePath(kind), (suffix) => noteablePaths(kind, suffix));

const epicPath = {
  ...group,
  noteable_id: required(Type.Integer(), 'internal id of the epic', { documented: 'epic_iid' }),
};

/** The path of an epic has its iid here, and its global id elsewhere (behavior: awards.epic-iid). */
export const awardEmoji = {
  issue: ofKind('issue'),
  snippet: ofKind('snippet'),
  epic: operations('epic', epicPath, (suffix) => ({ paths: [`/groups/:id/epics/:noteable_id${suffix}`] })),
  merge_request: ofKind('merge_request'),
};
