import type { Readable, Writable } from 'node:stream';
import type { TokenType } from '../contract/conventions.js';
import type { BaseUrl } from '../client/base-url.js';
import type { Time } from '../wire/time.js';
import type { OddRecord } from '../client/whole-records.js';
import type { Transport } from '../wire/http.js';

/** A write resolves once the data is flushed, so that a slow reader slows the writer. */
export interface Output {
  readonly write: (text: string) => Promise<void>;
  readonly writeBytes: (bytes: Uint8Array) => Promise<void>;
  /** Whether its reader is gone, as after `| head`: what is written then is dropped. */
  readonly isClosed: () => boolean;
  readonly isTerminal: boolean;
  /** 80 if the output is not a terminal. */
  readonly columns: number;
  readonly rows: number;
  /** 0 none, 1 sixteen, 2 256, 3 true color. */
  readonly colors: 0 | 1 | 2 | 3;
}

export interface Input {
  readonly isTerminal: boolean;
  /** @throws an error with the code `EFBIG` above 256 MiB */
  readonly read: () => Promise<Uint8Array>;
}

export type FileKind = 'file' | 'folder' | 'link' | 'stream';

export interface OpenFile {
  /** The text is in the file at once, which takes a part of the time of an awaited write; if it throws, nothing is. */
  readonly append: (text: string) => void;
  /** Whether the file is still at its path, with all that was appended. */
  readonly isInPlace: () => boolean;
}

interface Files {
  readonly folder: () => string;
  /** What a path names; a link to a pipe or a device is a `stream`. Null if nothing is there. */
  readonly kindOf: (path: string) => Promise<FileKind | null>;
  /** At most 256 MiB. @throws an error with the code `EFBIG`, and the system's errors */
  readonly read: (path: string) => Promise<Uint8Array>;
  /**
   * Regular files only: devices and pipes could be endless. @param folder where the file must be, links resolved
   * @throws an error with the code `ENOTFILE`, `EFBIG` or `EOUTSIDE`, and the errors of `read`
   */
  readonly readLimited: (path: string, most: number, folder?: string) => Promise<Uint8Array>;
  /** In a CI job, the project if it contains the path, even if a link leads out of it. */
  readonly projectOf: (path: string) => Promise<string | undefined>;
  /**
   * Paths of the regular files below a folder, without those of git and `node_modules`. Links are not followed,
   * and folders that cannot be read are left out. Null above a number of files and folders.
   */
  readonly below: (folder: string, most: number) => Promise<readonly string[] | null>;
  /** The path below the folder once links are resolved; null outside of it, and if there is no file. */
  readonly realPath: (path: string, folder: string) => Promise<string | null>;
  readonly append: (path: string, text: string) => Promise<void>;
  /** Keeps the file open until the program ends. */
  readonly openToAppend: (path: string) => Promise<OpenFile>;
  readonly write: (path: string, content: string | Uint8Array) => Promise<void>;
  /** If the parts or the disk fail, the file stays as it was. */
  readonly writeParts: (path: string, parts: AsyncIterable<string>) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
}

/** Of the current git work tree; paths are from its top. Functions may reject with the system's errors. */
export interface TrackedFiles {
  readonly at: (revision: string, path: string) => Promise<Uint8Array | null>;
  /**
   * @throws an error with the code `ENOTREE` outside of a work tree, `EUNTRACKED` unless it is a regular file that git
   * tracks, `ELINK` if the path leads through a link
   */
  readonly read: (path: string) => Promise<Uint8Array>;
  /** All or none; they keep their mode. @param contents of files that `read` accepts */
  readonly replace: (contents: ReadonlyMap<string, Uint8Array>) => Promise<void>;
  /** Commits these files alone, with the user's hooks. Resolves to the SHA; without a commit, rejects as git failed. */
  readonly commit: (paths: readonly string[], message: string, signal: AbortSignal) => Promise<string>;
}

