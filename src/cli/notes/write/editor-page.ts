import type { App } from '../../app.js';
import { Problem } from '../../command-line/errors/failure.js';
import { removeDraft, saveDraft, savePage, type Draft, type Purpose } from './drafts.js';

/** The content of an editor page. */
export interface EditorContext {
  /** The text stored on the service; empty for a new note. */
  readonly storedText: string;
  /** The context of the text, as lines. */
  readonly context: readonly string[];
}

interface EditedText { readonly text: string; readonly draft: string }

/**
 * Opens the editor and returns the text with the draft that stores it. Until then the editor page is kept as a draft
 * in case the editor fails or the program crashes.
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

const trimmedEnd = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n+$/, '');

/** The file that the editor opens, and the line that separates the text from the comments. */
export interface EditorPage {
  readonly content: string;
  readonly scissors: string;
}

/** vim reads settings from the last five lines of a file, so these hide any in text from other users. */
const modelineGuard = ['#', '#', '#', '#', '#'];

const advice = [
  'Do not change the line above. Everything from there on is removed.',
  'Nothing is sent if the text is empty or unchanged.',
];

/**
 * Creates an editor page: the initial text, the scissors line, and the context as comment lines.
 * @param text the initial text; the scissors are longer than any in it
 */
export const editorPage = (text: string, context: readonly string[]): EditorPage => {
  const scissors = scissorsFor(text);
  const comments = [...advice, '', ...context].flatMap((line) => line.split('\n'))
    .map((line) => `# ${line}`.trimEnd());
  return { content: [text, '', scissors, ...comments, ...modelineGuard, ''].join('\n'), scissors };
};

const scissorsFor = (text: string): string => {
  for (let length = 24; ; length++) {
    const line = `# ${'-'.repeat(length)} >8 ${'-'.repeat(length)}`;
    if (!text.includes(line)) return line;
  }
};

/** The text above the scissors, without trailing line breaks; the whole content if the scissors were deleted. */
export const textAboveScissors = (content: string, scissors: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = lines.indexOf(scissors);
  return trimmed(at < 0 ? lines : lines.slice(0, at));
};

/** Like `textAboveScissors` for unknown scissors; no line below them has their form. */
export const textAboveLastScissors = (content: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = lines.findLastIndex((line) => /^# (-{24,}) >8 \1$/.test(line));
  return trimmed(at < 0 ? lines : lines.slice(0, at));
};

const trimmed = (lines: readonly string[]): string => lines.join('\n').replace(/\n+$/, '');
