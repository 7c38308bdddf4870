import type { Contract } from '../../../contract/operations.js';
import type { Suggestion } from '../../../contract/shapes/note.js';
import type { HandlersOf } from '../../api/context.js';
import { httpError } from '../../http/errors.js';
import { json, jsonArray } from '../../http/json.js';
import { applyTogether } from './apply.js';
import { foundSuggestion, foundSuggestions } from './find.js';

/** behavior: suggestions.apply, suggestions.unknown */
export const suggestionHandlers: HandlersOf<Contract['suggestions']> = {
  apply: async ({ id, commit_message }, call) => {
    const found = await foundSuggestion(call, id);
    if (!found) throw httpError(404, 'Suggestion is not applicable as the suggestion was not found.');
    const [applied] = await applyTogether(call, [found], commit_message);
    return json<Suggestion>(applied!);
  },
  applyAll: async ({ ids, commit_message }, call) => {
    const found = await foundSuggestions(call, ids ?? []);
    if (!found) throw httpError(404, 'Suggestions are not applicable as one or more suggestions were not found.');
    return jsonArray((await applyTogether(call, found, commit_message)).map((applied) => json<Suggestion>(applied)));
  },
};
