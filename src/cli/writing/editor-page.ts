import type { App } from '../app.js';
import { Problem } from '../errors/failure.js';
import { removeDraft, saveDraft, savePage, type Draft, type Purpose } from './drafts.js';

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
export const editText = async (
  app: App, purpose: Purpose, earlier: Draft | null, { present, about }: EditorContext,
): Promise<Written> => {
  const start = earlier?.text ?? present;
  const { content, scissors } = editorPage(start, about);
  const page = await savePage(app, purpose, content);
  const text = async () => textAboveScissors(await app.drafts.read(page), scissors);
  try {
    await app.edit(page);
  } catch (error) {
    const left = await text();
    if (left.trim() === '' || left === start) await removeDraft(app, page);
    throw error;
  }
  const written = await text();
  const reason = reasonToCancel(written, present);
  const draft = reason === null ? await saveDraft(app, purpose, written) : '';
  await removeDraft(app, page);
  if (reason !== null) throw new Problem('cancelled', `${reason}; nothing was sent`);
  return { text: written, draft };
};

const reasonToCancel = (written: string, present: string): string | null => {
  if (written.trim() === '') return 'the text is empty';
  return written === trimmedEnd(present) ? 'the text is unchanged' : null;
};

const trimmedEnd = (text: string): string => text.replaceAll('\r\n', '\n').replace(/\n+$/, '');

/** What an editor opens, and the line that parts the text from what is there to be read alone. */
export interface EditorPage {
  readonly content: string;
  readonly scissors: string;
}

/** vim takes settings from the last lines of a file: five lines of ours keep those of strangers out of reach. */
const tail = ['#', '#', '#', '#', '#'];

const advice = [
  'Do not change the line above. Everything from there on is removed.',
  'Nothing is sent if the text is empty or unchanged.',
];

/**
 * A page for the editor: the text to start with, and below the scissors what it is about, as comment lines.
 * @param text stays whole: the scissors are made longer than any it holds
 */
export const editorPage = (text: string, about: readonly string[]): EditorPage => {
  const scissors = scissorsFor(text);
  const comments = [...advice, '', ...about].flatMap((line) => line.split('\n'))
    .map((line) => `# ${line}`.trimEnd());
  return { content: [text, '', scissors, ...comments, ...tail, ''].join('\n'), scissors };
};

const scissorsFor = (text: string): string => {
  for (let length = 24; ; length++) {
    const line = `# ${'-'.repeat(length)} >8 ${'-'.repeat(length)}`;
    if (!text.includes(line)) return line;
  }
};

/** The text above the scissors, without the line breaks it ends with; all of it when the scissors were deleted. */
export const textAboveScissors = (content: string, scissors: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = lines.indexOf(scissors);
  return trimmed(at < 0 ? lines : lines.slice(0, at));
};

/** The same for a page whose scissors are not known any more: what stands below them never looks like them. */
export const textAboveLastScissors = (content: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = lines.findLastIndex((line) => /^# (-{24,}) >8 \1$/.test(line));
  return trimmed(at < 0 ? lines : lines.slice(0, at));
};

const trimmed = (lines: readonly string[]): string => lines.join('\n').replace(/\n+$/, '');
