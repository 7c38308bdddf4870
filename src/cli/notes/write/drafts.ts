import { basename } from 'node:path';
import * as Type from '@sinclair/typebox';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { Destination } from '../../service/targets/target.js';
import { largestDraft, stateKey } from '../../state/folders.js';
import { say } from '../../terminal/io/messages.js';
import { readProblem } from '../../terminal/io/streams.js';
import type { View } from '../../terminal/output/view.js';
import { timeText } from '../views/note.js';

export interface Draft {
  readonly path: string;
  readonly text: string;
  readonly at: number;
  readonly kind: DraftKind;
}

const maxAge = 30 * 24 * 60 * 60 * 1000;

/** Also removes drafts older than 30 days. @param at since when the text may have been sent */
export const saveDraft = async (app: App, purpose: Purpose, text: string, at = app.now()): Promise<string> => {
  const path = await app.drafts.write(await draftName(purpose, 'text', at, app.program.pid), text);
  app.activity.draft = path;
  await removeOldDrafts(app);
  return path;
};

/** Counts as a draft if the program ends while the editor runs. */
export const savePage = async (app: App, purpose: Purpose, content: string): Promise<string> => {
  const path = await app.drafts.write(await draftName(purpose, 'page', app.now(), app.program.pid), content);
  app.activity.draft = path;
  return path;
};

/** For a run that ends without a request that the service may have carried out. Errors leave the draft as it is. */
export const markUnsent = async ({ drafts, activity }: App): Promise<void> => {
  const { draft, changes, isDraftEarlier } = activity;
  const name = draft === null ? null : readDraftName(basename(draft));
  if (draft === null || isDraftEarlier || changes.length > 0 || name?.kind !== 'text') return;
  if (drafts.pathOf(name.file) !== draft) return;
  try {
    activity.draft = await drafts.write(name.file.replace(/\.md$/, '.unsent.md'), await drafts.read(draft));
    await drafts.remove(draft);
  } catch {
    activity.draft = draft;
  }
};

export const removeDraft = async ({ drafts, activity }: App, path: string): Promise<void> => {
  await drafts.remove(path);
  if (activity.draft === path) activity.draft = null;
};

export const draftsFor = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft[]> => {
  const key = await purposeKey(purpose);
  return findDrafts(app, flags, (name) => name.purpose === key);
};

export const draftsElsewhere = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft[]> => {
  const [key, words] = [await purposeKey(purpose), purposeSlug(purpose)];
  return findDrafts(app, flags, (name) => name.words === words && name.purpose !== key);
};

export interface SavedText extends Draft {
  readonly id: string;
  readonly command: string;
  readonly ref: string;
}

/** Leaves the pages of reviews out, which their own command continues. */
export const readSavedTexts = async (app: App, flags: GlobalFlags): Promise<SavedText[]> => {
  const drafts = await findDrafts(app, flags, ({ words, kind }) =>
    wordsIn(words) !== null && !(kind === 'page' && words.startsWith('discussions-review-')));
  return Promise.all(drafts.map(async (draft) => ({ ...draft, ...await namesOf(draft) })));
};

const namesOf = async ({ path }: Draft): Promise<Pick<SavedText, 'id' | 'command' | 'ref'>> => {
  const { words, at, purpose } = readDraftName(basename(path))!;
  return { id: (await stateKey(`${at}-${purpose}`)).slice(0, 8), ...wordsIn(words)! };
};

const wordsIn = (words: string): Pick<SavedText, 'command' | 'ref'> | null => {
  const [, noun, verb, kind, prefix = '', id] =
    /^(notes|discussions)-([a-z]+)-(mr|issue|snippet|epic|commit)-(id-)?([0-9A-Za-z]+)/.exec(words) ?? [];
  if (id === undefined) return null;
  return { command: `${noun} ${verb}`, ref: `${kind}/${prefix.replace('-', ':')}${id}` };
};

const findDrafts = async (app: App, flags: GlobalFlags, fits: (name: DraftName) => boolean): Promise<Draft[]> => {
  const named = (await draftNames(app)).filter(fits).toSorted((a, b) => b.at - a.at);
  const drafts: Draft[] = [];
  for (const name of named) {
    const path = app.drafts.pathOf(name.file);
    try {
      drafts.push(draftOf(name, path, await app.drafts.read(path)));
    } catch (error) {
      await say(app, flags, `warning: cannot read the saved text ${path}: ${readProblem(error, largestDraft)}`);
    }
  }
  return drafts.filter(({ text }) => text.trim() !== '');
};

