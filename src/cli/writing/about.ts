import type { Discussion, Note } from '../../contract/shapes/note.js';
import type { PositionInput } from '../../contract/shapes/position.js';
import { plainLine, plainText } from '../io/plain.js';
import type { Target } from '../targets/target.js';
import type { FoundNote } from '../targets/threads.js';
import type { EditorContext } from './editor-page.js';

/** What an editor shows of a thread that is answered. */
export const aboutThread = async (
  { client, kind, path, name }: Target, discussion_id: string,
): Promise<EditorContext> => {
  const thread = await client.discussions[kind].get({ ...path, discussion_id });
  return { present: '', about: ['Reply to this thread.', '', ...quoted(thread, name)] };
};

/** What an editor shows of a note that is changed: its present text is where the new one starts. */
export const aboutNote = async (
  { client, kind, path, name, on }: FoundNote,
): Promise<EditorContext> => {
  const thread = await client.discussions[kind].get(path);
  const note: Note | undefined = thread.notes.find(({ id }) => id === path.note_id);
  return { present: note?.body ?? '', about: [`Edit ${name}.`, '', ...quoted(thread, on)] };
};

/** What an editor shows of a new thread: what it is on. */
export const aboutPlace = async (
  { name }: Target, position: PositionInput | undefined,
): Promise<EditorContext> => {
  const { new_path, old_path, new_line, old_line } = position ?? {};
  const line = new_line ?? old_line ?? null;
  const path = new_path ?? old_path ?? null;
  const place = path === null ? '' : `, ${plainLine(path)}${line === null ? '' : ` line ${line}`}`;
  return { present: '', about: [`New thread on ${name}${place}.`] };
};

/** A thread as it is shown to someone who answers it: who wrote, when, and what. */
export const quoted = ({ id, notes }: Discussion, name: string): string[] =>
  [`Thread ${plainLine(id)} of ${name}:`, ...notes.flatMap(noteLines)];

const noteLines = ({ id, author, created_at, resolved, system, body }: Note): string[] => {
  const state = system ? ', by the service' : resolved ? ', resolved' : '';
  const head = `${author.name} (@${author.username}), ${created_at}${state}, note ${id}`;
  return ['', plainLine(head), ...plainText(body).split('\n').map((line) => `  ${line}`.trimEnd())];
};
