import type { App } from '../app.js';
import { draftName, purposeKey, readable, readDraftName, type DraftName, type Purpose } from './draft-name.js';
import { textAboveLastScissors } from './scissors.js';

/** Where texts lie that are not delivered yet. Only this user can look into it. */
export interface DraftFolder {
  /** Names of the files in it; none when the folder does not exist. */
  readonly names: () => Promise<readonly string[]>;
  readonly pathOf: (name: string) => string;
  /** Makes a file and resolves to its path, which is elsewhere when the folder can't be written to. */
  readonly write: (name: string, text: string) => Promise<string>;
  readonly read: (path: string) => Promise<string>;
  readonly remove: (path: string) => Promise<void>;
}

/** A text that an earlier call left behind. */
export interface Draft {
  readonly path: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const longestKept = 30 * 24 * 60 * 60 * 1000;

/** Keeps a text until it is delivered, and clears away what nobody came back for in 30 days. */
export const keepDraft = async (app: App, purpose: Purpose, text: string): Promise<string> => {
  const path = await app.drafts.write(await draftName(purpose, 'text', app.now(), app.pid), text);
  app.journal.draft = path;
  await clearOld(app);
  return path;
};

/** Makes the file that an editor works on. What is saved there is a draft too, should the program die meanwhile. */
export const keepPage = async (app: App, purpose: Purpose, content: string): Promise<string> => {
  const path = await app.drafts.write(await draftName(purpose, 'page', app.now(), app.pid), content);
  app.journal.draft = path;
  return path;
};

/** Removes a draft that is delivered or given up. */
export const dropDraft = async ({ drafts, journal }: App, path: string): Promise<void> => {
  await drafts.remove(path);
  if (journal.draft === path) journal.draft = null;
};

/** The texts that are kept for a purpose, the newest first. Pages that hold nothing are no drafts. */
export const draftsFor = async (app: App, purpose: Purpose): Promise<Draft[]> => {
  const key = await purposeKey(purpose);
  return draftsThat(app, (name) => name.purpose === key);
};

/** The texts that are kept for what is called the same on another service or in another project, the newest first. */
export const draftsElsewhere = async (app: App, purpose: Purpose): Promise<Draft[]> => {
  const [key, words] = [await purposeKey(purpose), readable(purpose)];
  return draftsThat(app, (name) => name.words === words && name.purpose !== key);
};

const draftsThat = async (app: App, fits: (name: DraftName) => boolean): Promise<Draft[]> => {
  const named = (await known(app)).filter(fits).toSorted((a, b) => b.at - a.at);
  const drafts = await Promise.all(named.map((name) => readDraft(app, name)));
  return drafts.filter(({ text }) => text.trim() !== '');
};

const readDraft = async ({ drafts }: App, { file, kind, at }: DraftName): Promise<Draft> => {
  const path = drafts.pathOf(file);
  const content = await drafts.read(path);
  return { path, at, text: kind === 'page' ? textAboveLastScissors(content) : content };
};

const known = async ({ drafts }: App): Promise<DraftName[]> =>
  (await drafts.names()).map(readDraftName).filter((name) => name !== null);

const clearOld = async (app: App): Promise<void> => {
  const oldest = app.now().getTime() - longestKept;
  const old = (await known(app)).filter(({ at }) => at < oldest);
  await Promise.all(old.map(({ file }) => app.drafts.remove(app.drafts.pathOf(file))));
};
