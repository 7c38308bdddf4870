import * as Type from '@sinclair/typebox';
import { groupedBy } from '../../../text/groups.js';
import { counted, firstOf } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import { errorReason } from '../../changes/report.js';
import type { Outcome } from '../../changes/run.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';
import type { Tone } from '../../terminal/io/style.js';
import { chosenFormat, outputFormats, printJson, selectedFields } from '../../terminal/output/format.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import { pickFields, type View } from '../../terminal/output/view.js';
import { levelTone } from '../views/note.js';
import type { EarlierThread } from './earlier.js';
import { printFingerprint } from './fingerprint.js';
import type { PostStep, WantedFinding } from './plan.js';
import { fileInTitle, partsOfText, printedPlace } from './title.js';

interface Post {
  readonly key: string;
  readonly fingerprint: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly level: string | null;
  readonly rule: string | null;
  readonly message: string | null;
  readonly discussion_id: string | null;
  readonly note_id: number | null;
  readonly reason?: string;
  readonly error?: string;
}

const lists = ['created', 'updated', 'kept', 'resolved', 'reopened', 'left', 'skipped', 'failed'] as const;
type PostList = (typeof lists)[number];

export type PostResult = { readonly [L in PostList]: readonly Post[] } & { readonly summarized: number };

export const resultFields: readonly string[] = [...lists.slice(0, -1), 'summarized', 'failed'];

export interface Posted {
  readonly created?: { readonly discussion_id: string; readonly note_id: number | null };
  /** It says that the service lost the position of the new thread. */
  readonly problem?: Error;
  /** What was done in place of the step. */
  readonly instead?: PostStep;
}

export type PostOutcome = Outcome<PostStep, Posted>;

export const postProblem = ({ error, result }: PostOutcome): Error | undefined => error ?? result?.problem;

const listOf: Readonly<Record<PostStep['action'], PostList | null>> = {
  create: 'created', update: 'updated', keep: 'kept', resolve: 'resolved', reopen: 'reopened', leave: 'left',
  skip: 'skipped', summarize: null,
};

export const postResultOf = (outcomes: readonly PostOutcome[]): PostResult => {
  const inList = (list: PostList) => outcomes
    .filter((outcome) => (postProblem(outcome) ? 'failed' : listOf[outcome.step.action]) === list).map(postFrom);
  return {
    created: inList('created'), updated: inList('updated'), kept: inList('kept'), resolved: inList('resolved'),
    reopened: inList('reopened'), left: inList('left'), skipped: inList('skipped'),
    summarized: outcomes.filter(({ step }) => step.action === 'summarize').length, failed: inList('failed'),
  };
};

const postFrom = (outcome: PostOutcome): Post => {
  const { step, result } = outcome;
  const problem = postProblem(outcome);
  const thread = 'thread' in step ? step.thread : null;
  const wanted = 'wanted' in step ? step.wanted : null;
  return {
    ...(wanted ? findingSubject(wanted) : threadSubject(thread!)),
    ...(result?.created ?? { discussion_id: thread?.id ?? null, note_id: thread?.note ?? null }),
    ...('reason' in step && { reason: reasonOf(step) }),
    ...(step.action === 'reopen' && step.thread.resolvedBy !== null
      && { reason: `resolved by ${step.thread.resolvedBy}` }),
    ...(problem && { error: errorReason(problem) }),
  };
};

/** What a person answered or changed stays open, whether the finding is gone or not. */
const reasonOf = ({ wanted, reason }: Extract<PostStep, { readonly reason: string }>): string =>
  wanted === null && /^(?:answered by |changed by hand$)/.test(reason) ? `${reason}; the finding is gone` : reason;

type Subject = Omit<Post, 'discussion_id' | 'note_id' | 'reason' | 'error'>;

const findingSubject = ({ key, fingerprint, finding: { file, line, level, rule, message } }: WantedFinding): Subject =>
  ({ key, fingerprint: printFingerprint(fingerprint), file: file || null, line, level, rule, message });

/** The report has no such finding any more, so rule and message are those in the text, unless a person changed it. */
const threadSubject = ({ key, fingerprint, file: known, line, level, text, isChanged }: EarlierThread): Subject => {
  const file = known ?? (isChanged ? null : fileInTitle(text));
  return {
    key, fingerprint: printFingerprint(fingerprint), file, line, level,
    ...isChanged ? { rule: null, message: null } : partsOfText(text, { file, line }),
  };
};

type Row = Post & { readonly action: PostList | 'accepted' | 'answered' | 'found' | 'summarized' };

/** As the states that the threads have then are painted. */
const actionTones: { readonly [A in Row['action']]?: Tone } = {
  created: 'open', reopened: 'open', updated: 'changed', resolved: 'done', accepted: 'done', failed: 'removed',
};

