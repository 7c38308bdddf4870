import type { BaseUrl } from '../client/base-url.js';
import type { NoteClient } from '../client/client.js';
import type { Observer } from '../client/middleware/events.js';
import type { OnceMode, Routes } from '../client/options.js';
import type { Time } from '../client/time.js';
import type { Transport } from '../wire/http.js';

/** An output stream. A write resolves once the data is flushed, so that a slow reader slows the writer. */
export interface Output {
  readonly write: (text: string) => Promise<void>;
  /** The same for bytes. */
  readonly writeBytes: (bytes: Uint8Array) => Promise<void>;
  readonly isTerminal: boolean;
  /** Width in columns; 80 if the output is not a terminal. */
  readonly columns: number;
  /** Lines of the terminal. */
  readonly rows: number;
  /** Supported colors: 0 none, 1 sixteen, 2 256, 3 true color. */
  readonly colors: 0 | 1 | 2 | 3;
}

/** Standard input. */
export interface Input {
  readonly isTerminal: boolean;
  /** @throws an error with the code `EFBIG` above 256 MiB */
  readonly read: () => Promise<Uint8Array>;
}

export interface Files {
  /**
   * Reads a file or a pipe, of at most 256 MiB.
   * @throws an error with the code `EFBIG`, and the system's errors
   */
  readonly read: (path: string) => Promise<Uint8Array>;
  /**
   * Reads a regular file of at most so many bytes. Other kinds of files, such as devices and pipes, could be endless.
   * @param folder where the file must be, after all links are resolved; anywhere if omitted
   * @throws an error with the code `ENOTFILE`, `EFBIG` or `EOUTSIDE`, and the errors of `read`
   */
  readonly readLimited: (path: string, most: number, folder?: string) => Promise<Uint8Array>;
  /** Appends to a file. A new file is readable by its owner only. */
  readonly append: (path: string, text: string) => Promise<void>;
  /** Replaces a file at once. It is readable by its owner only. */
  readonly write: (path: string, content: string | Uint8Array) => Promise<void>;
  /** The same for a long text: if the parts or the disk fail, the file stays as it was. */
  readonly writeParts: (path: string, parts: AsyncIterable<string>) => Promise<void>;
  /** Removes a file if it exists. */
  readonly remove: (path: string) => Promise<void>;
}

/** Prompts at the terminal. Check `canAsk` first. */
export interface Prompts {
  readonly confirm: (message: string) => Promise<boolean>;
  readonly text: (message: string) => Promise<string>;
  readonly password: (message: string) => Promise<string>;
  /** Resolves to the index of the chosen line; the first one is the default. */
  readonly choose: (message: string, choices: readonly string[]) => Promise<number>;
}

/** The options of a connection to a service. Times are in milliseconds. */
export interface Connection {
  readonly url: BaseUrl;
  readonly token: string;
  readonly timeout?: number;
  readonly retries?: number;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Whether writes throw `DryRun` instead of being sent. */
  readonly dryRun: boolean;
  readonly observe?: Observer;
  /** Wraps the transport to print requests and responses. @param base URL of the service */
  readonly trace?: (transport: Transport, base: string) => Transport;
  readonly journal: Journal;
  /** Clock, timer and random numbers; those of the system by default. */
  readonly time?: Time;
  /** Which of an endpoint's paths services support. */
  readonly routes?: Routes;
  /** How notes are created exactly once; see the options of the client. */
  readonly once: OnceMode;
  readonly resend?: boolean;
  /** Collects the threads and epics in responses for completion. */
  readonly completions?: CompletionRecords;
  /** Aborts all calls; the signal of the program by default. */
  readonly signal?: AbortSignal;
}

/** The options for requests outside the contract; without a token they are anonymous. */
export type RawConnection = Omit<Connection, 'token' | 'routes' | 'completions' | 'once' | 'resend'>
  & { readonly token: string | null };

