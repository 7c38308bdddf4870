import { CommanderError, type Command } from 'commander';
import { NoResultError } from '../client/errors.js';
import { nearestName } from '../text/nearest.js';
import { redactKnown } from '../wire/redact.js';
import type { App, Output } from './app.js';
import { saveCompletions } from './cache/record.js';
import { draftMessage, changeSummary } from './connection/connect.js';
import { DryRun, shownRequest } from './connection/dry-run.js';
import { failureOf, Problem, usage, type Failure } from './errors/failure.js';
import { endsItself, flagsOf } from './flags/command.js';
import type { GlobalFlags } from './flags/global.js';
import { orUnfinished, whatFollows } from './flags/unfinished.js';
import { plainLine, plainText } from './io/plain.js';
import { readOnce } from './io/streams.js';
import { wantsJson } from './output/format.js';
import { program } from './program.js';

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
    await saveCompletions(app);
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
  const { redactSecrets: withoutSecrets } = await import('../wire/redact.js');
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
    failure.code === 'interrupted' ? changeSummary(journal) : null,
    journal.draft === null ? null : draftMessage(drafts, journal.draft),
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
  const { printRequest } = await import('./connection/request-printer.js');
  await printRequest(await shownRequest(held, app.secrets), app, flags);
  return 0;
};

/** Done, with nothing to show for it: the service carried out quick actions and kept no note. */
const showOutcome = async (error: NoResultError, app: App, wantsJson: boolean): Promise<number> => {
  if (wantsJson) await app.out.write('null\n');
  await app.err.write(plainText(`${error.summary.join(' ') || 'done; the service kept no note'}\n`));
  return 0;
};

/**
 * Calls that no command answers: a shell that asks what may follow, a topic of help, the map of all commands. False for
 * everything else.
 */
export const answeredAside = async (argv: readonly string[], app: App): Promise<boolean> => {
  const [first, second, third] = argv;
  if (first === '__complete') {
    const { complete } = await import('./completions/candidates.js');
    await complete(app, await everyCommand(app), lineIn(argv.slice(1)));
    return true;
  }
  if (asksForMap(argv)) {
    const { printMap } = await import('./help/map.js');
    await printMap(app, await everyCommand(app), argv);
    return true;
  }
  if (first !== 'help' || second === undefined) return false;
  if (third !== undefined) await checkVerb(app, second, third);
  const { printTopic } = await import('./help/topics.js');
  return printTopic(app, second, await knownWords(app));
};

/**
 * The command line that a shell asks about, behind `--`. Its last word may come first, as `--last=WORD`: PowerShell
 * loses words that are empty.
 */
const lineIn = ([first = '', ...others]: readonly string[]): string[] => {
  const last = /^--last=(.*)$/s.exec(first)?.[1];
  if (last !== undefined) return [...others.slice(others[0] === '--' ? 1 : 0), last];
  return first === '--' ? others : [first, ...others];
};

/** Refuses help about a verb that is none: commander would tell about the noun. @throws Problem */
const checkVerb = async (app: App, noun: string, verb: string): Promise<void> => {
  const command = (await everyCommand(app)).commands.find((one) => one.name() === noun && one.commands.length > 0);
  if (!command || verb.startsWith('-') || command.commands.some((one) => one.name() === verb)) return;
  const { usualCommand } = await import('./flags/suggestions.js');
  const meant = usualCommand(command, verb) ?? nearestName(verb, command.commands.map((one) => one.name()));
  throw usage(`unknown command '${verb}'`, meant === null ? whatFollows(command) : `did you mean ${meant}?`);
};

const everyCommand = async (app: App): Promise<Command> => (await import('./program.js')).wholeProgram(app);

/** What commander knows by name; it would tell about the whole program where a word is unknown. */
const knownWords = async (app: App): Promise<string[]> => {
  const { program } = await import('./program.js');
  return program(app, () => undefined, []).commands.map((command) => command.name());
};

/** `--help --json`, in either order, before any `--`. */
const asksForMap = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const isHelp = words[0] === 'help' || words.includes('--help') || words.includes('-h');
  return isHelp && words.some((word) => /^--json(=|$)/.test(word));
};

const variables = ['COLLOQUY_TOKEN', 'GITLAB_TOKEN', 'CI_JOB_TOKEN', 'COLLOQUY_CONTROL_TOKEN'];

/** The tokens that the command line and the environment hold, whether they are used or not. */
export const tokensGiven = (words: readonly string[], env: App['env']): string[] => [
  ...variables.map((name) => env[name]),
  ...words.map((word, at) => /^--token=(.*)$/s.exec(word)?.[1] ?? (words[at - 1] === '--token' ? word : undefined)),
].filter((value) => value !== undefined);

/** An output that shows no known secret; more may become known later. */
export const guarded = (output: Output, secrets: ReadonlySet<string>): Output =>
  ({ ...output, write: (text) => output.write(redactKnown(text, secrets)) });