export interface Git {
  readonly top: () => Promise<string | null>;
  /** Null where HEAD is detached, and outside of a work tree. */
  readonly branch: () => Promise<string | null>;
  /** The list is empty outside of a work tree. */
  readonly remotes: () => Promise<readonly Remote[]>;
  /** Null without git, work tree or commit. @param paths from the top of the work tree; none for all files */
  readonly diff: (from: string, to: string, paths: readonly string[]) => Promise<string | null>;
  /** The full SHA; null if git does not know the revision. */
  readonly sha: (revision: string) => Promise<string | null>;
  readonly tracking: (branch: string) => Promise<Tracking>;
  /** Numbers of commits that only one of the two has behind it. Null if git does not know one of them. */
  readonly distance: (from: string, to: string) => Promise<Readonly<Record<'onlyFrom' | 'onlyTo', number>> | null>;
  readonly tracked: TrackedFiles;
}

/** Null for what is not configured. `ref` is such as `refs/heads/topic`; it is pushed if git pushes there. */
export interface Tracking extends Readonly<Record<'ref' | 'remote' | 'pushRemote', string | null>> {
  readonly isPushed: boolean;
}

/** Check `canAsk` first. */
export interface Prompts {
  /** @param byDefault what Enter alone answers; false by default */
  readonly confirm: (message: string, byDefault?: boolean) => Promise<boolean>;
  readonly text: (message: string, isLong?: boolean) => Promise<string>;
  readonly discardTyped: () => Promise<boolean>;
  readonly password: (message: string) => Promise<string>;
  readonly choose: (message: string, choices: readonly string[]) => Promise<number>;
  /** Null for a terminal that cannot move its cursor. */
  readonly screen: WithScreen | null;
  /** Resolves when the editor has exited successfully. @param line at which it opens, if it is a known editor */
  readonly edit: (path: string, line?: number) => Promise<void>;
}

export type KeyName = 'enter' | 'escape' | 'backspace' | 'delete' | 'left' | 'right' | 'home' | 'end' | 'up' | 'down'
  | 'pageup' | 'pagedown' | 'ctrl-d' | 'ctrl-e' | 'ctrl-u' | 'ctrl-w';

/** Pasted text may have several lines; `resize` comes when the size of the terminal changes. */
export type Key =
  | { readonly name: KeyName | 'resize' }
  | { readonly name: 'text' | 'paste'; readonly text: string };

