import { emojiPattern, versions } from '../conventions.js';
import { chosen, factsAbout, observed } from './fact.js';

export const awardFacts = factsAbout('notes', {
  'awards.paths': observed(
    'The award emoji of a note are at `…/notes/:note_id/award_emoji` below issues, merge requests, snippets and epics, '
    + 'oldest first, in pages.'),
  'awards.epic-iid': observed('The path of the award emoji of an epic has its `iid`, not its global id.'),
  'awards.keys': observed(
    'An award emoji has `id`, `name`, `user`, `created_at`, `updated_at`, `awardable_id`, which is the id of the note, '
    + 'and `awardable_type`, which is `Note`.'),
  'awards.url': observed('An award emoji also has `url`, which is null for an emoji of Unicode.',
    { dialects: ['live'], from: versions.unknown }),
  'awards.create': observed('Awarding an emoji with its `name` gets 201 with the award emoji.'),
  'awards.aliases': observed('`+1` and `-1` are stored as `thumbsup` and `thumbsdown`.'),
  'awards.again': observed(
    'Awarding an emoji that the caller has awarded to the note gets 404 with `404 Award Emoji Name has already been '
    + 'taken Not Found`.'),
  'awards.invalid-name': observed(
    'Awarding an unknown emoji gets 404 with `404 Award Emoji Name is not a valid emoji name Not Found`.'),
  'awards.names': chosen(
    `This server knows every emoji whose name matches \`${emojiPattern.source}\`, as custom emoji can have such `
    + 'names.'),
  'awards.hidden': observed(
    'A caller who can see the object but not the note, or cannot comment, gets 404 with `404 Award Emoji Not Found`.'),
  'awards.system-notes': observed(
    'Awarding an emoji to a system note gets 404 with `404 Award Emoji Awardable cannot be awarded emoji Not Found`.'),
  'awards.delete': observed(
    'An award emoji is deleted by its user or an administrator with 204; others get 401 with `401 Unauthorized`.'),
  'awards.unknown': observed('An unknown award emoji, or one of another note, gets 404 with `404 Not found`.'),
  'awards.with-note': observed('The award emoji of a note are deleted with it.'),
  'awards.no-hooks': chosen('No webhook of this server reports award emoji.'),
});
