import { basename } from 'node:path';
import * as Type from '@sinclair/typebox';
import { firstWords } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import type { Destination } from '../../service/targets/target.js';
import { largestDraft, stateKey } from '../../state/folders.js';
import type { Holder } from '../../state/lock.js';
import { canAsk, consent, say } from '../../terminal/io/messages.js';
import { readProblem } from '../../terminal/io/streams.js';
import type { View } from '../../terminal/output/view.js';
import { ago, timeText } from '../views/note.js';

export interface Draft extends DraftName {
  readonly path: string;
  readonly text: string;
  /** Another run that may still send it. */
  readonly heldBy: string | null;
}

export const maxAge = 30 * 24 * 60 * 60 * 1000;

/** Also removes drafts older than 30 days. @param at since when the text may have been sent */
export const saveDraft = async (app: App, purpose: Purpose, text: string, at = app.now()): Promise<string> => {
  const path = await writeDraft(app, purpose, 'text', text, at);
  await removeOldDrafts(app);
  return path;
};

/** Counts as a draft if the program ends while the editor runs. */
export const savePage = (app: App, purpose: Purpose, content: string): Promise<string> =>
  writeDraft(app, purpose, 'page', content, app.now());

const writeDraft = async (
  app: App, purpose: Purpose, kind: DraftKind, content: string, at: Date,
): Promise<string> => {
  const path = await app.drafts.write(await draftName(purpose, kind, at, await app.program.holder()), content);
  app.activity.draft = path;
  return path;
};

/** For a run that ends without a request that the service may have carried out. Errors leave the draft as it is. */
export const markUnsent = async ({ drafts, activity }: App): Promise<void> => {
  const { draft, changes, isDraftEarlier } = activity;
  const name = draft === null ? null : readDraftName(basename(draft));
  if (draft === null || isDraftEarlier || changes.length > 0 || name?.kind !== 'text') return;
  if (drafts.pathOf(name.file) !== draft) return;
  activity.draft = await drafts.rename(name.file, name.file.replace(/\.md$/, '.unsent.md')).catch(() => draft);
};

/**
 * Gives the draft the name of this run, of which only one succeeds.
 * @param isSent as it is, so that the service may store an unsent one from now on
 * @throws an error with the code `ENOENT` if another run took it
 */
export const takeDraft = async (
  { drafts, now, program }: App, purpose: Purpose, { file, kind }: Draft, isSent: boolean,
): Promise<string> => {
  const own = await program.holder();
  return drafts.rename(file, kind === 'unsent' && isSent ? await draftName(purpose, 'text', now(), own)
    : file.replace(/(?<=^\d+-)[^-]+/, await holderName(own)));
};

export const removeDraft = async ({ drafts, activity }: App, path: string): Promise<void> => {
  await drafts.remove(path);
  if (activity.draft === path) activity.draft = null;
};

export const draftsFor = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft[]> => {
  const key = await purposeKey(purpose);
  return findDrafts(app, flags, (name) => name.purpose === key);
};

export const isIdle = ({ heldBy }: Draft): boolean => heldBy === null;

/** @throws Problem if other runs may still send all of them */
const checkedIdle = (app: App, drafts: readonly Draft[], { verb, name }: Purpose): Draft[] => {
  const idle = drafts.filter(isIdle);
  if (idle.length > 0 || drafts.length === 0) return idle;
  throw new Problem('failure', `${drafts[0]!.heldBy} may still send the draft of \`${verb}\` for ${name}`,
    `wait until it ends; if it is not colloquy, send the text with -F:\n${draftLines(app, drafts)}`);
};

/**
 * Finds a text of the same verb for the same target; with consent, even for another service or project, as after a
 * mistyped address.
 * @throws Problem for none, and for several without a terminal
 */
export const draftToRecover = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft> => {
  const drafts = checkedIdle(app, await draftsFor(app, flags, purpose), purpose);
  const [newest, ...others] = drafts;
  if (!newest) return draftFromElsewhere(app, flags, purpose);
  const isSole = others.length === 0 || flags.yes;
  if (!isSole && canAsk(app, flags)) return chooseDraft(app, drafts, 'Use which draft?');
  if (!isSole) {
    throw usage(`${drafts.length} drafts of \`${purpose.verb}\` for ${purpose.name} found`,
      `send one of them with -F, or pass --yes to use the newest:\n${draftLines(app, drafts)}`);
  }
  await say(app, flags, `using the draft saved ${draftAge(app, newest)}`);
  return newest;
};

const draftFromElsewhere = async (app: App, flags: GlobalFlags, purpose: Purpose): Promise<Draft> => {
  const [key, words] = [await purposeKey(purpose), purposeSlug(purpose)];
  const found = await findDrafts(app, flags, (name) => name.words === words && name.purpose !== key);
  const drafts = checkedIdle(app, found, purpose);
  const [newest, ...others] = drafts;
  const noDraft = `no draft of \`${purpose.verb}\` for ${purpose.name} found`;
  if (!newest) {
    throw new Problem('not_found', noDraft, 'use the same service, project, command and arguments; '
      + 'texts of -m and -F are saved only if the service may still store them, drafts are kept for 30 days');
  }
  if (!flags.yes && !canAsk(app, flags)) {
    throw new Problem('not_found', noDraft, 'pass --yes to use the newest draft for another service or project, or '
      + `send one of them with -F:\n${draftLines(app, drafts)}`);
  }
  if (others.length > 0 && !flags.yes) {
    return chooseDraft(app, drafts, 'Use which draft for another service or project?');
  }
  const text = `the draft saved ${draftAge(app, newest)} for another service or project`;
  await consent(app, flags, `use ${text}`);
  if (flags.yes && !flags.dryRun) await say(app, flags, `using ${text}`);
  return newest;
};