export interface Screen {
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** @param lines that fit, already escaped @param cursor its row and column from 0; hidden when null */
  readonly draw: (lines: readonly string[], cursor: readonly [row: number, column: number] | null) => Promise<void>;
  /** @throws the reason of an interrupt, and a Problem when the terminal is gone */
  readonly key: () => Promise<Key>;
  readonly waitingKeys: () => number;
  /** Leaves the terminal to another program. */
  readonly lend: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Restores the terminal, even if the work fails or the program is stopped. */
type WithScreen = <T>(work: (screen: Screen) => Promise<T>) => Promise<T>;

export interface ServiceSockets {
  readonly url: BaseUrl;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  readonly timeout?: number;
  readonly responseTimeout?: number;
}

/** Everything outside the program that a command may use: `main.ts` builds the real one, tests one in memory. */
export interface App {
  readonly out: Output;
  readonly err: Output;
  readonly stdin: Input;
  readonly files: Files;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** In milliseconds, for durations: unlike the clock, it is not set. */
  readonly elapsed: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly ask: Prompts;
  readonly drafts: DraftFolder;
  readonly state: StateFolder;
  readonly activity: Activity;
  readonly tools: Tools;
  readonly git: Git;
  readonly profiles: ProfileStore;
  /** Redacted on stderr and in dry runs. */
  readonly secrets: Set<string>;
  readonly cache: CacheFolder;
  readonly openSockets: (service: ServiceSockets) => Promise<Transport>;
  readonly time?: Time;
  /** Aborted by SIGINT, SIGTERM and SIGHUP, and at the deadline. */
  readonly signal: AbortSignal;
  /** Of the run, in milliseconds: `restart` gives the whole time again if it was set, `stop` waits for that. */
  readonly deadline: Record<'restart' | 'stop', () => void> & {
    readonly set: (ms: number, why: () => Error) => void; readonly limit: <T>(work: () => T) => Promise<T>;
  };
  readonly program: Program;
  /** An agent: it approves changes, has its texts, and stored `drafts`. Its errors are printed as with `--json`. */
  readonly agent?: Agent & Readonly<{ place?: ReviewPlace; hunks?: boolean }>;
}

type Agent = Readonly<{ approve: (changes: readonly object[]) => void; drafts: Set<number> }>;

/** Where a comment of a review belongs: without any, on the whole merge request; without a line, on the file. */
export type ReviewPlace = Readonly<{ thread?: string; file?: string; line?: number }>;

interface Program {
  readonly version: string;
  readonly pid: number;
  readonly holder: () => Promise<{ readonly machine: string; readonly pid: number; readonly started: string | null }>;
  readonly isRunning: (other: { readonly pid: number; readonly started: string | null }) => Promise<boolean>;
  /** Runs another command line in this process, with another or the same app. Never rejects. */
  readonly run: (words: readonly string[], app: App) => Promise<number>;
  /** Standard input and output, for protocols that speak over both. */
  readonly streams: () => { readonly input: Readable; readonly output: Writable };
  /** Called when a list has more than one page: it takes less memory from then on. */
  readonly expectLongList: () => Promise<void>;
}

/** Every call rejects if there is no working keyring. */
export interface Keyring {
  readonly get: (account: string) => Promise<string | null>;
  readonly set: (account: string, secret: string) => Promise<void>;
  readonly remove: (account: string) => Promise<void>;
}

export interface EndedProgram {
  /** As shells report it: 128 and the number of the signal, 127 if there is no such program, 126 if it cannot run. */
  readonly exit: number;
  readonly signal: NodeJS.Signals | null;
  readonly error: Error | null;
}

export interface Tools {
  readonly has: (name: string) => Promise<boolean>;
  /** Waits for the pager; false if it cannot start. @param command for the shell @param prompt as less writes it */
  readonly page: (command: string, text: string, prompt?: string) => Promise<boolean>;
  /** False if that is not possible. This program can end before a browser that stays in the foreground. */
  readonly openUrl: (url: string) => Promise<boolean>;
  /**
   * Without a shell, with the standard input of this program, which passes its signals on.
   * @param receive gets its output; it is read on when the promise resolves, and closed if it rejects
   */
  readonly run: (
    command: readonly string[], receive: (stream: 'out' | 'err', chunk: Uint8Array) => Promise<void>,
  ) => Promise<EndedProgram>;
}

/** Besides the token; named like the flags. */
export const profileKeys = ['url', 'token-type', 'project', 'group', 'timeout', 'retries', 'ca-cert', 'client-cert',
  'client-key'] as const;
export type ProfileKey = (typeof profileKeys)[number];

/** The token is only for the origin of the url; it is in the system keyring if `keyring` is set. */
export type Profile = { readonly [K in ProfileKey | 'token']?: string } & { readonly keyring?: true };

export interface Profiles {
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
  readonly unknown?: readonly { readonly message: string; readonly hint: string }[];
}

export interface ProfileStore {
  readonly path: string;
  readonly keyring: Keyring;
  /** Other users can replace the file if its folder is writable for them. */
  readonly isShared: () => boolean;
  /** Other users can read the file. */
  readonly isExposed: () => boolean;
  readonly read: () => Promise<Profiles>;
  /** Under a lock, so that no change of another process is lost. Resolves to the previous profiles. */
  readonly change: (to: (profiles: Profiles) => Profiles) => Promise<Profiles>;
}

/** With `pushUrls` if it is not pushed to `url`. */
export type Remote = Readonly<{ name: string; url: string; pushUrls?: readonly string[] }>;

export interface DraftFolder {
  readonly names: () => Promise<readonly string[]>;
  readonly pathOf: (name: string) => string;
  /** Resolves to the path: in a temporary folder if the drafts folder is not writable. */
  readonly write: (name: string, text: string) => Promise<string>;
  readonly read: (path: string) => Promise<string>;
  /** Takes names of the drafts folder, and resolves to the new path. */
  readonly rename: (from: string, to: string) => Promise<string>;
  readonly remove: (path: string) => Promise<void>;
}

/** Only this user can read them. Names may contain folders: `a/b`. Functions reject with the system's error. */
export interface StateFolder {
  readonly pathOf: (name: string) => string;
  readonly read: (name: string) => Promise<Uint8Array | null>;
  readonly create: (name: string, content: string) => Promise<void>;
  /** At once, even if the power fails; creates the folder too. */
  readonly write: (name: string, content: string | Uint8Array) => Promise<void>;
  /** The text is on the disk when the promise resolves. */
  readonly append: (name: string, text: string) => Promise<void>;
  readonly remove: (name: string) => Promise<void>;
  readonly names: (folder: string) => Promise<readonly string[]>;
  /** Creates the folder. @param ifUnwritable runs instead, with the system's error, if the folder cannot be locked */
  readonly locked: <T>(
    folder: string, work: () => Promise<T>, ifUnwritable?: (error: NodeJS.ErrnoException) => Promise<T>,
  ) => Promise<T>;
}

export interface Change {
  readonly request: string;
  /** `open` until a response arrives; rejected requests are removed again. */
  outcome: 'open' | 'done';
  /** Of a response that does not tell whether the service made the change. */
  status: number | null;
}

interface Waits {
  /** Of all requests together, as far as they happened. */
  repeats: number;
  ms: number;
  isReported: boolean;
  /** Why a request is repeated now, as in the event; null after a response that is not. */
  lastFailure: string | null;
}

/** As shown in messages: `--url`, `COLLOQUY_URL`, `profile work`. */
export type Sources = { [K in 'url' | 'token' | 'project' | 'group' | 'reference' | 'base']?: string } & {
  tokenType?: TokenType;
};

export interface Activity {
  draft: string | null;
  /** An earlier run saved its text, and may have sent it. */
  isDraftEarlier: boolean;
  /** A text is being sent that is stored nowhere else. */
  isTextUnsaved: boolean;
  /** What a run that succeeds did not do: it posted nothing, as an earlier note has the key, or not all. */
  omitted: { readonly reason: string; readonly isPosted: boolean } | null;
  readonly warnings: string[];
  /** What the run made is being deleted or completed: an interrupt waits for that. */
  isCleaningUp: boolean;
  readonly effects: string[];
  recovery: string | null;
  readonly changes: Change[];
  readonly waits: Waits;
  readonly sources: Sources;
  readonly odd: OddRecord[];
  /** In questions and plans; null before a connection is opened. */
  service: string | null;
}

/** Errors are ignored: an unreadable file counts as missing. */
export interface CacheFolder {
  /** What this run has seen, until it is stored. */
  readonly completions: CompletionRecords;
  readonly read: (name: string) => string | null;
  /** Under a lock, so that no change of another process is lost. Never rejects. */
  readonly change: (name: string, to: (text: string | null) => string) => Promise<void>;
  /** The most recently written name comes first. */
  readonly names: () => readonly string[];
  readonly remove: (name: string) => void;
}

/** The word to type, its description, and for an epic the global id. */
export type Completion = readonly [value: string, text: string, id?: number];

type Completions = Readonly<Record<'items' | 'notes' | 'authors' | 'files', Map<string, Completion>>>;

export interface CompletionRecord extends Completions {
  readonly base: string;
  readonly container: string;
  /** The short form of the noteable, or `epics`. */
  readonly name: string;
}

export type CompletionRecords = Map<string, CompletionRecord>;
