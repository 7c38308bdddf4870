import type { Discussion, Note } from '../../contract/shapes/note.js';
import type { PositionInput } from '../../contract/shapes/position.js';
import { plainLine, plainText } from '../io/plain.js';
import type { Target } from '../targets/target.js';
import type { FoundNote } from '../targets/threads.js';
import type { EditorContext } from './editor-page.js';

/** The editor page for a reply: the thread. */
export const replyContext = async (
  { client, kind, path, name }: Target, discussion_id: string,
): Promise<EditorContext> => {
  const thread = await client.discussions[kind].get({ ...path, discussion_id });
  return { storedText: '', context: ['Reply to this thread.', '', ...threadLines(thread, name)] };
};

/** The editor page for a changed note: its current text and its thread. */
export const editContext = async (
  { client, kind, path, name, on }: FoundNote,
): Promise<EditorContext> => {
  const thread = await client.discussions[kind].get(path);
  const note: Note | undefined = thread.notes.find(({ id }) => id === path.note_id);
  return { storedText: note?.body ?? '', context: [`Edit ${name}.`, '', ...threadLines(thread, on)] };
};

/** The editor page for a new thread: the noteable and the position. */
export const newThreadContext = async (
  { name }: Target, position: PositionInput | undefined,
): Promise<EditorContext> => {
  const { new_path, old_path, new_line, old_line } = position ?? {};
  const line = new_line ?? old_line ?? null;
  const path = new_path ?? old_path ?? null;
  const place = path === null ? '' : `, ${plainLine(path)}${line === null ? '' : ` line ${line}`}`;
  return { storedText: '', context: [`New thread on ${name}${place}.`] };
};

/** A thread as lines: author, time and text of each note. */
export const threadLines = ({ id, notes }: Discussion, name: string): string[] =>
  [`Thread ${plainLine(id)} of ${name}:`, ...notes.flatMap(noteLines)];

const noteLines = ({ id, author, created_at, resolved, system, body }: Note): string[] => {
  const state = system ? ', by the service' : resolved ? ', resolved' : '';
  const head = `${author.name} (@${author.username}), ${created_at}${state}, note ${id}`;
  return ['', plainLine(head), ...plainText(body).split('\n').map((line) => `  ${line}`.trimEnd())];
};