/** Everything outside the program that a command may use: `main.ts` builds the real one, tests one in memory. */
export interface App {
  readonly out: Output;
  readonly err: Output;
  readonly stdin: Input;
  readonly files: Files;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** Resolves after so many milliseconds. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly ask: Prompts;
  /** Opens a file in the user's editor; resolves when the editor has exited successfully. */
  readonly edit: (path: string) => Promise<void>;
  readonly drafts: DraftFolder;
  /** Opens the folder for what the program keeps between two calls. */
  readonly state: () => Promise<StateFolder>;
  /** What this run has done and used. */
  readonly journal: Journal;
  /** The branch of the current git work tree, or null. */
  readonly branch: () => Promise<string | null>;
  /** The top folder of the current git work tree, or null. */
  readonly workTree: () => Promise<string | null>;
  /** The remotes of the current git work tree; empty outside of one. */
  readonly remotes: () => Promise<readonly Remote[]>;
  readonly tools: Tools;
  readonly profiles: ProfileStore;
  readonly keyring: Keyring;
  /** The tokens of this run: redacted on stderr and in dry runs. */
  readonly secrets: Set<string>;
  readonly cache: CacheFolder;
  /** Completion records of this run. */
  readonly completions: CompletionRecords;
  readonly connect: (connection: Connection) => Promise<NoteClient>;
  readonly reach: (connection: RawConnection) => Promise<Transport>;
  /** Called when a list has more than one page: saves memory at the cost of speed. */
  readonly expectLongList: () => Promise<void>;
  /** Aborted by SIGINT, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  readonly pid: number;
  readonly version: string;
}

/** The system keyring: secrets by account. Every call rejects if there is no working keyring. */
export interface Keyring {
  readonly get: (account: string) => Promise<string | null>;
  readonly set: (account: string, secret: string) => Promise<void>;
  readonly remove: (account: string) => Promise<void>;
}

/** How a program ended. */
export interface EndedProgram {
  /** As shells report it: 128 and the number of the signal, 127 if there is no such program, 126 if it cannot run. */
  readonly exit: number;
  readonly signal: NodeJS.Signals | null;
  /** Why the program could not be started. */
  readonly error: Error | null;
}

/** External programs. */
export interface Tools {
  /** Whether a program is in one of the folders of PATH. */
  readonly has: (name: string) => Promise<boolean>;
  /**
   * Shows a text in a pager and resolves when the pager has exited; false if it cannot be started.
   * @param command a command line for the shell
   */
  readonly page: (command: string, text: string) => Promise<boolean>;
  /**
   * Opens a URL in the user's browser; false if that is not possible. This program can end before a browser that stays
   * in the foreground.
   */
  readonly openUrl: (url: string) => Promise<boolean>;
  /**
   * Runs a program without a shell, with the standard input of this one. Signals to this program are passed on to it.
   * @param receive gets its output; it is read on when the promise resolves, and closed if it rejects
   */
  readonly run: (
    command: readonly string[], receive: (stream: 'out' | 'err', chunk: Uint8Array) => Promise<void>,
  ) => Promise<EndedProgram>;
  /**
   * The diff of some files between two commits of the current work tree; null without git, work tree or commit.
   * @param paths from the top of the work tree; none for all files
   */
  readonly gitDiff: (from: string, to: string, paths: readonly string[]) => Promise<string | null>;
}

/** The settings of a profile besides its token, named like the flags. */
export const profileKeys = [
  'url', 'project', 'group', 'timeout', 'retries', 'ca-cert', 'client-cert', 'client-key',
] as const;
export type ProfileKey = (typeof profileKeys)[number];

/**
 * Settings stored under a name. The token is only for the origin of the url; it is in the system keyring if `keyring`
 * is set.
 */
export type Profile = { readonly [K in ProfileKey | 'token']?: string } & { readonly keyring?: true };

/** The content of the profile file. */
export interface Profiles {
  /** The default profile. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The storage of profiles. */
export interface ProfileStore {
  readonly path: string;
  /** Whether other users can replace the file, because its folder is writable for them. */
  readonly isShared: () => boolean;
  readonly read: () => Promise<Profiles>;
  /**
   * Applies `to` to the stored profiles under a lock, so that no change of another process is lost. Resolves to the
   * previous profiles.
   */
  readonly change: (to: (profiles: Profiles) => Profiles) => Promise<Profiles>;
}

/** A remote of the current git work tree. */
export interface Remote {
  readonly name: string;
  readonly url: string;
}

/** The folder of drafts, readable by this user only. */
export interface DraftFolder {
  /** Names of the files in it; none when the folder does not exist. */
  readonly names: () => Promise<readonly string[]>;
  readonly pathOf: (name: string) => string;
  /** Creates a file and resolves to its path: in a temporary folder if the drafts folder is not writable. */
  readonly write: (name: string, text: string) => Promise<string>;
  readonly read: (path: string) => Promise<string>;
  readonly remove: (path: string) => Promise<void>;
}

/**
 * Files in the state folder, readable by this user only. Names may contain folders, separated by `/`. Every function
 * rejects with the error of the system.
 */
export interface StateFolder {
  readonly pathOf: (name: string) => string;
  /** Resolves to null if there is no such file. */
  readonly read: (name: string) => Promise<Uint8Array | null>;
  /** Creates a file and its folder. */
  readonly create: (name: string, content: string) => Promise<void>;
  /** Replaces a file at once, also if the power fails, and creates its folder. */
  readonly write: (name: string, content: string | Uint8Array) => Promise<void>;
  /** Appends to a file. The text is on the disk when the promise resolves. */
  readonly append: (name: string, text: string) => Promise<void>;
  /** Removes a file if it exists. */
  readonly remove: (name: string) => Promise<void>;
  /** Names of the files in a folder; none if it does not exist. */
  readonly names: (folder: string) => Promise<readonly string[]>;
  /**
   * Runs a function under the lock of a folder, which is created. The lock of a process that has ended is removed.
   * @param ifUnwritable runs in place of the function if the folder cannot be locked, with the error of the system
   */
  readonly locked: <T>(
    folder: string, work: () => Promise<T>, ifUnwritable?: (error: NodeJS.ErrnoException) => Promise<T>,
  ) => Promise<T>;
}

/** A write request and its outcome. */
export interface Change {
  /** `METHOD /path`. */
  readonly request: string;
  /** `open` until a response arrives; rejected requests are removed from the journal. */
  outcome: 'open' | 'done';
}

/** The waits of one run for retries. */
export interface Waits {
  /** Requests that were repeated, however often. */
  requests: number;
  /** The sum of all waits, in milliseconds. */
  ms: number;
  /** Whether one of them was long enough to be reported. */
  isReported: boolean;
}

/** Where the settings in use come from, as shown in messages: `--url`, `COLLOQUY_URL`, `profile work`. */
export type Sources = { [K in 'url' | 'token' | 'project' | 'group']?: string };

/** What one run has done and used, for the reports at its end. */
export interface Journal {
  /** The path of the draft that is not sent yet. */
  draft: string | null;
  /** Whether a text is being sent that is stored nowhere else. */
  isTextUnsaved: boolean;
  /** How to continue or undo what has begun, if it is interrupted. */
  recovery: string | null;
  /** In the order they were sent. */
  readonly changes: Change[];
  readonly waits: Waits;
  readonly sources: Sources;
}

/**
 * Files cached between calls. Errors are ignored: an unreadable file counts as missing.
 */
export interface CacheFolder {
  readonly read: (name: string) => string | null;
  /** Applies `to` to a file's text under a lock, so that no change of another process is lost. Never rejects. */
  readonly change: (name: string, to: (text: string | null) => string) => Promise<void>;
  /** The file names, the most recently written first. */
  readonly names: () => readonly string[];
  readonly remove: (name: string) => void;
}

/** A completion: the word to type, its description, and for an epic the global id. */
export type Completion = readonly [value: string, text: string, id?: number];

/** The completions for one noteable, or for the epics of one group. */
export interface CompletionRecord {
  readonly base: string;
  /** Id or path of the project or group, as in the request. */
  readonly container: string;
  /** The noteable in its short form, or `epics`. */
  readonly name: string;
  /** Threads, or epics. */
  readonly items: Map<string, Completion>;
  readonly notes: Map<string, Completion>;
  /** Usernames of the authors of notes. */
  readonly authors: Map<string, Completion>;
  /** Paths of changed files. */
  readonly files: Map<string, Completion>;
}

/** Completion records by `recordKey`. */
export type CompletionRecords = Map<string, CompletionRecord>;
