import { shellWord } from '../../../text/quoting.js';
import type { PartialPosition } from '../../../contract/shapes/position.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { Destination, Target } from '../../service/targets/target.js';
import { say } from '../../terminal/io/messages.js';
import { purposeOf, removeDraft, saveDraft } from '../write/drafts.js';
import { type EditorContext, editText, newThreadContext, replyContext } from '../write/edit-text.js';
import { textKey, writingKey, type UnsentText, type TextTarget } from './state.js';

/** Texts are drafts that other commands recover. */
export type TriageTexts = ReturnType<typeof triageTexts>;

/** @param tried when each text was sent first, by `textKey`, in milliseconds since 1970 */
export const triageTexts = (
  app: App, destination: Destination, target: Target, tried: ReadonlyMap<string, number>,
) => {
  const paths = new Map<string, string>();
  const purposeFor = (writing: TextTarget) => {
    const { command, below } = sendingOf(writing);
    return purposeOf(command, destination, below);
  };
  const remove = async (writing: TextTarget): Promise<void> => {
    const path = paths.get(writingKey(writing));
    if (path !== undefined) await removeDraft(app, path);
    paths.delete(writingKey(writing));
  };
  /** Replaces an earlier text for the same target. */
  const save = async (writing: TextTarget, text: string): Promise<void> => {
    const since = tried.get(textKey(writing, text)) ?? app.now();
    const path = await saveDraft(app, purposeFor(writing), text, new Date(since));
    // The report at the end names the command that recovers it.
    app.activity.draft = null;
    if (paths.get(writingKey(writing)) !== path) await remove(writing);
    paths.set(writingKey(writing), path);
  };
  /** @throws Problem when the text is empty or the editor fails */
  const compose = async (writing: TextTarget, typed: string): Promise<string> => {
    const earlier = typed.trim() === '' ? null : { text: typed };
    const context = await editorContext(app, target, writing);
    const { text, draft } = await editText(app, purposeFor(writing), earlier, context);
    await save(writing, text);
    if (paths.get(writingKey(writing)) !== draft) await removeDraft(app, draft);
    app.activity.draft = null;
    return text;
  };
  /** Saves texts and says which command sends each. */
  const report = async (flags: GlobalFlags, unsent: readonly UnsentText[]): Promise<void> => {
    if (flags.sandbox) return;
    for (const { writing, text } of unsent) {
      await save(writing, text);
      const { command, place } = sendingOf(writing);
      await say(app, flags, 'saved the text that was not sent\n'
        + `run \`colloquy ${command} ${target.name} ${place} --recover\` to send it`);
    }
  };
  return { save, remove, compose, report };
};

/** What sends the text: the command, the thread or note below its target, and the words that name its place. */
const sendingOf = (writing: TextTarget) => {
  switch (writing.kind) {
    case 'reply': return { command: 'discussions reply', below: writing.thread, place: writing.thread };
    case 'edit': return { command: 'notes edit', below: String(writing.note), place: String(writing.note) };
    case 'comment': return { command: 'discussions create', place: lineFlags(writing.position) };
  }
};

const lineFlags = ({ new_path, old_path, new_line, old_line }: PartialPosition): string =>
  `--file ${shellWord(new_path ?? old_path ?? '')} --line ${new_line ?? `old:${old_line}`}`;

const editorContext = (app: App, target: Target, writing: TextTarget): Promise<EditorContext> | EditorContext => {
  switch (writing.kind) {
    case 'reply': return replyContext(app, target, writing.thread);
    case 'comment': return newThreadContext(app, target, writing.position);
    case 'edit': return { storedText: '', context: [`Edit note ${writing.note} of ${target.name}.`] };
  }
};
