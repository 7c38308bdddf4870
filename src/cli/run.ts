import { isUtf8 } from 'node:buffer';
import { CommanderError, type Command } from 'commander';
import { isOutcomeUnknown, NoResultError } from '../client/errors.js';
import { groupedBy } from '../text/groups.js';
import { counted } from '../text/messages.js';
import { redactKnown } from '../wire/secrets/known.js';
import { readDuration } from '../wire/time-text.js';
import type { Activity, App, Change, Input, Output } from './app.js';
import { saveCompletions } from './completion-cache.js';
import { DryRun, printUnsent } from './service/connection/dry-run.js';
import { CommandExit, exits, failureOf, Problem, usage, type Failure } from './command-line/failure.js';
import { commandPath, endsGracefully, flagsOf, isNamed } from './command-line/command.js';
import { isWrite } from './command-line/hints.js';
import { type GlobalFlags, isForAgents } from './command-line/flags.js';
import {
  draftMessage, lastFailure, reportOddRecords, reportWaits, say, showHelp, wrappedText,
} from './terminal/io/messages.js';
import { inertOutput } from './terminal/io/streams.js';
import { plainLine, plainText } from '../text/plain.js';
import { isCi } from './service/settings/settings.js';
import { stateInMemory } from './state/folders.js';
import { misspelledVariable, unexpandedVariable, withoutLineEnd } from './service/settings/sources.js';
import { printJson, wantsJson, wantsJsonErrors } from './terminal/output/format.js';
import { commandNames, nouns, program, wholeProgram } from './program.js';

export class DeadlinePassed extends Problem {}

/** @param words without the program name @returns the exit code; never rejects */
export const run = async (words: readonly string[], given: App): Promise<number> => {
  const argv = withHelpFirst(words);
  const { secrets } = given;
  for (const token of givenTokens(argv, given.env)) secrets.add(token);
  const app = { ...given, stdin: readOnce(given.stdin), err: redactingOutput(given.err, secrets) };
  let help = '';
  let flags: GlobalFlags | null = null;
  let command: Command | null = null;
  const root = (await program(app, (text) => { help += text; }, argv))
    .hook('preAction', async (_, action) => {
      flags = flagsOf<object>(action);
      command = action;
      if (flags.sandbox) Object.assign(app, stateInMemory(app));
      if (isForAgents(flags)) Object.assign(app, { out: inertOutput(app) });
      startDeadline(app, action, flags);
      await checkEncoding(argv, app);
    });
  try {
    if (await runSpecialCall(argv, app)) return 0;
    const done = root.parseAsync(withHelpFlag(argv), { from: 'user' });
    await orInterrupted(done, app, () => app.activity.isCleaningUp || (command !== null && endsGracefully(command)));
    if (app.signal.reason instanceof DeadlinePassed) throw app.signal.reason;
    await reportOddRecords(app, flags ?? {});
    await reportWaits(app, flags ?? {});
    return 0;
  } catch (error) {
    if (help !== '') return await printHelp(app, argv, help);
    if (!printsJsonErrors(app, flags ?? {})) await reportOddRecords(app, flags ?? {});
    await reportWaits(app, flags ?? {});
    const { withUsageHint } = await import('./command-line/suggestions.js');
    const suggested = withUsageHint(error, root, argv, nouns);
    const endsItself = command !== null && endsGracefully(command);
    return await report(suggested, flags ?? guessedFlags(argv), app, endsItself);
  } finally {
    await saveCompletions(app);
  }
};

/** A second reader would get an empty text, which clears a field. @throws Problem at the second reading */
const readOnce = (input: Input): Input => {
  let isRead = false;
  return {
    ...input,
    read: async () => {
      if (isRead) throw usage('standard input can be used only once', 'put one of the inputs into a file');
      isRead = true;
      return input.read();
    },
  };
};

/** Node.js replaces bytes that are not UTF-8, which would change a text silently; Linux still has the bytes. */
const checkEncoding = async (argv: readonly string[], { files }: App): Promise<void> => {
  if (!argv.some((word) => word.includes('\ufffd'))) return;
  const bytes = await files.read('/proc/self/cmdline').catch(() => null);
  if (bytes === null || isUtf8(bytes)) return;
  throw usage('the command line is not UTF-8 text', 'convert it to UTF-8 first, or pass the text in a UTF-8 file');
};

