/** The names of derived types. A method is `area.operation` or `area.kind.operation` in the tree of the contract. */

const capitalized = (text) => text[0].toUpperCase() + text.slice(1);

/** `merge_request` and `mergeRequest` become `MergeRequest`. */
export const pascal = (name) => name.split('_').map(capitalized).join('');

/** The object of an area, and the name of all its methods. */
const nouns = {
  discussions: ['Discussion', 'Discussions'],
  appearance: ['Appearance', 'AppearanceMethods'],
  epics: ['Epic', 'Epics'],
  lookups: ['Lookup', 'Lookups'],
  notes: ['Note', 'Notes'],
  discussionNotes: ['DiscussionNote', 'DiscussionNotes'],
  draftNotes: ['DraftNote', 'DraftNotes'],
  awardEmoji: ['AwardEmoji', 'AwardEmojiMethods'],
  hooks: ['Hook', 'Hooks'],
  issues: ['Issue', 'Issues'],
  mergeRequests: ['MergeRequest', 'MergeRequests'],
  suggestions: ['Suggestion', 'Suggestions'],
};

const nounsOf = (area) => {
  if (!nouns[area]) throw new Error(`no nouns for the area ${area} of the contract`);
  return nouns[area];
};

/** The name of the parameters of a method: `CreateMergeRequestDiscussionParams`, `LookupUserParams`. */
export const paramsName = (name) => {
  const [area, ...kinds] = name.split('.');
  const operation = kinds.pop();
  const [one, many] = nounsOf(area);
  if (area === 'lookups') return `${one}${pascal(operation)}Params`;
  const [, verb, object] = /^([a-z]+)(\w*)$/.exec(operation);
  return `${capitalized(verb)}${kinds.map(pascal).join('')}${verb === 'list' ? many : one}${object}Params`;
};

/** The name of a group of methods: `Client`, `Discussions`, `MergeRequestDiscussions`. */
export const groupName = ([area, ...kinds]) =>
  area === undefined ? 'Client' : `${kinds.map(pascal).join('')}${nounsOf(area)[1]}`;
