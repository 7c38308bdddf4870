import { basename } from 'node:path';
import type { Observer } from '../../../client/events.js';
import type { OddRecord } from '../../../client/whole-records.js';
import { counted } from '../../../text/messages.js';
import { plainLine, plainText } from '../../../text/plain.js';
import type { Activity, App, DraftFolder, Output } from '../../app.js';
import { Problem, usage } from '../../command-line/failure.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { inertInLog } from './streams.js';
import { painter, type Tone } from './style.js';

export const say = async (
  app: App, flags: Pick<GlobalFlags, 'quiet'>, text: string, tone: Tone | null = null,
): Promise<void> => {
  if (flags.quiet) return;
  const shown = await wrappedText(app.err, plainText(text));
  await sayShown(app, flags, tone === null ? shown : (await painter(app.err.colors))(tone, shown));
};

/** Erases a progress line first. @param text escaped and wrapped, so that it may have colors */
export const sayShown = async (app: App, { quiet }: Pick<GlobalFlags, 'quiet'>, text: string): Promise<void> => {
  if (quiet) return;
  await shownProgress.get(app.err)?.done();
  await app.err.write(`${text}\n`);
};

export interface PlanLine {
  readonly text: string;
  readonly tone: 'added' | 'changed' | 'removed' | null;
}

export const sayPlan = async (app: App, flags: GlobalFlags, lines: readonly (PlanLine | string)[]): Promise<void> => {
  for (const line of lines) {
    if (typeof line === 'string') await say(app, flags, line);
    else await say(app, flags, line.text, line.tone);
  }
};

/** @param indent of the further lines of one line; by default that of its text */
export const wrappedText = async (output: Output, text: string, indent?: string): Promise<string> => {
  if (!mayBeLonger(output, text)) return text;
  const { wrapHeading, wrapLines } = await import('./width.js');
  return indent === undefined ? wrapLines(text, output.columns) : wrapHeading(text, indent, output.columns);
};

/** Characters are up to two columns wide. */
const mayBeLonger = ({ isTerminal, columns }: Output, text: string): boolean =>
  isTerminal && text.split('\n').some((line) => line.length * 2 > columns);

/** --recover finds only files in the drafts folder; if that is not writable, the draft is elsewhere. */
export const draftMessage = ({ pathOf }: Pick<DraftFolder, 'pathOf'>, path: string): string =>
  `draft saved; ${pathOf(basename(path)) === path ? 'run again with --recover' : 'send it with -F'} (${path})`;

/** Wrapped like a message; in the pager if it is longer than the terminal. */
export const showHelp = async (app: App, flags: Pick<GlobalFlags, 'input'>, text: string): Promise<void> => {
  const isLong = mayBeLonger(app.out, text);
  await showText(app, flags, isLong ? (await import('./width.js')).wrapHelp(text, app.out.columns) : text);
};

/** Prompts are written to stderr and answered on stdin. */
export const canAsk = ({ stdin, err }: App, { input }: GlobalFlags): boolean =>
  stdin.isTerminal && err.isTerminal && input !== false;

/**
 * @param action `delete note 5 of mr/1` @param flag confirms without a terminal; on a terminal `--yes` does too
 * @throws Problem without a terminal to ask at, or if the user declines
 */
export const consent = async (
  app: App, flags: GlobalFlags, action: string, flag: '--yes' | '--move' = '--yes',
): Promise<void> => {
  if (flags.dryRun) return sayIfDryRun(app, flags, action);
  if (flags.yes && (flag === '--yes' || canAsk(app, flags))) return;
  if (!canAsk(app, flags)) {
    throw usage(`refusing to ${action} without ${flag === '--yes' ? 'confirmation' : flag}`, `pass ${flag} to confirm`);
  }
  const question = `${action.charAt(0).toUpperCase()}${action.slice(1)}?`;
  if (!await app.ask.confirm(plainLine(question))) throw new Problem('cancelled', 'cancelled');
};

