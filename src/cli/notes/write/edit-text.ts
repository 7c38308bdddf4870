import type { Discussion, Note } from '../../../contract/shapes/note.js';
import type { Position, PositionInput } from '../../../contract/shapes/position.js';
import { asText, plainLine, plainText } from '../../../text/plain.js';
import { readMarker } from '../../../wire/note-text.js';
import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import type { Target } from '../../service/targets/target.js';
import type { NamedNote } from '../../service/targets/threads.js';
import { readEdited } from '../../state/folders.js';
import { positionText } from '../position/position.js';
import { codeText, fileLinesAt, haveTabs, hunkText, linesAround } from '../views/code.js';
import { shownText } from '../views/note.js';
import {
  type Draft, editorPage, type Purpose, removeDraft, saveDraft, savePage, textAboveScissors, withoutLastBreaks,
} from './drafts.js';

export interface EditorContext {
  readonly storedText: string;
  readonly context: readonly string[];
}

/**
 * Until the draft is saved, the editor page counts as one in case the editor fails or the program crashes.
 * @param earlier a draft to continue; it is sent even if it is left unchanged
 * @throws Problem when the text is empty or equals the text on the service
 */
export const editText = async (
  app: App, purpose: Purpose, earlier: Pick<Draft, 'text'> | null, { storedText, context }: EditorContext,
): Promise<{ readonly text: string; readonly draft: string }> => {
  const start = earlier?.text ?? storedText;
  const { content, scissors } = editorPage(start, context);
  const page = await savePage(app, purpose, content);
  const text = async () => textAboveScissors(await readEdited(app.drafts, page), scissors);
  try {
    await app.ask.edit(page);
  } catch (error) {
    const saved = await text();
    if (saved.trim() === '' || saved === start) await removeDraft(app, page);
    throw error;
  }
  const written = await text();
  const isUnchanged = written === withoutLastBreaks(storedText);
  if (written.trim() === '' || isUnchanged) {
    await removeDraft(app, page);
    throw new Problem('cancelled', `the text is ${written.trim() === '' ? 'empty' : 'unchanged'}; nothing was sent`);
  }
  const draft = await saveDraft(app, purpose, written);
  await removeDraft(app, page);
  return { text: written, draft };
};

export const replyContext = async (app: App, target: Target, discussion_id: string): Promise<EditorContext> => {
  const { client, kind, path } = target;
  const thread = await client.discussions[kind].get({ ...path, discussion_id });
  return { storedText: '', context: ['Reply to this thread.', '', ...await threadLines(app, target, thread)] };
};

export const editContext = async (app: App, { target, path, name }: NamedNote): Promise<EditorContext> => {
  const thread = await target.client.discussions[target.kind].get(path);
  const note: Note | undefined = thread.notes.find(({ id }) => id === path.note_id);
  return {
    storedText: readMarker(asText(note?.body)).text,
    context: [`Edit ${name}.`, '', ...await threadLines(app, target, thread)],
  };
};

export const newCommentContext = ({ name }: Target): EditorContext =>
  ({ storedText: '', context: [`New comment on ${name}.`] });

export const newThreadContext = async (
  app: App, target: Target, position: PositionInput | undefined,
): Promise<EditorContext> => {
  const lines = await hunkLines(app, target, position);
  return { storedText: '', context: [`New thread on ${target.name}${onPlace(position)}.`, ...lines] };
};

const onPlace = (position: Position | PositionInput | null | undefined): string => {
  const place = positionText(position);
  return place === '' ? '' : `, ${plainLine(place)}`;
};

const threadLines = async (app: App, target: Target, { id, notes }: Discussion): Promise<string[]> => [
  `Thread ${plainLine(id)} of ${target.name}${onPlace(notes[0]?.position)}:`,
  ...await hunkLines(app, target, notes[0]?.position), ...notes.flatMap(noteLines),
];

const hunkLines = async (
  app: App, target: Target, position: Position | PositionInput | null | undefined,
): Promise<string[]> => {
  const lines = position ? linesAround(await fileLinesAt(app, target, position), position) : [];
  const text = hunkText(lines, (_, part) => part, await codeText(haveTabs(lines)));
  return text === '' ? [] : ['', ...text.trimEnd().split('\n')];
};

export const noteLines = ({ id, author, created_at, resolved, system, body }: Note): string[] => {
  const state = system ? ', by the service' : resolved ? ', resolved' : '';
  const head = `${author.name} (@${author.username}), ${created_at}${state}, note ${id}`;
  return ['', plainLine(head), ...plainText(shownText(body)).split('\n').map((line) => `  ${line}`.trimEnd())];
};
