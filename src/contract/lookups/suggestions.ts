import * as Type from '@sinclair/typebox';
import { versions } from '../conventions.js';
import { endpoint, optional, required } from '../endpoint.js';
import { Suggestion } from '../shapes/note.js';

const message = optional(Type.String(), 'message of the commit; by default it counts suggestions and files');

const added = { status: 200, since: versions.suggestions, companion: true } as const;

/** Applied suggestions become a commit on the source branch (behavior: suggestions.apply). */
export const suggestions = {
  apply: endpoint({
    method: 'PUT', paths: ['/suggestions/:id/apply'], summary: 'apply a suggestion to the merge request',
    params: { id: required(Type.Integer(), 'id of the suggestion'), commit_message: message },
    returns: Suggestion, ...added,
  }),
  applyAll: endpoint({
    method: 'PUT', paths: ['/suggestions/batch_apply'], summary: 'apply suggestions to a merge request as one commit',
    params: {
      ids: required(Type.Array(Type.Integer()), 'ids of suggestions on the same branch'), commit_message: message,
    },
    returns: Type.Array(Suggestion), ...added,
  }),
};
