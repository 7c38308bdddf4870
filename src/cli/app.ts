import type { BaseUrl } from '../client/base-url.js';
import type { Client } from '../client/client.js';
import type { Observer } from '../client/middleware/events.js';
import type { Routes } from '../client/routes.js';
import type { Transport } from '../wire/http.js';

/** Where text goes. A write resolves when the reader has taken it, so that a slow reader slows the writer. */
export interface Output {
  readonly write: (text: string) => Promise<void>;
  /** The same for what is no text. */
  readonly writeBytes: (bytes: Uint8Array) => Promise<void>;
  readonly isTerminal: boolean;
  /** Width in columns; only a terminal's is real. */
  readonly columns: number;
  /** Lines of the terminal. */
  readonly rows: number;
  /** Colours that may be used: 0 none, 1 sixteen, 2 256, 3 all. */
  readonly colors: 0 | 1 | 2 | 3;
}

/** Standard input. */
export interface Input {
  readonly isTerminal: boolean;
  readonly read: () => Promise<Uint8Array>;
}

export interface Files {
  /** @throws the system's error with its `code` */
  readonly read: (path: string) => Promise<Uint8Array>;
  /** Adds text to a file. A missing one is created, readable by its owner alone. */
  readonly append: (path: string, text: string) => Promise<void>;
}

/** Questions to the person at the terminal. Ask through `questions.ts`, which knows when nobody is there. */
export interface Questions {
  readonly confirm: (message: string) => Promise<boolean>;
  readonly text: (message: string) => Promise<string>;
  readonly password: (message: string) => Promise<string>;
}

/** Everything needed to reach a service. Times are milliseconds. */
export interface Connection {
  readonly url: BaseUrl;
  readonly token: string;
  readonly timeout?: number;
  readonly retries?: number;
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Writes are shown and not sent: they end in a `DryRun`. */
  readonly dryRun: boolean;
  readonly observe?: Observer;
  readonly journal: Journal;
  /** Which of an endpoint's paths services know. */
  readonly routes?: Routes;
  /** Takes down what answers name, for completion. */
  readonly seen?: Seen;
}

/** The same for requests that are not the client's own; without a token they are anonymous. */
export type RawConnection = Omit<Connection, 'token' | 'routes' | 'seen'> & { readonly token: string | null };

/** All the world a command may touch. The real one is built in `main.ts`, tests build theirs in memory. */
export interface App {
  readonly out: Output;
  readonly err: Output;
  readonly stdin: Input;
  readonly files: Files;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  readonly ask: Questions;
  /** Lets the user's editor work on a file; resolves when it has ended well. */
  readonly edit: (path: string) => Promise<void>;
  readonly drafts: DraftFolder;
  /** What this run has written down and sent. */
  readonly journal: Journal;
  /** The branch of the git work tree around, or null. */
  readonly branch: () => Promise<string | null>;
  /** The remotes of that work tree; none where there is none. */
  readonly remotes: () => Promise<readonly Remote[]>;
  readonly tools: Tools;
  readonly profiles: ProfileStore;
  readonly keyring: Keyring;
  /** Tokens that this run knows: stderr and dry runs never show them. */
  readonly secrets: Set<string>;
  readonly cache: CacheFolder;
  /** What this run has seen of the service. */
  readonly seen: Seen;
  readonly connect: (connection: Connection) => Promise<Client>;
  readonly reach: (connection: RawConnection) => Promise<Transport>;
  /** Is called when a list goes on past its first page: from there on memory counts. */
  readonly expectMuch: () => Promise<void>;
  /** Aborted by Ctrl-C and by the request to end. */
  readonly signal: AbortSignal;
  readonly pid: number;
  readonly version: string;
}

/** The keyring of the system: secrets by account. Every call fails where no keyring works. */
export interface Keyring {
  readonly get: (account: string) => Promise<string | null>;
  readonly set: (account: string, secret: string) => Promise<void>;
  readonly remove: (account: string) => Promise<void>;
}

/** Other programs that help with reading. */
export interface Tools {
  /**
   * Shows a text in a pager, a command line of its own, and resolves when the user has left it; false where it does not
   * start.
   */
  readonly page: (command: string, text: string) => Promise<boolean>;
  /**
   * What git says has changed in some files between two commits of the work tree around, or null where there is no git,
   * no work tree, or no such commit.
   * @param paths from the top of the work tree
   */
  readonly gitDiff: (from: string, to: string, paths: readonly string[]) => Promise<string | null>;
}

/** What a profile can keep beside its token. Names are those of the flags. */
export const profileKeys = [
  'url', 'project', 'group', 'timeout', 'retries', 'ca-cert', 'client-cert', 'client-key',
] as const;
export type ProfileKey = (typeof profileKeys)[number];

/**
 * One set of settings under a name. Its token is for the origin of its url alone. It stands here, or in the system
 * keyring when `keyring` says so.
 */
export type Profile = { readonly [K in ProfileKey | 'token']?: string } & { readonly keyring?: true };

/** Everything the profile file holds. */
export interface Profiles {
  /** The profile that counts when none is named. */
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** Where profiles are kept. */
export interface ProfileStore {
  readonly path: string;
  /** Whether other users can replace the file, because its folder is theirs too. */
  readonly isShared: () => boolean;
  readonly read: () => Promise<Profiles>;
  /**
   * Stores what `to` makes of the profiles as they are then, so that no change of another process is lost. Resolves to
   * the profiles as they were before.
   */
  readonly change: (to: (profiles: Profiles) => Profiles) => Promise<Profiles>;
}

/** A remote of the git work tree around. */
export interface Remote {
  readonly name: string;
  readonly url: string;
}

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

/** A request that changes something, with what is known of it. */
export interface Change {
  /** `METHOD /path`. */
  readonly request: string;
  /** `open` until it is known whether the service carried it out; refusals leave the journal. */
  outcome: 'open' | 'done';
}

/** What one run of the program has written down and sent. Filled as it goes, so that an interruption can be told. */
export interface Journal {
  /** Where the text lies that is not delivered yet. */
  draft: string | null;
  /** Whether a text is being sent that lies nowhere else. */
  isTextUnsaved: boolean;
  /** In the order in which they were sent. */
  readonly changes: Change[];
}

/**
 * What the program keeps between two calls to be quicker and more helpful. Nothing in it is needed: what can't be read
 * is missing, and what can't be written is not kept.
 */
export interface CacheFolder {
  readonly read: (name: string) => string | null;
  /** Stores what `to` makes of a file's text, so that no change of another process is lost. Never fails. */
  readonly change: (name: string, to: (text: string | null) => string) => Promise<void>;
  /** Names of the files in it, the one written last first. */
  readonly names: () => readonly string[];
  readonly remove: (name: string) => void;
}

/** Something that can be completed: what is typed, what it says, and for an epic its global id. */
export type Sighting = readonly [value: string, text: string, id?: number];

/** What was seen in one place: the threads of a noteable, or the epics of a group. */
export interface SeenPlace {
  readonly base: string;
  /** Project or group, as the request named it. */
  readonly container: string;
  /** The noteable in its short form, or `epics`. */
  readonly name: string;
  readonly items: Map<string, Sighting>;
}

/** What a run has seen, by place. */
export type Seen = Map<string, SeenPlace>;
