import type { Client } from '../client/client.js';
import type { Observer } from '../client/events.js';
import type { BaseUrl } from '../client/base-url.js';
import type { Routes } from '../client/routes.js';
import type { Transport } from '../wire/http.js';
import type { CacheFolder } from './cache.js';
import type { Seen } from './completions/seen.js';
import type { Keyring } from './settings/keyring.js';
import type { ProfileStore } from './settings/profiles.js';
import type { Remote } from './settings/remotes.js';
import type { Tools } from './terminal/tools.js';
import type { DraftFolder } from './writing/drafts.js';
import type { Journal } from './writing/journal.js';

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