/** A job that nobody watches must end, whatever the service sends. */
const defaultInCi = '10m';

/** These have no default: they end on a signal, or at a time that the user sets. */
const lasting: ReadonlySet<string> = new Set([
  'serve', 'mcp', 'discussions watch', 'appearance preview', 'appearance banner',
]);

/** The commands that an agent calls are part of one run. */
const startDeadline = (
  { deadline, env, agent, activity }: App, command: Command, flags: Pick<GlobalFlags, 'deadline'>,
): void => {
  const isDefault = isCi(env) && agent === undefined && !lasting.has(commandPath(command));
  const text = flags.deadline ?? (isDefault ? defaultInCi : undefined);
  if (text === undefined) return;
  const hint = flags.deadline === undefined ? `pass a longer --deadline: it is ${defaultInCi} in CI by default`
    : 'pass a longer --deadline';
  deadline.set(readDuration(text)!, () =>
    new DeadlinePassed('unavailable', `the command did not end within ${text}${lastFailure(activity)}`, hint));
};

const printHelp = async (app: App, argv: readonly string[], text: string): Promise<number> => {
  try {
    await showHelp(app, guessedFlags(argv), text);
    return 0;
  } catch (error) {
    return report(error, guessedFlags(argv), app);
  }
};

/** Rejects on an abort. Work that ends gracefully is exempt, unless it can never finish. */
const orInterrupted = async (done: Promise<unknown>, { signal }: App, isLeft: () => boolean): Promise<void> => {
  let stop!: () => void;
  const interrupted = new Promise<never>((_, reject) => {
    stop = () => {
      const isForever = signal.reason instanceof Problem && !(signal.reason instanceof DeadlinePassed);
      if (!isLeft() || isForever) reject(signal.reason as Error);
    };
  });
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    await Promise.race([done, interrupted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

const withHelpFirst = (words: readonly string[]): readonly string[] => {
  const [noun = '', second, ...others] = words;
  return second === 'help' && /^[a-z]/.test(noun) ? ['help', noun, ...others] : words;
};

/** Turns `help …` and an empty command line into `… --help`: the help command of commander supports one level only. */
const withHelpFlag = (argv: readonly string[]): string[] =>
  argv.length === 0 || argv[0] === 'help' ? [...argv.slice(1), '--help'] : [...argv];

const guessedFlags = (argv: readonly string[]): GlobalFlags => ({
  debug: argv.includes('--debug'), input: !argv.includes('--no-input'),
  ...(argv.some((word) => /^--json(=|$)/.test(word)) && { json: '' }),
});

const printsJsonErrors = ({ agent }: App, flags: GlobalFlags): boolean =>
  agent !== undefined || wantsJsonErrors(flags);

/** @param endsItself whether the command handles an interruption itself, so that its error is the one to report */
const report = async (error: unknown, flags: GlobalFlags, app: App, endsItself = false): Promise<number> => {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  if (error instanceof CommandExit) return error.exit;
  try {
    if (error instanceof DryRun) {
      await printUnsent([error], app, flags);
      return 0;
    }
    if (error instanceof NoResultError) return await printNoResult(error, app, flags);
    const failure = endingFailure(error, app, endsItself);
    if (failure === null) return 0;
    if (flags.sandbox) Object.assign(app.activity, { draft: null, isTextUnsaved: false, recovery: null });
    return await printFailure(await withHints(failure, error, app), error, app, flags);
  } catch (inWriting) {
    return inWriting instanceof Problem ? report(inWriting, flags, app) : failureOf(inWriting)?.exit ?? 0;
  }
};

/** Of an aborted run, the reason is the one to report. */
const endingFailure = (error: unknown, { signal, activity: { sources } }: App, endsItself: boolean): Failure | null => {
  const own = failureOf(error, sources);
  const isCut = signal.aborted && (!endsItself || own?.code === 'interrupted');
  return isCut ? failureOf(signal.reason, sources) : own;
};

const printFailure = async (found: Failure, error: unknown, app: App, flags: GlobalFlags): Promise<number> => {
  const { redactSecrets: withoutSecrets } = await import('../wire/secrets/redact.js');
  const failure = redactedFailure(withoutSecrets, found);
  const stack = flags.debug && error instanceof Error ? `${withoutSecrets(error.stack ?? '')}\n` : '';
  const mayShowProgress = app.err.isTerminal && app.env['TERM'] !== 'dumb';
  // The current line may have progress and ^C.
  const cleared = failure.code === 'interrupted' && mayShowProgress ? '\r\x1b[K' : '';
  const text = printsJsonErrors(app, flags) ? failureJson(failure)
    : await wrappedText(app.err, failureText(failure)) + stack;
  await app.err.write(cleared + plainText(text));
  return failure.exit;
};

/** Only for texts that may repeat the command line; other hints are constants. */
const redactedFailure = (shown: (text: string) => string, failure: Failure): Failure => {
  const { code, message, hint } = failure;
  const mayName = exits[code] === exits.usage;
  return { ...failure, message: shown(message), hint: hint !== null && mayName ? shown(hint) : hint };
};

/** How far an interrupted run got, and where its text is saved. */
const withHints = async (failure: Failure, error: unknown, app: App): Promise<Failure> => {
  const { activity, drafts } = app;
  const isUncertain = failure.code === 'unavailable' && isOutcomeUnknown(error) && isWrite(error.request);
  if (activity.draft !== null) await (await import('./notes/write/drafts.js')).markUnsent(app);
  const isCutShort = failure.code === 'interrupted' || app.signal.reason instanceof DeadlinePassed;
  const mayLackSetting = failure.request === null && /^(usage|unauthenticated)$/.test(failure.code);
  const facts = [
    isUncertain && activity.recovery !== null ? `it may have been stored: ${activity.recovery}` : hintFor(failure, app),
    mayLackSetting ? misspelledVariable(app.env) : null,
    ...isCutShort ? [changeSummary(activity), activity.recovery] : [],
    ...app.agent ? [] : [
      activity.draft === null ? null : draftMessage(drafts, activity.draft),
      activity.isTextUnsaved ? 'the text was not saved: drafts are disabled in CI' : null,
    ],
  ].filter((fact) => fact !== null);
  return { ...failure, hint: facts.length === 0 ? null : facts.join('\n') };
};

const hintFor = ({ hint, jobHint, agentHint }: Failure, { agent, env }: App): string | null => {
  if (agent !== undefined && agentHint !== null) return agentHint;
  return isCi(env) ? jobHint ?? hint : hint;
};

/** Where a recovery is known, the hint after it says what to do. */
export const changeSummary = (
  { changes, effects, recovery }: Pick<Activity, 'changes' | 'effects' | 'recovery'>,
): string => {
  const facts = [...effects, ...requestSummary(changes, recovery)];
  return facts.length === 0 ? 'nothing was changed' : facts.join('; ');
};

const requestSummary = (changes: readonly Change[], recovery: string | null): string[] => {
  const open = changes.filter(({ outcome }) => outcome === 'open');
  const done = changes.length - open.length;
  const check = recovery === null ? ': check before sending it again' : '';
  return [
    ...done === 0 ? [] : [counted(done, 'change was made', 'changes were made')],
    ...open.length === 0 ? [] : [`${responsesTo(open)} may have been stored${check}`],
  ];
};

/** Names each request once, however often it was sent. */
const responsesTo = (open: readonly Change[]): string => {
  const last = new Map<string, number | null>();
  for (const { request, status } of open) last.set(request, status ?? last.get(request) ?? null);
  const texts = [...groupedBy(last, ([, status]) => status)].map(([status, requests]) => {
    const response = status === null ? 'no response' : `${status} as the last response`;
    return `${requests.map(([request]) => request).join(', ')} got ${response}`;
  });
  return `${texts.join(', ')}${texts.length > 1 ? ',' : ''} and`;
};

const failureJson = ({ code, status, message, hint, request }: Failure): string =>
  `${JSON.stringify({ error: { code, status, message, hint, request } })}\n`;

const failureText = ({ message, hint, request, status }: Failure): string => {
  const answered = status === null ? '' : `: HTTP ${status}`;
  const from = request === null || message.includes(request) ? '' : ` (${request}${answered})`;
  return `colloquy: ${plainLine(message + from)}\n${hint === null ? '' : `${hint}\n`}`;
};

/** The service ran quick actions and stored no note, or had nothing to delete. Prints what it reported. */
const printNoResult = async (error: NoResultError, app: App, flags: GlobalFlags): Promise<number> => {
  const { summary, changes, request } = error;
  const hasChanged = Object.keys(changes).length > 0;
  const ranActions = summary.length > 0 || hasChanged;
  const note = request.startsWith('PUT ') ? 'deleted the note' : 'stored no note';
  const outcome = hasChanged ? `ran the quick actions and ${note}` : `${note}, and reports no change`;
  const text = request.startsWith('DELETE ') ? 'done; the service had nothing to delete'
    : [...summary, `The service ${outcome}.`].join(' ');
  await say(app, flags, text);
  if (wantsJson(flags)) await printJson(app, flags, ranActions ? { commands_changes: changes, summary } : null);
  return 0;
};

/** Shell completion, help topics and the command map; false for everything else. */
const runSpecialCall = async (argv: readonly string[], app: App): Promise<boolean> => {
  const [first, second, third] = argv;
  if (first === '__complete') {
    const { complete } = await import('./help/completions/candidates.js');
    await complete(app, await wholeProgram(app), completionLine(argv.slice(1)));
    return true;
  }
  if (wantsCommandMap(argv)) {
    const { printMap } = await import('./help/map.js');
    await printMap(app, await wholeProgram(app), argv);
    return true;
  }
  if (first !== 'help' || second === undefined) return false;
  if (third !== undefined) await checkSubcommand(app, second, third);
  const { printTopic } = await import('./help/topics.js');
  return printTopic(app, guessedFlags(argv), [second, ...argv.slice(2)],
    { names: commandNames(), whole: () => wholeProgram(app) });
};

/** After `--`. PowerShell drops empty words, so the last word may come first as `--last=WORD`. */
const completionLine = ([first = '', ...others]: readonly string[]): string[] => {
  const last = /^--last=(.*)$/s.exec(first)?.[1];
  if (last !== undefined) return [...others.slice(others[0] === '--' ? 1 : 0), last];
  return first === '--' ? others : [first, ...others];
};

/** commander would print the help of the parent. @throws Problem */
const checkSubcommand = async (app: App, noun: string, verb: string): Promise<void> => {
  const command = (await wholeProgram(app)).commands.find((one) => isNamed(one, noun) && one.commands.length > 0);
  if (!command || verb.startsWith('-') || command.commands.some((one) => one.name() === verb)) return;
  const { commandFor, subcommandHint } = await import('./command-line/suggestions.js');
  const meant = commandFor(command, verb);
  const unknown = `unknown command ${JSON.stringify(verb)}`;
  throw usage(unknown, meant === null ? subcommandHint(command) : `did you mean ${meant}?`);
};

/** `--help` and `--json` in either order, before any `--`. */
const wantsCommandMap = (argv: readonly string[]): boolean => {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  const isHelp = words[0] === 'help' || words.includes('--help') || words.includes('-h');
  return isHelp && words.some((word) => /^--json(=|$)/.test(word));
};

const variables = ['COLLOQUY_TOKEN', 'GITLAB_TOKEN', 'CI_JOB_TOKEN', 'COLLOQUY_CONTROL_TOKEN'];

const givenTokens = (words: readonly string[], env: App['env']): string[] => [
  ...variables.map((name) => env[name]),
  ...words.map((word, at) => /^--token=(.*)$/s.exec(word)?.[1] ?? (words[at - 1] === '--token' ? word : undefined)),
].filter((value) => value !== undefined).map(withoutLineEnd).filter((value) => unexpandedVariable(value) === null);

const redactingOutput = (output: Output, secrets: ReadonlySet<string>): Output =>
  ({ ...output, write: (text) => output.write(redactKnown(text, secrets)) });
