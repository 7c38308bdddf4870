import { mkdtemp, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { App, DraftFolder } from '../../app.js';
import { Problem } from '../../command-line/errors/failure.js';
import { makeFolder } from '../../state/folders.js';
import type { Destination } from '../../service/targets/target.js';
import { textAboveLastScissors } from './editor-page.js';

/** A text that an earlier call could not send. */
export interface Draft {
  readonly path: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

const maxAge = 30 * 24 * 60 * 60 * 1000;

/** Saves a text until it is sent, and removes drafts older than 30 days. */
export const saveDraft = async (app: App, purpose: Purpose, text: string): Promise<string> => {
  const path = await app.drafts.write(await draftName(purpose, 'text', app.now(), app.pid), text);
  app.journal.draft = path;
  await removeOldDrafts(app);
  return path;
};

/** Creates the file for the editor. It counts as a draft if the program ends while the editor runs. */
export const savePage = async (app: App, purpose: Purpose, content: string): Promise<string> => {
  const path = await app.drafts.write(await draftName(purpose, 'page', app.now(), app.pid), content);
  app.journal.draft = path;
  return path;
};

/** Removes a draft that was sent or abandoned. */
export const removeDraft = async ({ drafts, journal }: App, path: string): Promise<void> => {
  await drafts.remove(path);
  if (journal.draft === path) journal.draft = null;
};

/** The drafts for a purpose, the newest first, without empty ones. */
export const draftsFor = async (app: App, purpose: Purpose): Promise<Draft[]> => {
  const key = await purposeKey(purpose);
  return findDrafts(app, (name) => name.purpose === key);
};

/** The drafts for the same command and reference on another service or in another project, the newest first. */
export const draftsElsewhere = async (app: App, purpose: Purpose): Promise<Draft[]> => {
  const [key, words] = [await purposeKey(purpose), purposeSlug(purpose)];
  return findDrafts(app, (name) => name.words === words && name.purpose !== key);
};

const findDrafts = async (app: App, fits: (name: DraftName) => boolean): Promise<Draft[]> => {
  const named = (await draftNames(app)).filter(fits).toSorted((a, b) => b.at - a.at);
  const drafts = await Promise.all(named.map((name) => readDraft(app, name)));
  return drafts.filter(({ text }) => text.trim() !== '');
};

const readDraft = async ({ drafts }: App, { file, kind, at }: DraftName): Promise<Draft> => {
  const path = drafts.pathOf(file);
  const content = await drafts.read(path);
  return { path, at, text: kind === 'page' ? textAboveLastScissors(content) : content };
};

const draftNames = async ({ drafts }: App): Promise<DraftName[]> =>
  (await drafts.names()).map(readDraftName).filter((name) => name !== null);

const removeOldDrafts = async (app: App): Promise<void> => {
  const oldest = app.now().getTime() - maxAge;
  const old = (await draftNames(app)).filter(({ at }) => at < oldest);
  await Promise.all(old.map(({ file }) => app.drafts.remove(app.drafts.pathOf(file))));
};

/** The command and target that a text is written for. */
export interface Purpose {
  /** As it is called: `notes add`. */
  readonly verb: string;
  /** As it stands in messages: `mr/12`. */
  readonly name: string;
  /** Everything that tells this target from others: service, project, reference, thread. */
  readonly target: readonly string[];
}

/** Whether a file holds a text, or a page that an editor was at. */
type DraftKind = 'text' | 'page';

/** What the name of a draft's file tells. */
export interface DraftName {
  readonly file: string;
  readonly kind: DraftKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly purpose: string;
  /** The purpose in words, see `readable`. */
  readonly words: string;
}

/** A name for a new file: when, what for, and the process, so that no two are alike. */
export const draftName = async (purpose: Purpose, kind: DraftKind, now: Date, pid: number): Promise<string> => {
  const words = purposeSlug(purpose);
  return `${now.getTime()}-${pid}-${await purposeKey(purpose)}-${words}${kind === 'page' ? '.page' : ''}.md`;
};

/** What a draft is for, as in its file name. Two services may have a merge request 12. */
export const purposeSlug = ({ verb, name }: Purpose): string =>
  `${verb}-${name}`.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 60);

/** Reads a name; null for files that are none of ours. */
export const readDraftName = (file: string): DraftName | null => {
  const [, at, purpose, words, page] = /^(\d{1,15})-\d+-([0-9a-f]{16})-([A-Za-z0-9-]*)(\.page)?\.md$/.exec(file) ?? [];
  if (at === undefined) return null;
  return { file, at: Number(at), purpose: purpose!, words: words!, kind: page ? 'page' : 'text' };
};

/** A purpose as a word that fits into a file name. */
export const purposeKey = async ({ verb, target }: Purpose): Promise<string> => {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(JSON.stringify([verb, ...target])).digest('hex').slice(0, 16);
};

/**
 * What a text is written for.
 * @param verb as it is called: `notes add`
 * @param below the thread or note it goes to, in the words of the command line
 */
export const purposeOf = (verb: string, { settings, ref, container, name }: Destination, below?: string): Purpose => ({
  verb, name: below === undefined ? name : `${name} ${below}`,
  target: [ref.base ?? settings.url?.href ?? '', container, name, below ?? ''],
});

type Env = Readonly<Record<string, string | undefined>>;

/** The folder for what the program keeps between two calls; XDG asks to pass over a path that is not absolute. */
export const stateFolder = (env: Env, home: string, platform: string): string => {
  const { XDG_STATE_HOME: state, LOCALAPPDATA: local } = env;
  if (state && isAbsolute(state)) return join(state, 'colloquy');
  if (platform === 'win32' && local) return join(local, 'colloquy', 'state');
  return join(home, '.local', 'state', 'colloquy');
};

/** Drafts in files that only this user can read. */
export const draftFolder = (state: string): DraftFolder => {
  const folder = join(state, 'drafts');
  return {
    names: () => names(folder),
    pathOf: (name) => join(folder, name),
    write: (name, text) => write(folder, name, text),
    read: (path) => readFile(path, 'utf8'),
    remove: async (path) => {
      await rm(path, { force: true });
      if (dirname(path) !== folder) await rmdir(dirname(path)).catch(() => undefined);
    },
  };
};

const names = async (folder: string): Promise<string[]> => {
  try {
    return await readdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return [];
    throw error;
  }
};

/** Falls back to a temporary folder if the home folder is not writable, as in some containers. */
const write = async (folder: string, name: string, text: string): Promise<string> => {
  try {
    makeFolder(folder);
    return await writeNew(join(folder, name), text);
  } catch {
    return inTemporaryFolder(folder, name, text);
  }
};

const inTemporaryFolder = async (folder: string, name: string, text: string): Promise<string> => {
  try {
    return await writeNew(join(await mkdtemp(join(tmpdir(), 'colloquy-')), name), text);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new Problem('failure', `cannot save a draft in ${folder} or ${tmpdir()} (${code ?? message})`,
      'set XDG_STATE_HOME to a writable folder', { cause });
  }
};

const writeNew = async (path: string, text: string): Promise<string> => {
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  return path;
};