/** @param action `assign &4 to &1` */
export const sayIfDryRun = async (app: App, flags: GlobalFlags, action: string): Promise<void> => {
  if (flags.dryRun) await say(app, flags, `would ${action}`);
};

/** Prints directly if the text fits, if the run makes changes, if the pager does not start, and with `--no-input`. */
export const showText = async (
  app: App, { input }: Pick<GlobalFlags, 'input'>, text: string, prompt?: string,
): Promise<void> => {
  const { out, tools, activity, env } = app;
  const mayPage = out.isTerminal && input !== false && activity.changes.length === 0 && activity.recovery === null;
  const isLong = mayPage && await isLonger(text, out.rows, out.columns);
  const pager = isLong ? await pagerOf(app) : null;
  if (pager === null || !await tools.page(pager, text, prompt)) await out.write(inertInLog(text, env));
};

const pagerOf = async ({ env, tools }: App): Promise<string | null> => {
  const named = env['COLLOQUY_PAGER'] ?? env['PAGER'];
  if (named !== undefined) return ['', 'cat'].includes(named.trim()) ? null : named.trim();
  // Nobody answers a pager in a CI job, and `less` cannot work on a terminal that cannot move its cursor.
  return !env['CI'] && env['TERM'] !== 'dumb' && await tools.has('less') ? 'less' : null;
};

const isLonger = async (text: string, rows: number, columns: number): Promise<boolean> => {
  const { widthOf } = await import('./width.js');
  let left = rows - 1;
  for (const line of text.replace(/\n$/, '').split('\n')) {
    left -= line.length > columns ? Math.ceil(widthOf(line) / columns) : 1;
    if (left < 0) return true;
  }
  return false;
};

export interface Progress {
  /** Replaces the line, cut to the width of the terminal. The text is not escaped. */
  readonly show: (text: string) => Promise<void>;
  /** Clears the line; call it before other output and at the end. */
  readonly done: () => Promise<void>;
}

const shownProgress = new WeakMap<Output, Progress>();

const silent: Progress = { show: async () => undefined, done: async () => undefined };

/** On stderr, if that is a terminal that can clear a line. */
export const progressOn = ({ err, env }: App, { quiet, debug }: GlobalFlags): Progress => {
  if (!err.isTerminal || quiet || debug || env['TERM'] === 'dumb') return silent;
  const progress: Progress = {
    show: async (text) => {
      shownProgress.set(err, progress);
      await err.write(`\r${text.slice(0, err.columns - 1)}\x1b[K`);
    },
    done: async () => {
      if (shownProgress.get(err) !== progress) return;
      shownProgress.delete(err);
      await err.write('\r\x1b[K');
    },
  };
  return progress;
};

export const showingProgress = async <T>(
  app: App, flags: GlobalFlags, work: (progress: Pick<Progress, 'show'>) => Promise<T>,
): Promise<T> => {
  const progress = progressOn(app, flags);
  try {
    return await work(progress);
  } finally {
    await progress.done();
  }
};

export const withProgress = <T>(
  app: App, flags: GlobalFlags, text: string, work: () => Promise<T>,
): Promise<T> => showingProgress(app, flags, async ({ show }) => {
  await show(`${text} …`);
  return work();
});

export const withUploadProgress = <T>(
  app: App, flags: GlobalFlags, bytes: number, send: () => Promise<T>,
): Promise<T> =>
  withProgress(app, flags, `sending ${sizeText(bytes)}`, send);

const sizeText = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

/** In milliseconds. Longer waits are reported on a line of their own, even without a terminal. */
const longWait = 2_000;

/** The same of an attempt: without a line after it, the program seems to hang. */
const longAttempt = 5_000;

