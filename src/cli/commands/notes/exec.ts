import { Argument, Option, type Command } from 'commander';
import type { App, EndedProgram } from '../../app.js';
import { withoutDeadline } from '../../service/connection/deadline.js';
import { DryRun, printRequest, shownRequest } from '../../service/connection/dry-run.js';
import { errorReason } from '../../changes/report.js';
import { CommandExit, Problem, usage } from '../../command-line/failure.js';
import { collectTail, commandReport } from '../../notes/command-report.js';
import { secretsIn } from '../../notes/secrets.js';
import {
  defineCommand, handler, refArgument, withGracefulEnd, withRefFlags,
} from '../../command-line/command.js';
import { type GlobalFlags, repeatable, wholeNumber } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import { safeAddress } from '../../terminal/io/style.js';
import { plainLine } from '../../../text/plain.js';
import { numberHint, refAndWords, type RefFlags } from '../../command-line/ref.js';
import { destinationOf, openDestination, type Destination, type Target } from '../../service/targets/target.js';
import { upsertMessage } from '../../notes/upsert/comment.js';
import { notePage } from '../../notes/views/note.js';
import { upsert } from '../../notes/upsert/upsert.js';
import { runVersion } from '../../notes/upsert/plan.js';
import { withUpsertKey } from './upsert.js';

interface Flags extends GlobalFlags, RefFlags {
  readonly key: string;
  readonly onlyOnFailure?: boolean;
  readonly tail: number;
  readonly redact?: readonly string[];
}

interface Input extends Flags {
  readonly command: readonly string[];
}

const defaultTail = 100;

export const notesExecCommand = (app: App): Command => withGracefulEnd(withUpsertKey(withRefFlags(
  defineCommand('exec', 'Run a command and report its result in a comment identified by a key', [
    'notes exec mr/12 --key tests -- npm test',
    'notes exec --key deploy --only-on-failure --redact DATABASE_URL -- ./deploy.sh staging',
  ])))
    .addArgument(refArgument())
    .addArgument(new Argument('[command...]', 'command and its arguments, after --'))
    .option('--only-on-failure', 'comment only if the command fails; delete the comment if it succeeds again')
    .addOption(new Option('--tail <n>', 'number of lines of output in the comment')
      .argParser((text) => wholeNumber(text, '--tail')).default(defaultTail))
    .addOption(new Option('--redact <name>', 'environment variable whose value is masked too; repeatable')
      .argParser(repeatable)))
    .action(handler<Flags>((flags, ...all: (string | undefined)[]) => {
      const { ref, words } = refAndWords(flags, all);
      return notesExec(app, { ...flags, ref, command: words });
    }));

/** Mistakes in the command line and missing settings are reported before the command runs. */
const notesExec = async (app: App, input: Input): Promise<void> => {
  if (input.command.length === 0) {
    throw usage('no command given', 'put it after --: colloquy notes exec mr/12 --key tests -- npm test');
  }
  runVersion(app);
  const destination = await destinationOf(app, input, input.ref);
  const target = await reachEarly(app, input, destination);
  const { exit, text } = await runCommand(app, input);
  try {
    await postReport(app, input, target ?? await openDestination(app, input, destination), text);
  } catch (error) {
    if (exit === 0) throw error;
    await reportUnposted(app, input, error as Error);
  }
  if (exit !== 0) throw new CommandExit(exit);
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

/** Passes the output through. The text is empty if the comment is not wanted. */
const runCommand = async (app: App, input: Input): Promise<{ readonly exit: number; readonly text: string }> => {
  const { command, redact = [], onlyOnFailure } = input;
  const { mask, unusable } = secretsIn(app, redact);
  for (const name of unusable) await say(app, input, `--redact ${name}: not set, or shorter than 8 characters`);
  const tail = collectTail(input.tail, mask);
  const start = app.now().getTime();
  const ended = await withoutDeadline(app, () => app.tools.run(command, async (stream, chunk) => {
    tail.add(stream, chunk);
    await app[stream].writeBytes(chunk);
  }));
  if (ended.error) throw await reportNotStarted(app, command, ended);
  const { exit, signal } = ended;
  if (exit === 0 && onlyOnFailure) return { exit, text: '' };
  const milliseconds = app.now().getTime() - start;
  return { exit, text: commandReport({ command, exit, signal, milliseconds, tail: tail.end() }, mask) };
};

/** Exits like a shell, with code 126 or 127. Nothing is posted, because the mistake is in the call. */
const reportNotStarted = async (
  app: App, [name = '']: readonly string[], { exit, error }: EndedProgram,
): Promise<Error> => {
  const reason = exit === 127 ? 'command not found' : error!.message;
  const hint = numberHint(name);
  await app.err.write(`colloquy: cannot run ${plainLine(name)}: ${plainLine(reason)}\n`
    + (hint === null ? '' : `${hint}; a number alone is a command here\n`));
  return new CommandExit(exit);
};

const postReport = async (app: App, input: Input, target: Target, text: string): Promise<void> => {
  const done = await upsert(app, { ...input, mode: 'replace', overflow: 'cut' }, target, text);
  await say(app, input, upsertMessage(done, target, input.key));
  const page = input.sandbox ? null : safeAddress(notePage(done.result.note?.id, target) ?? '');
  if (page !== null) await say(app, input, page);
};

/** The exit code of the command matters more than that of the report. */
const reportUnposted = async (app: App, input: Input, error: Error): Promise<void> => {
  if (error instanceof DryRun) {
    return printRequest(await shownRequest(error, app.secrets), app, input);
  }
  await app.err.write(`colloquy: the comment was not posted: ${plainLine(errorReason(error))}\n`);
};
