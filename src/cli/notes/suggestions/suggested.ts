import * as Type from '@sinclair/typebox';
import { suggestionReach } from '../../../contract/conventions.js';
import type { Discussion, Note, Suggestion } from '../../../contract/shapes/note.js';
import type { PartialPosition } from '../../../contract/shapes/position.js';
import { suggestionBlocks } from '../../../markdown/suggestions.js';
import { counted } from '../../../text/messages.js';
import { asText, plainLine } from '../../../text/plain.js';
import { pickFields, type View } from '../../terminal/output/view.js';
import { shortId } from '../thread-id.js';

export interface Suggested {
  readonly thread: string;
  readonly note: number;
  readonly author: Note['author'];
  readonly path: string;
  readonly from_line: number;
  readonly to_line: number;
  /** Every line ends with a line feed. */
  readonly text: string;
  readonly head_sha: string | null;
  readonly is_applied: boolean;
  readonly is_resolved: boolean;
  /** Newer services do not apply it (behavior: suggestions.too-long). */
  readonly is_long: boolean;
  readonly is_incomplete: boolean;
  /** The lines that it was made for, from a line on, as the service reports them; null if it does not. */
  readonly replaced: { readonly line: number; readonly text: string } | null;
}

/** Notes on removed lines have none (behavior: notes.suggestions). */
export const suggestionsIn = (thread: Discussion): Suggested[] =>
  thread.notes.filter(({ system }) => !system).flatMap((note) => {
    const position: PartialPosition = note.position ?? thread.notes[0]?.position ?? {};
    const { new_line: line, new_path: path, head_sha = null, position_type } = position;
    if (typeof line !== 'number' || typeof path !== 'string' || (position_type ?? 'text') !== 'text') return [];
    return changesIn(note, line).map((change): Suggested => ({
      thread: thread.id, note: note.id, author: note.author, path, head_sha, ...change,
      is_resolved: thread.notes[0]?.resolved ?? false,
    }));
  });

type Change = Pick<Suggested,
  'from_line' | 'to_line' | 'text' | 'is_applied' | 'is_long' | 'is_incomplete' | 'replaced'>;

/** A service that reports them is right about all but the lines of a long one (behavior: notes.suggestion-range). */
const changesIn = ({ body, suggestions }: Note, line: number): readonly Change[] => {
  const own = suggestionBlocks(asText(body)).map(({ above, below, text }): Change => ({
    from_line: Math.max(1, line - above), to_line: line + below, text, is_applied: false,
    is_long: Math.max(above, below) > suggestionReach, is_incomplete: false, replaced: null,
  }));
  return suggestions?.map((suggestion, at): Change => {
    const { from_line, to_line, to_content, applied: is_applied } = suggestion;
    const replaced = replacedLines(suggestion);
    const reported = { from_line, to_line, is_long: false, is_incomplete: false, replaced };
    if (!isComplete(suggestion)) {
      const same = own.length === suggestions.length ? own[at] : undefined;
      return { ...same ?? { ...reported, text: '', is_incomplete: true }, is_applied };
    }
    const text = to_content && to_content.replaceAll('\r\n', '\n').replace(/\n?$/, '\n');
    return { ...own[at]?.is_long && own[at].text === text ? own[at] : reported, text, is_applied, replaced };
  }) ?? own;
};

const isComplete = (suggestion: Suggestion): boolean => {
  const { from_line, to_line } = suggestion;
  // A text stands for one that is missing.
  const { to_content } = pickFields(suggestion, ['to_content']) as { readonly to_content: unknown };
  return typeof to_content === 'string' && [from_line, to_line].every(Number.isInteger)
    && from_line >= 1 && from_line <= to_line;
};

const replacedLines = (suggestion: Suggestion): Suggested['replaced'] => {
  const { from_line, from_content } = pickFields(suggestion, ['from_line', 'from_content']) as Record<string, unknown>;
  const isKnown = Number.isInteger(from_line) && typeof from_content === 'string' && from_content !== '';
  return isKnown ? { line: from_line as number, text: from_content } : null;
};

/** The path and the name are not escaped. */
export const suggestionName = ({ path, from_line, to_line, author, note }: Suggested): string =>
  `${path}:${from_line}${to_line > from_line ? `-${to_line}` : ''} by ${author.username} (note ${note})`;

export const commitMessage = (suggestions: readonly Suggested[]): string => {
  const files = new Set(suggestions.map(({ path }) => path)).size;
  const trailers = new Set(suggestions.map(({ author }) =>
    `Co-authored-by: ${plainAuthorName(author)} <${mailOf(author)}>`));
  return [
    `Apply ${counted(suggestions.length, 'suggestion')} to ${counted(files, 'file')}`, '', ...trailers, '',
  ].join('\n');
};

type Author = Suggested['author'];

/** Brackets would end the name. */
const plainAuthorName = ({ name, username }: Author): string =>
  plainLine(name).replace(/[<>]/g, '').trim() || plainLine(username).replace(/[<>]/g, '');

/** Such as `12-ada@users.noreply.HOST` without a public address. */
const mailOf = ({ id, username, public_email, web_url }: Author): string => {
  if (typeof public_email === 'string' && /^[^\s<>@\p{C}]+@[^\s<>@\p{C}]+$/u.test(public_email)) return public_email;
  const host = URL.canParse(web_url) ? new URL(web_url).hostname : 'invalid';
  return `${id}-${username.replace(/[^\w.-]/g, '-')}@users.noreply.${host}`;
};

const SuggestionRecord = Type.Object({
  thread: Type.String(), note: Type.Integer(), author: Type.String(), path: Type.String(), from_line: Type.Integer(),
  to_line: Type.Integer(), text: Type.String(),
});
type SuggestionRecord = Type.Static<typeof SuggestionRecord>;

export const suggestionRecord = (
  { thread, note, author, path, from_line, to_line, text }: Suggested,
): SuggestionRecord => ({ thread, note, author: author.username, path, from_line, to_line, text });

export const suggestionView: View<SuggestionRecord> = {
  columns: [
    {
      name: 'thread', cell: ({ thread }, { isTerminal }) => isTerminal ? shortId(thread) : thread,
      tone: () => 'strong',
    },
    { name: 'author', cell: ({ author }) => author, minWidth: 8, hideOrder: 1 },
    {
      name: 'lines', cell: ({ path, from_line, to_line }) => `${path}:${from_line}-${to_line}`, minWidth: 12,
      keep: 'end',
    },
    { name: 'text', cell: ({ text }) => text, minWidth: 20 },
  ],
  id: ({ thread }) => thread,
  shape: SuggestionRecord,
  emptyText: 'no suggestions',
};