const chooseDraft = async (app: App, drafts: readonly Draft[], question: string): Promise<Draft> =>
  drafts[await app.ask.choose(question, drafts.map((draft) => draftSummary(app, draft)))]!;

export const draftAge = (app: App, { at }: Draft): string => ago(new Date(at).toISOString(), app.now());

const draftLines = (app: App, drafts: readonly Draft[]): string =>
  drafts.map((draft) => `  ${draft.path}  ${draftSummary(app, draft)}`).join('\n');

const draftSummary = (app: App, draft: Draft): string => `${draftAge(app, draft)}: ${firstWords(draft.text)}`;

export interface SavedText extends Draft {
  readonly id: string;
  readonly command: string;
  readonly ref: string;
}

/** Leaves the pages of reviews out, which their own command continues. */
export const readSavedTexts = async (app: App, flags: GlobalFlags): Promise<SavedText[]> => {
  const drafts = await findDrafts(app, flags, ({ words, kind }) =>
    wordsIn(words) !== null && !(kind === 'page' && words.startsWith('discussions-review-')));
  return Promise.all(drafts.map(async (draft) =>
    ({ ...draft, ...wordsIn(draft.words)!, id: (await stateKey(`${draft.at}-${draft.purpose}`)).slice(0, 8) })));
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
      const content = await app.drafts.read(path);
      const heldBy = await holderOf(app, name);
      drafts.push({ ...name, path, heldBy, text: name.kind === 'page' ? textAboveScissors(content) : content });
    } catch (error) {
      const problem = error instanceof Problem ? error.message
        : `cannot read the saved text ${path}: ${readProblem(error, largestDraft)}`;
      await say(app, flags, `warning: ${problem}`);
    }
  }
  return drafts.filter(({ text }) => text.trim() !== '');
};

/** In milliseconds: a run on another machine is not known to have ended, but its requests are over by then. */
const longestRun = 300_000;

const holderOf = async (
  { now, program }: App, { at, kind, machine, pid, started }: DraftName,
): Promise<string | null> => {
  const own = await program.holder();
  if (machine !== null && machine !== await machineKey(own)) {
    return kind !== 'unsent' && now().getTime() - at < longestRun ? 'a process on another machine' : null;
  }
  return pid !== own.pid && await program.isRunning({ pid, started }) ? `process ${pid}` : null;
};

const draftNames = async ({ drafts }: App): Promise<DraftName[]> =>
  (await drafts.names()).map(readDraftName).filter((name) => name !== null);

const removeOldDrafts = async (app: App): Promise<void> => {
  const oldest = app.now().getTime() - maxAge;
  const old = (await draftNames(app)).filter(({ at }) => at < oldest);
  await Promise.all(old.map(({ file }) => app.drafts.remove(app.drafts.pathOf(file)).catch(() => undefined)));
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
  readonly pid: number;
  /** Null for a draft of an earlier version. */
  readonly machine: string | null;
  readonly started: string | null;
  readonly purpose: string;
  readonly words: string;
}

export const draftName = async (purpose: Purpose, kind: DraftKind, now: Date, holder: Holder): Promise<string> => {
  const words = `${await purposeKey(purpose)}-${purposeSlug(purpose)}`;
  return `${now.getTime()}-${await holderName(holder)}-${words}${kind === 'text' ? '' : `.${kind}`}.md`;
};

const holderName = async (holder: Holder): Promise<string> =>
  `${holder.pid}.${await machineKey(holder)}.${holder.started ?? ''}`;

const machineKey = async ({ machine }: Holder): Promise<string> => (await stateKey(machine)).slice(0, 8);

const purposeSlug = ({ verb, name }: Purpose): string =>
  `${verb}-${name}`.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60);

export const readDraftName = (file: string): DraftName | null => {
  const found = /^(\d{1,15})-(\d+)(?:\.([0-9a-f]{8})\.(\d*))?-([0-9a-f]{16})-([A-Za-z0-9-]*)(?:\.(page|unsent))?\.md$/
    .exec(file);
  if (!found) return null;
  const [, at, pid, machine = null, started, purpose, words, kind = 'text'] = found;
  return {
    file, at: Number(at), pid: Number(pid), machine, started: started || null, purpose: purpose!, words: words!,
    kind: kind as DraftKind,
  };
};

export const purposeKey = ({ verb, target }: Purpose): Promise<string> => stateKey(JSON.stringify([verb, ...target]));

/** @param below the thread or note it goes to, in the words of the command line */
export const purposeOf = (verb: string, { settings, ref, container, name }: Destination, below?: string): Purpose => ({
  verb, name: below === undefined ? name : `${name} ${below}`,
  target: [ref.base ?? settings.url?.href ?? '', container.toLowerCase(), name, below ?? ''],
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
 * The whole content if the scissors were deleted. Of several, the last ones count: what is above was written, or pasted
 * from `git commit --verbose`, and no comment below has their form.
 * @param scissors by default any of their form
 */
export const textAboveScissors = (content: string, scissors?: string): string => {
  const lines = content.replaceAll('\r\n', '\n').split('\n');
  const at = scissors === undefined ? lines.findLastIndex((line) => /^# (-{24,}) >8 \1$/.test(line))
    : lines.lastIndexOf(scissors);
  return withoutLastBreaks((at < 0 ? lines : lines.slice(0, at)).join('\n'));
};

export const withoutLastBreaks = (text: string): string => text.replaceAll('\r\n', '\n').replace(/(?<!\n)\n+$/, '');

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
