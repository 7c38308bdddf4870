import * as Type from '@sinclair/typebox';
import { noteables } from '../conventions.js';
import { noteablePath, noteablePaths, noteId } from '../discussions.js';
import { endpoint, required, type Endpoint } from '../endpoint.js';
import { group, pagingParams } from '../paging.js';
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

type Path = Pick<Endpoint, 'paths' | 'documentedOnly'>;

const operations = <const P extends Endpoint['params']>(noun: string, path: P, pathsTo: (suffix: string) => Path) => {
  const all = { ...path, note_id: noteId };
  const one = { ...all, award_id: required(Type.Integer(), 'id of the award emoji') };
  const list = '/notes/:note_id/award_emoji';
  return {
    list: endpoint({
      method: 'GET', ...pathsTo(list), summary: `list the award emoji of a note of one ${noun}`, companion: true,
      params: { ...all, ...pagingParams }, returns: Type.Array(AwardEmoji), status: 200, paged: true,
    }),
    get: endpoint({
      method: 'GET', ...pathsTo(`${list}/:award_id`), summary: `get an award emoji of a note of one ${noun}`,
      companion: true, params: one, returns: AwardEmoji, status: 200,
    }),
    create: endpoint({
      method: 'POST', ...pathsTo(list), summary: `award an emoji to a note of one ${noun}`, companion: true,
      params: { ...all, name: required(Type.String(), 'name of the emoji, without colons') },
      returns: AwardEmoji, status: 201,
    }),
    delete: endpoint({
      method: 'DELETE', ...pathsTo(`${list}/:award_id`), companion: true,
      summary: `delete an award emoji of a note of one ${noun}`, params: one, returns: null, status: 204,
    }),
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
