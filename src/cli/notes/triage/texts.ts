import { shellWord } from '../../../text/quoting.js';
import type { PartialPosition } from '../../../contract/shapes/position.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { Destination, Target } from '../../service/targets/target.js';
import { say } from '../../terminal/io/messages.js';
import { purposeOf, removeDraft, saveDraft, type Purpose } from '../write/drafts.js';
import { type EditorContext, editText, newThreadContext, replyContext } from '../write/edit-text.js';
import { writingKey, type UnsentText, type TextTarget } from './state.js';

/** Texts are drafts that other commands recover. */
export type TriageTexts = ReturnType<typeof triageTexts>;

export const triageTexts = (app: App, destination: Destination, target: Target) => {
  const paths = new Map<string, string>();
  const purposeFor = (writing: TextTarget) => purposeOf(commandFor(writing), destination, wordFor(writing));
  const remove = async (writing: TextTarget): Promise<void> => {
    const path = paths.get(writingKey(writing));
    if (path !== undefined) await removeDraft(app, path);
    paths.delete(writingKey(writing));
  };
  /** Replaces an earlier text for the same target. */
  const save = async (writing: TextTarget, text: string): Promise<void> => {
    const path = await saveDraft(app, purposeFor(writing), text);
    // The report at the end names the command that recovers it.
    app.activity.draft = null;
    if (paths.get(writingKey(writing)) !== path) await remove(writing);
    paths.set(writingKey(writing), path);
  };
  /** @throws Problem when the text is empty or the editor fails */
  const compose = async (writing: TextTarget, typed: string): Promise<string> => {
    const purpose: Purpose = purposeFor(writing);
    const earlier = typed.trim() === '' ? null : { path: '', text: typed, at: 0, kind: 'page' as const };
    const { text, draft } = await editText(app, purpose, earlier, await editorContext(app, target, writing));
    await save(writing, text);
    if (paths.get(writingKey(writing)) !== draft) await removeDraft(app, draft);
    app.activity.draft = null;
    return text;
  };
  /** Saves texts and says which command sends each. */
  const report = async (flags: GlobalFlags, unsent: readonly UnsentText[]): Promise<void> => {
    for (const { writing, text } of unsent) {
      await save(writing, text);
      const words = [commandFor(writing), target.name, ...argumentsFor(writing)].join(' ');
      await say(app, flags, `saved the text that was not sent\nrun \`colloquy ${words} --recover\` to send it`);
    }
  };
  return { save, remove, compose, report };
};

const commandFor = ({ kind }: TextTarget): string =>
  ({ reply: 'discussions reply', edit: 'notes edit', comment: 'discussions create' })[kind];

const wordFor = (writing: TextTarget): string | undefined => {
  switch (writing.kind) {
    case 'reply': return writing.thread;
    case 'edit': return String(writing.note);
    case 'comment': return undefined;
  }
};

const argumentsFor = (writing: TextTarget): readonly string[] => {
  if (writing.kind !== 'comment') return [wordFor(writing)!];
  const { new_path, old_path, new_line, old_line } = writing.position as PartialPosition;
  const line = new_line ?? `old:${old_line}`;
  return ['--file', shellWord(new_path ?? old_path ?? ''), '--line', String(line)];
};

const editorContext = (app: App, target: Target, writing: TextTarget): Promise<EditorContext> | EditorContext => {
  switch (writing.kind) {
    case 'reply': return replyContext(app, target, writing.thread);
    case 'comment': return newThreadContext(app, target, writing.position);
    case 'edit': return { storedText: '', context: [`Edit note ${writing.note} of ${target.name}.`] };
  }
};
