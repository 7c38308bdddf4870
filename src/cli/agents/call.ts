import { isObject, jsonOrNull } from '../../wire/json.js';
import type { App, DraftFolder, Output } from '../app.js';
import { newActivity } from '../service/connection/connect.js';

/** What a command printed. */
interface CommandEnd {
  readonly code: number;
  readonly out: string;
  /** The `error` of the program: code, status, message, hint and request. Null if it had none. */
  readonly error: ProgramError | null;
}

export type ProgramError = Readonly<Record<string, unknown>>;

/** A command line, and what it needs besides its words. */
export interface Command {
  readonly options: readonly string[];
  /** They may begin with a dash: they are never read as options. */
  readonly positionals: readonly string[];
  /** What the command reads from standard input. */
  readonly text?: string;
  /** What becomes of a text that the command opens in the editor. */
  readonly edit?: (text: string) => string;
  /** Sees what the command is about to change, as its dry run prints it. Throws to prevent it. */
  readonly approve?: (changes: readonly object[]) => void;
}

/** Runs a command as the program does. Never rejects. */
export type Call = (command: Command, signal: AbortSignal) => Promise<CommandEnd>;

/** @param globals options that every command line gets, such as `--project=acme/app` */
export const callOf = (app: App, globals: readonly string[]): Call =>
  async ({ options, positionals, text = '', edit = noEditor, approve = () => undefined }, signal) => {
    const [out, err, drafts] = [captured(), captured(), draftsInMemory()];
    const words = [...options, ...globals, '--no-input', '--quiet', '--', ...positionals];
    const code = await app.runCommand(words, {
      ...app, out: out.output, err: err.output, stdin: { isTerminal: false, read: async () => Buffer.from(text) },
      drafts, edit: async (path) => { await drafts.write(path, edit(await drafts.read(path))); }, screen: null,
      activity: newActivity(), agent: { approve }, signal: AbortSignal.any([app.signal, signal]),
    });
    return { code, out: out.text(), error: errorIn(err.text()) };
  };

/** Carries what a command said to the result of the tool. */
export class CommandFailed extends Error {
  constructor(readonly outcome: CommandEnd) { super(`the command ended with ${outcome.code}`); }
}

/** As a pipe is. */
const captured = (): { readonly output: Output; readonly text: () => string } => {
  const chunks: Uint8Array[] = [];
  return {
    output: {
      write: async (text) => { chunks.push(Buffer.from(text)); },
      writeBytes: async (bytes) => { chunks.push(Buffer.from(bytes)); },
      isTerminal: false, columns: 80, rows: 24, colors: 0,
    },
    text: () => Buffer.concat(chunks).toString(),
  };
};

const noEditor = (): never => { throw new Error('there is no editor'); };

/** For one command: nothing is left of them. */
const draftsInMemory = (): DraftFolder => {
  const texts = new Map<string, string>();
  return {
    names: async () => [], pathOf: (name) => name, read: async (path) => texts.get(path) ?? '',
    write: async (name, text) => { texts.set(name, text); return name; },
    remove: async (path) => { texts.delete(path); },
  };
};

/** The last line of stderr; messages may stand before it. */
const errorIn = (text: string): ProgramError | null => {
  const last = jsonOrNull(text.trimEnd().split('\n').at(-1) ?? '');
  return isObject(last) && isObject(last['error']) ? last['error'] : null;
};
