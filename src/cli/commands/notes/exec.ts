import { Argument, Option } from 'commander';
import type { App, EndedProgram } from '../../app.js';
import { withoutDeadline } from '../../service/connection/batch.js';
import { errorReason } from '../../changes/report.js';
import { CommandExit, Problem, usage } from '../../command-line/failure.js';
import { collectTail, commandReport, commandText, plannedReport } from '../../notes/command-report.js';
import { secretsIn } from '../../terminal/io/secrets.js';
import {
  defineCommand, handler, withGracefulEnd, withRef,
} from '../../command-line/command.js';
import { dryRunOption, type GlobalFlags, repeatable, wholeNumber } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { throwIfClosed } from '../../terminal/io/streams.js';
import { safeAddress } from '../../terminal/io/style.js';
import { plainLine } from '../../../text/plain.js';
import { numberHint, refAndWords, type RefFlags } from '../../command-line/ref.js';
import { destinationOf, openDestination, type Destination, type Target } from '../../service/targets/target.js';
import { upsertMessage } from '../../notes/upsert/comment.js';
import { notePage } from '../../notes/views/note.js';
import { upsert } from '../../notes/upsert/upsert.js';
import { runVersion } from '../../notes/upsert/plan.js';
import { withUpsertKey } from './upsert.js';

interface Input extends GlobalFlags, RefFlags {
  readonly key: string;
  readonly onlyOnFailure?: boolean;
  readonly tail: number;
  readonly redact?: readonly string[];
}

const defaultTail = 100;

export const notesExecCommand = (app: App) => withGracefulEnd(withUpsertKey(withRef(
  defineCommand('exec', 'Run a command and report its result in a comment identified by a key', [
    'notes exec mr/12 --key tests -- npm test',
    'notes exec --key deploy --only-on-failure --redact DATABASE_URL -- ./deploy.sh staging',
  ])))
    .addArgument(new Argument('[command...]', 'command and its arguments, after --'))
    .option('--only-on-failure', 'comment only if the command fails; delete the comment if it succeeds again')
    .addOption(new Option('--tail <n>', 'number of lines of output in the comment')
      .argParser((text) => wholeNumber(text, '--tail')).default(defaultTail))
    .addOption(new Option('--redact <name>', 'environment variable whose value is masked too; repeatable')
      .argParser(repeatable))
    .addOption(dryRunOption('print the command and the request instead of running and sending them')))
    .action(handler<Input>((flags, ...all: (string | undefined)[]) => {
      const { ref, words } = refAndWords(flags, all);
      return notesExec(app, { ...flags, ref }, words);
    }));

/** Mistakes in the command line and missing settings are reported before the command runs. */
const notesExec = async (app: App, input: Input, command: readonly string[]): Promise<void> => {
  if (command.length === 0) {
    throw usage('no command given', 'put it after --: colloquy notes exec mr/12 --key tests -- npm test');
  }
  runVersion(app);
  const destination = await destinationOf(app, input, input.ref);
  const target = await reachEarly(app, input, destination);
  const report = await runCommand(app, input, command);
  try {
    await postReport(app, input, target ?? await openDestination(app, input, destination), report);
  } catch (error) {
    if (report.exit === 0) throw error;
    await app.err.write(`colloquy: the comment was not posted: ${plainLine(errorReason(error as Error))}\n`);
  }
  if (report.exit === 0 && report.unwritten) throw report.unwritten;
  if (report.unwritten) await app.err.write(`colloquy: ${plainLine(errorReason(report.unwritten))}\n`);
  // The exit code of the command matters more than that of the report.
  if (report.exit !== 0) throw new CommandExit(report.exit);
};

/** Null if the service fails: then the command asks again afterwards. @throws Problem */
const reachEarly = async (app: App, input: Input, destination: Destination): Promise<Target | null> => {
  try {
    return await openDestination(app, input, destination);
  } catch (error) {
    // Whoever interrupts the wait does not want the command to run.
    app.signal.throwIfAborted();
    if (error instanceof Problem) throw error;
    return null;
  }
};

/** Passes the output through, as far as it can be written. @returns an empty text if no comment is wanted */
const runCommand = async (app: App, input: Input, command: readonly string[]) => {
  const { redact = [], onlyOnFailure } = input;
  const { mask, unusable } = secretsIn(app, redact);
  for (const name of unusable) await say(app, input, `--redact ${name}: not set, or shorter than 8 characters`);
  if (input.dryRun) {
    await say(app, input, `would run ${commandText(command, mask)}${onlyOnFailure ? ', and comment if it fails' : ''}`);
    return { exit: 0, text: plannedReport(command, mask), isStarted: true, unwritten: null };
  }
  const tail = collectTail(input.tail, mask);
  const start = app.elapsed();
  let unwritten = null as Error | null;
  const ended = await withoutDeadline(app, () => app.tools.run(command, async (stream, chunk) => {
    tail.add(stream, chunk);
    await app[stream].writeBytes(chunk).catch((error: Error) => { if (stream === 'out') unwritten ??= error; });
    if (stream === 'out') throwIfClosed(app.out);
  }));
  const { exit, signal, error } = ended;
  if (error) tail.add('err', Buffer.from(await reportNotStarted(app, command, ended)));
  if (exit === 0 && onlyOnFailure) return { exit, text: '', isStarted: true, unwritten };
  const milliseconds = app.elapsed() - start;
  const text = commandReport({ command, exit, signal, milliseconds, tail: tail.end() }, mask);
  return { exit, text, isStarted: !error, unwritten };
};

/** Returns what it says. The exit code is that of a shell, 126 or 127. */
const reportNotStarted = async (
  app: App, [name = '']: readonly string[], { exit, error }: EndedProgram,
): Promise<string> => {
  const reason = exit === 127 ? 'command not found' : error!.message;
  const problem = `cannot run ${plainLine(name)}: ${plainLine(reason)}\n`;
  const hint = numberHint(name);
  await app.err.write(`colloquy: ${problem}${hint === null ? '' : `${hint}; a number alone is a command here\n`}`);
  return problem;
};

/** A mistake in the call posts nothing new, but the earlier comment must not say any longer that the command passed. */
const postReport = async (
  app: App, input: Input, target: Target, { text, isStarted }: Awaited<ReturnType<typeof runCommand>>,
): Promise<void> => {
  const options = { ...input, mode: 'replace', overflow: 'cut', isUpdateOnly: !isStarted } as const;
  const done = await upsert(app, options, target, text);
  if (!isStarted && done.result.note === null) return;
  await say(app, input, upsertMessage(done, target, input.key));
  const page = input.sandbox ? null : safeAddress(notePage(done.result.note?.id, target) ?? '');
  if (page !== null) await say(app, input, page);
};
