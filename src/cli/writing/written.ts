import type { App } from '../app.js';
import { Problem } from '../failures.js';
import type { Purpose } from './draft-name.js';
import { dropDraft, keepDraft, keepPage, type Draft } from './drafts.js';
import { editorPage, textAbove } from './scissors.js';

/** What an editor shows. */
export interface EditorContext {
  /** The text as it stands on the service; empty for a new note. */
  readonly present: string;
  /** What the text is about, line by line. */
  readonly about: readonly string[];
}

interface Written { readonly text: string; readonly draft: string }

/**
 * A text written in the user's editor, and the draft that holds it. The editor's page stays until then: when the editor
 * fails or the program dies, what was saved is a draft as well.
 * @param earlier a draft to go on with, which is sent as it is when it is left so
 * @throws Problem when nothing was written, or what was written is what the service has
 */
export const writtenInEditor = async (
  app: App, purpose: Purpose, earlier: Draft | null, { present, about }: EditorContext,
): Promise<Written> => {
  const start = earlier?.text ?? present;
  const { content, scissors } = editorPage(start, about);
  const page = await keepPage(app, purpose, content);
  const text = async () => textAbove(await app.drafts.read(page), scissors);
  try {
    await app.edit(page);
  } catch (error) {
    const left = await text();
    if (left.trim() === '' || left === start) await dropDraft(app, page);
    throw error;
  }
  const written = await text();
  const reason = reasonToCancel(written, present);
  const draft = reason === null ? await keepDraft(app, purpose, written) : '';
  await dropDraft(app, page);
  if (reason !== null) throw new Problem('cancelled', `${reason}, so nothing was sent`);
  return { text: written, draft };
};

const reasonToCancel = (written: string, present: string): string | null => {
  if (written.trim() === '') return 'nothing was written';
  return written === trimmedEnd(present) ? 'nothing was changed' : null;
};

const trimmedEnd = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n+$/, '');