const draftOf = ({ kind, at }: DraftName, path: string, content: string): Draft =>
  ({ path, at, kind, text: kind === 'page' ? textAboveScissors(content) : content });

const draftNames = async ({ drafts }: App): Promise<DraftName[]> =>
  (await drafts.names()).map(readDraftName).filter((name) => name !== null);

const removeOldDrafts = async (app: App): Promise<void> => {
  const oldest = app.now().getTime() - maxAge;
  const old = (await draftNames(app)).filter(({ at }) => at < oldest);
  await Promise.all(old.map(({ file }) => app.drafts.remove(app.drafts.pathOf(file))));
};

export interface Purpose {
  readonly verb: string;
  readonly name: string;
  /** Service, project, reference and thread, since two services may have a merge request 12. */
  readonly target: readonly string[];
}

/** A text, one that certainly was not sent, or the page of an editor that did not end. */
type DraftKind = 'text' | 'unsent' | 'page';

interface DraftName {
  readonly file: string;
  readonly kind: DraftKind;
  readonly at: number;
  readonly purpose: string;
  readonly words: string;
}

export const draftName = async (purpose: Purpose, kind: DraftKind, now: Date, pid: number): Promise<string> => {
  const words = purposeSlug(purpose);
  return `${now.getTime()}-${pid}-${await purposeKey(purpose)}-${words}${kind === 'text' ? '' : `.${kind}`}.md`;
};

const purposeSlug = ({ verb, name }: Purpose): string =>
  `${verb}-${name}`.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60);

export const readDraftName = (file: string): DraftName | null => {
  const [, at, purpose, words, kind = 'text'] =
    /^(\d{1,15})-\d+-([0-9a-f]{16})-([A-Za-z0-9-]*)(?:\.(page|unsent))?\.md$/.exec(file) ?? [];
  if (at === undefined) return null;
  return { file, at: Number(at), purpose: purpose!, words: words!, kind: kind as DraftKind };
};

export const purposeKey = ({ verb, target }: Purpose): Promise<string> => stateKey(JSON.stringify([verb, ...target]));

/** @param below the thread or note it goes to, in the words of the command line */
export const purposeOf = (verb: string, { settings, ref, container, name }: Destination, below?: string): Purpose => ({
  verb, name: below === undefined ? name : `${name} ${below}`,
  target: [ref.base ?? settings.url?.href ?? '', container, name, below ?? ''],
});

/** vim reads settings from the last five lines of a file, so these hide any in text from other users. */
const modelineGuard = ['#', '#', '#', '#', '#'];

const advice = [
  'Do not change the line above. Everything from there on is removed.',
  'Nothing is sent if the text is empty or unchanged.',
];

export const editorPage = (text: string, context: readonly string[]) => {
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

/**
 * The whole content if the scissors were deleted.
 * @param scissors by default the last line of their form: no comment below them has that
 */
export const textAboveScissors = (content: string, scissors?: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = scissors === undefined ? lines.findLastIndex((line) => /^# (-{24,}) >8 \1$/.test(line))
    : lines.indexOf(scissors);
  return (at < 0 ? lines : lines.slice(0, at)).join('\n').replace(/(?<!\n)\n+$/, '');
};

const SavedRecord = Type.Object({
  id: Type.String(), command: Type.String(), ref: Type.String(), at: Type.String(), text: Type.String(),
});
type SavedRecord = Type.Static<typeof SavedRecord>;

export const savedRecord = ({ id, command, ref, at, text }: SavedText): SavedRecord =>
  ({ id, command, ref, at: new Date(at).toISOString(), text });

export const savedTextView: View<SavedRecord> = {
  columns: [
    { name: 'id', cell: ({ id }) => id, tone: () => 'strong' },
    { name: 'command', cell: ({ command }) => command },
    { name: 'ref', cell: ({ ref }) => ref },
    { name: 'at', cell: ({ at }, display) => timeText(at, display), tone: () => 'faint', hideOrder: 1 },
    { name: 'text', cell: ({ text }) => text, minWidth: 20 },
  ],
  id: ({ id }) => id,
  shape: SavedRecord,
  emptyText: 'no saved comments',
};
