/** Hints for people who type a command, and what they say to an agent, which has the fields of a tool instead. */
const translations: readonly (readonly [RegExp, string])[] = [
  [/^post the comments at once, without --drafts$/, 'use comment or reply, which post at once'],
  [/^use --delete-if-empty .*/, 'pass a body'],
  [/^pass a text with -m .*/, 'pass a body'],
  [/^run `colloquy discussions list (\S+)` to list them/, 'use find with what threads and ref $1 to list them'],
  [/^name it with --project, or set COLLOQUY_PROJECT/, 'pass it with its project, such as acme/app!12'],
  [/^name it with --group, or set COLLOQUY_GROUP/, 'pass it with its group, such as acme&1'],
  [/^name an epic: '&1', or a group with --group$/, 'pass ref, such as epic/1'],
  [/, or pass --allow-(?:odd-titles|outside)\b.*/, ''],
];

/** What an agent can do, in place of options that its tools do not have. Other hints are for the user too. */
export const hintForAgents = (hint: string): string =>
  translations.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), hint);
