import type { App } from '../../app.js';
import { Problem } from '../../command-line/failure.js';
import { removeDraft, saveDraft, savePage, type Draft, type Purpose } from './drafts.js';
import { editorPage, textAboveScissors } from './editor-page.js';

export interface EditorContext {
  /** Empty for a new note. */
  readonly storedText: string;
  readonly context: readonly string[];
}

interface EditedText { readonly text: string; readonly draft: string }

/**
 * Until the draft is saved, the editor page counts as one in case the editor fails or the program crashes.
 * @param earlier a draft to continue; it is sent even if it is left unchanged
 * @throws Problem when the text is empty or equals the text on the service
 */
export const editText = async (
  app: App, purpose: Purpose, earlier: Draft | null, { storedText, context }: EditorContext,
): Promise<EditedText> => {
  const start = earlier?.text ?? storedText;
  const { content, scissors } = editorPage(start, context);
  const page = await savePage(app, purpose, content);
  const text = async () => textAboveScissors(await app.drafts.read(page), scissors);
  try {
    await app.edit(page);
  } catch (error) {
    const saved = await text();
    if (saved.trim() === '' || saved === start) await removeDraft(app, page);
    throw error;
  }
  const written = await text();
  const reason = reasonToCancel(written, storedText);
  const draft = reason === null ? await saveDraft(app, purpose, written) : '';
  await removeDraft(app, page);
  if (reason !== null) throw new Problem('cancelled', `${reason}; nothing was sent`);
  return { text: written, draft };
};

const reasonToCancel = (written: string, storedText: string): string | null => {
  if (written.trim() === '') return 'the text is empty';
  return written === trimmedEnd(storedText) ? 'the text is unchanged' : null;
};

const trimmedEnd = (text: string): string => text.replaceAll('\r\n', '\n').replace(/(?<!\n)\n+$/, '');