const rowView: View<Row> = {
  columns: [
    { name: 'action', cell: ({ action }) => action, tone: ({ action }) => actionTones[action] ?? 'faint' },
    {
      name: 'place', minWidth: 12, keep: 'end',
      cell: ({ file, line }) => file === null ? '' : printedPlace({ file, line }),
    },
    {
      name: 'level', hideOrder: 2,
      cell: ({ level }) => level ?? '', tone: ({ level }) => levelTone(level),
    },
    { name: 'rule', cell: ({ rule }) => rule ?? '', hideOrder: 1, minWidth: 8 },
    { name: 'note', cell: ({ note_id }) => note_id === null ? '' : String(note_id), hideOrder: 3 },
    { name: 'text', cell: ({ error, reason, message }) => error ?? reason ?? message ?? '', minWidth: 20 },
  ],
  id: ({ note_id }) => note_id === null ? '' : String(note_id),
  shape: Type.Object({}),
  emptyText: '',
};

/**
 * Prints the lists in JSON and YAML, otherwise one row for each finding and thread. Without a format for programs, the
 * findings that were skipped are counted by their reasons instead.
 * @throws Problem for an invalid format or unknown field, before any request
 */
export const resultPrinter = (
  app: App, flags: GlobalFlags & { readonly reporter?: 'service' | 'terminal' },
): ((result: PostResult) => Promise<void>) => {
  const format = chosenFormat(flags);
  const valueText = format === null ? undefined : outputFormats[format].valueText;
  if (!valueText) {
    const print = listPrinter(app, flags, rowView);
    if (format !== null && format !== 'table') return (result) => print(wholeList(rowsOf(result)));
    return async (result) => {
      const rows = rowsOf({ ...result, skipped: [], failed: failedForPeople(result) }).map(rowForPeople);
      const shown = flags.reporter === 'terminal' ? rows.map((row): Row => ({ ...row, action: 'found' }))
        : [...rows, ...summaryRow(result)];
      if (shown.length > 0) await print(wholeList(shown));
      for (const line of skippedLines(result)) await say(app, flags, plainLine(line));
    };
  }
  const fields = selectedFields(flags, resultFields);
  return async (result) => {
    const picked = pickFields(result, fields);
    if (flags.jq !== undefined) return printJson(app, flags, picked);
    await app.out.write(await valueText(picked, app.out));
  };
};

const rowsOf = (result: PostResult): Row[] =>
  lists.flatMap((action) => result[action].map((post) => ({ ...post, action })));

const summaryRow = ({ summarized }: PostResult): Row[] => summarized === 0 ? [] : [{
  action: 'summarized', key: '', fingerprint: '', file: null, line: null, level: null, rule: null, discussion_id: null,
  note_id: null, message: `${counted(summarized, 'finding')} in one comment`,
}];

/** If all changes failed for one reason, only the error of the run has it. */
const failedForPeople = ({ created, updated, resolved, reopened, failed }: PostResult): readonly Post[] => {
  const isOneReason = [created, updated, resolved, reopened].every(({ length }) => length === 0)
    && new Set(failed.map(({ error }) => error)).size === 1;
  return isOneReason ? failed.map(({ error: _, ...post }) => post) : failed;
};

const rowForPeople = ({ reason, error, ...row }: Row): Row => {
  const why = error ?? reason;
  if (why === undefined) return row;
  const left = row.action === 'left' && leftBecause.find(([start]) => why.startsWith(start))?.[1];
  return { ...row, action: left || row.action, message: row.message === null ? why : `${row.message} (${why})` };
};

const leftBecause = [['resolved by ', 'accepted'], ['answered by ', 'answered']] as const;

const skippedLines = ({ skipped }: PostResult): string[] =>
  [...groupedBy(skipped, reasonAlone)].toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, posts]) => `skipped ${counted(posts.length, 'finding')}: ${reason}${placesIn(posts)}`);

const placesIn = (posts: readonly Post[]): string => {
  const places = new Set(posts.flatMap(({ file, line }) => file === null ? [] : printedPlace({ file, line })));
  return places.size === 0 ? '' : ` (${firstOf([...places], 3)})`;
};

/** Without the file and line that it may start with, so that others have it too, and without what is printed before. */
const reasonAlone = ({ file, reason = '' }: Post): string => {
  if (reason.startsWith('stale: ')) return 'stale';
  const at = reason.indexOf(`${file} is `);
  return at === -1 ? reason : reason.slice(at + `${file} is `.length);
};

/** In the words of the rows for people. @param summary the page of the comment that lists the summarized ones */
export const countsOf = (result: PostResult, summary: string | null = null): string => {
  const actions = rowsOf(result).map((row) => rowForPeople(row).action);
  const words = lists.flatMap((list) => list === 'left' ? [...leftBecause.map(([, word]) => word), list] : list);
  const counts = words.map((word) => [word, actions.filter((action) => action === word).length] as const);
  const summarized = [`summarized ${result.summarized}`, ...summary === null ? [] : [summary]].join(' in ');
  const shown = counts.flatMap(([word, count]) => count === 0 ? [] : `${word} ${count}`);
  return [...shown, ...result.summarized === 0 ? [] : [summarized]].join(', ') || 'no findings';
};