export const waitReporter = (app: App, flags: GlobalFlags): Observer => {
  const progress = progressOn(app, flags);
  const { waits } = app.activity;
  const waiting: { readonly request: string; readonly wait: number }[] = [];
  const starts = new Map<string, number>();
  return (event) => {
    if (event.type === 'request') starts.set(event.request, app.elapsed());
    if (event.type === 'response') waits.lastFailure = null;
    if (event.type === 'retry') {
      waits.lastFailure = event.reason;
      waiting.push(event);
      const text = `${event.request}: ${causeOf(event.reason)}; next attempt in ${secondsOf(event.wait)} s`
        + ` (${event.attempt - 1} of ${event.attempts - 1})`;
      const took = app.elapsed() - (starts.get(event.request) ?? Infinity);
      if (event.wait <= longWait && took < longAttempt) return void progress.show(plainLine(text));
      waits.isReported ||= event.wait > longWait;
      void progress.show('').then(() => progress.done()).then(() => say(app, flags, plainLine(text)));
    }
    if (event.type !== 'request') return;
    const at = waiting.findIndex(({ request }) => request === event.request);
    if (at < 0) return;
    waits.repeats++;
    waits.ms += waiting.splice(at, 1)[0]!.wait;
    void progress.done();
  };
};

export const noteReporter = (app: App, flags: GlobalFlags): Observer => {
  const progress = progressOn(app, flags);
  return (event) => {
    if (event.type === 'check' && event.wait > 0) {
      void progress.show(plainLine(`${event.request}: ${causeOf(event.reason)}; looking for the note in `
        + `${secondsOf(event.wait)} s`));
    }
    if (event.type === 'changed') {
      void say(app, flags, `left note ${event.note}: it has the marker of note ${event.kept}, but another text`);
    }
    if (event.type === 'duplicate') {
      void say(app, flags, `deleted note ${event.note}: note ${event.kept} was added first`);
    }
  };
};

export const reportWaits = async (app: App, flags: GlobalFlags): Promise<void> => {
  const { repeats, ms, isReported } = app.activity.waits;
  if (!isReported || repeats === 0) return;
  await say(app, flags, `repeated requests ${counted(repeats, 'time')}; waited ${secondsOf(ms)} s in all`);
};

const mostNamed = 5;

/** Once for all that were read: `the service sent 1 incomplete record: note 345 without author`. */
export const reportOddRecords = async (app: App, flags: GlobalFlags): Promise<void> => {
  const texts = [...new Set(app.activity.odd.map(oddRecordText))];
  if (texts.length === 0) return;
  const more = texts.length - mostNamed;
  await say(app, flags, `the service sent ${counted(texts.length, 'incomplete record')}: `
    + plainLine(texts.slice(0, mostNamed).join('; ')) + (more > 0 ? `; and ${more} more` : ''));
};

const oddRecordText = ({ kind, id, fields }: OddRecord): string => {
  const noun = recordNouns[kind] ?? kind.replace(/\B[A-Z]/g, ' $&').toLowerCase();
  return `${noun}${id === null ? '' : ` ${id}`} without ${fields.join(', ')}`;
};

const recordNouns: Readonly<Record<string, string>> = {
  Discussion: 'thread', EpicDetails: 'epic', LinkedEpic: 'epic', CurrentUser: 'user', DiffVersion: 'diff version',
  DiffVersionDetails: 'diff version', FileDiff: 'file', CommitDetails: 'commit', MergeRequestChanges: 'merge request',
};

/** `; the last response was 429`, else nothing: for a run that ends while a request is repeated. */
export const lastFailure = ({ waits: { lastFailure: reason } }: Activity): string => {
  if (reason === null) return '';
  return `; ${/^status /.test(reason) ? `the last response was ${reason.slice('status '.length)}` : causeOf(reason)}`;
};

const causeOf = (reason: string): string => {
  if (reason === 'status 429') return 'rate limit exceeded (429)';
  if (reason === 'UND_ERR_HEADERS_TIMEOUT') return 'no response in time';
  return /^status /.test(reason) ? reason.slice('status '.length) : `cannot reach the service (${reason})`;
};

const secondsOf = (wait: number): string => wait < 1000 ? (wait / 1000).toFixed(1) : String(Math.ceil(wait / 1000));
