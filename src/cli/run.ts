import { CommanderError, type Command } from 'commander';
import { NoResultError } from '../client/errors.js';
import type { App } from './app.js';
import { keepSeen } from './cache/record.js';
import { DryRun, shown } from './connection/dry-run.js';
import { keptAt, whatWasDone } from './connection/journal.js';
import { guarded, tokensGiven } from './connection/secrets.js';
import { failureOf, Problem, type Failure } from './errors/failure.js';
import { endsItself, flagsOf } from './flags/command.js';
import type { GlobalFlags } from './flags/global.js';
import { orUnfinished } from './flags/unfinished.js';
import { readOnce } from './io/files.js';
import { plainLine, plainText } from './io/plain.js';
import { wantsJson } from './output/format.js';
import { program } from './program.js';
import { answeredAside } from './special-requests.js';

/** Runs one command line, without the words that started the program. Resolves to the exit code; nothing escapes. */
export const run = async (words: readonly string[], given: App): Promise<number> => {
  const argv = helpFirst(words);
  const { secrets } = given;
  for (const token of tokensGiven(argv, given.env)) secrets.add(token);
  const app = { ...given, stdin: readOnce(given.stdin), err: guarded(given.err, secrets) };
  const written: Promise<void>[] = [];
  let flags: GlobalFlags | null = null;
  let command: Command | null = null;
  const root = program(app, (text) => { written.push(app.out.write(text)); }, argv)
    .hook('preAction', (_, acting) => { flags = flagsOf<object>(acting); command = acting; });
  try {
    if (await answeredAside(argv, app)) return 0;
    const done = root.parseAsync(asFlag(argv), { from: 'user' });
    await orInterrupted(done, app, () => command !== null && endsItself(command));
    return 0;
  } catch (error) {
    await Promise.allSettled(written);
    const { orMisplaced } = await import('./flags/suggestions.js');
    const told = orMisplaced(orUnfinished(error, root, argv), root, argv);
    return await reported(told, flags ?? guessed(argv), app);
  } finally {
    await keepSeen(app);
  }
};

/**
 * Fails as soon as the program is to end, whatever the command is waiting for. Some commands are left to end by
 * themselves when they are interrupted; none is left when it can't end any more.
 */
const orInterrupted = async (done: Promise<unknown>, { signal }: App, isLeft: () => boolean): Promise<void> => {
  let stop!: () => void;
  const interrupted = new Promise<never>((_, reject) => {
    stop = () => { if (!isLeft() || signal.reason instanceof Problem) reject(signal.reason as Error); };
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    await Promise.race([done, interrupted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

/** `<noun> help <verb>` is `help <noun> <verb>`. */
const helpFirst = (words: readonly string[]): readonly string[] => {
  const [noun = '', second, ...others] = words;
  return second === 'help' && /^[a-z]/.test(noun) ? ['help', noun, ...others] : words;
};

/** `help <noun> <verb>` asks the verb itself: commander's own help command knows nouns alone. */
const asFlag = (argv: readonly string[]): string[] => argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];

/** The flags that matter for reporting when the command line could not be read. */
const guessed = (argv: readonly string[]): GlobalFlags => ({
  debug: argv.includes('--debug'),
  ...(argv.some((word) => /^(--json|--jq|-q)(=|$)/.test(word)) && { json: '' }),
});

const reported = async (error: unknown, flags: GlobalFlags, app: App): Promise<number> => {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const asJson = wantsJson(flags);
  try {
    if (error instanceof DryRun) return await showRequest(error, app, flags);
    if (error instanceof NoResultError) return await showOutcome(error, app, asJson);
    const failure = failureOf(app.signal.aborted ? app.signal.reason : error);
    if (failure === null) return 0;
    return await tell(withJournal(failure, app), error, app, { wantsJson: asJson, debug: flags.debug ?? false });
  } catch (inWriting) {
    return inWriting instanceof Problem ? reported(inWriting, flags, app) : failureOf(inWriting)?.exit ?? 0;
  }
};

interface Telling { readonly wantsJson: boolean; readonly debug: boolean }

const tell = async (found: Failure, error: unknown, app: App, { wantsJson, debug }: Telling): Promise<number> => {
  const { withoutSecrets } = await import('../wire/redact.js');
  const failure = redactedBy(withoutSecrets, found);
  const stack = debug && error instanceof Error ? `${withoutSecrets(error.stack ?? '')}\n` : '';
  const cleared = failure.code === 'interrupted' && isDrawn(app) ? clearLine : '';
  await app.err.write(cleared + plainText(wantsJson ? jsonOf(failure) : textOf(failure) + stack));
  return failure.exit;
};

/** A failure whose texts may repeat what the user wrote; hints are ours unless they are about the command line. */
const redactedBy = (shown: (text: string) => string, failure: Failure): Failure => {
  const { code, message, hint } = failure;
  return { ...failure, message: shown(message), hint: hint !== null && code === 'usage' ? shown(hint) : hint };
};

/** An interruption comes while progress may stand in the line, and the terminal has shown ^C there. */
const clearLine = '\r\x1b[K';
const isDrawn = ({ err, env }: App): boolean => err.isTerminal && env['TERM'] !== 'dumb';

/** What a failure leaves behind: how far an interrupted run came, and where its text lies. */
const withJournal = (failure: Failure, { journal, drafts }: App): Failure => {
  const facts = [
    failure.hint,
    failure.code === 'interrupted' ? whatWasDone(journal) : null,
    journal.draft === null ? null : keptAt(drafts, journal.draft),
    journal.isTextUnsaved ? 'the text was not saved: drafts are not kept in CI' : null,
  ].filter((fact) => fact !== null);
  return { ...failure, hint: facts.length === 0 ? null : facts.join('\n') };
};

const jsonOf = ({ code, status, message, hint, request }: Failure): string =>
  `${JSON.stringify({ error: { code, status, message, hint, request } })}\n`;

const textOf = ({ message, hint, request, status }: Failure): string => {
  const answered = status === null ? '' : ` answered ${status}`;
  const from = request === null || message.includes(request) ? '' : ` (${request}${answered})`;
  return `colloquy: ${plainLine(message + from)}\n${hint === null ? '' : `${hint}\n`}`;
};

const showRequest = async (held: DryRun, app: App, flags: GlobalFlags): Promise<number> => {
  await (await import('./connection/request-printer.js')).printRequest(await shown(held, app.secrets), app, flags);
  return 0;
};

/** Done, with nothing to show for it: the service carried out quick actions and kept no note. */
const showOutcome = async (error: NoResultError, app: App, wantsJson: boolean): Promise<number> => {
  if (wantsJson) await app.out.write('null\n');
  await app.err.write(plainText(`${error.summary.join(' ') || 'done; the service kept no note'}\n`));
  return 0;
};
