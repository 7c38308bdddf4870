import { basename } from 'node:path';
import { isRejected, isUnknownResponse, requestLine } from '../../../client/errors.js';
import type { OddRecord } from '../../../client/whole-records.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { HttpResponse, Transport } from '../../../wire/http.js';
import type { Activity, App, Change, DraftFolder } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';

export const newActivity = (): Activity => ({
  draft: null, isDraftEarlier: false, isTextUnsaved: false, isCleaningUp: false, undone: null, recovery: null,
  changes: [], sources: {}, service: null, odd: [],
  waits: { requests: 0, ms: 0, isReported: false },
});

/** Where a recovery is known, the hint after it says what to do. */
export const changeSummary = (
  { changes, undone, recovery }: Pick<Activity, 'changes' | 'undone' | 'recovery'>,
): string => {
  const open = changes.filter(({ outcome }) => outcome === 'open').map(({ request }) => request);
  const done = changes.length - open.length;
  if (changes.length === 0) return undone ?? 'nothing was changed';
  const before = done === 0 ? '' : counted(done, 'change was made', 'changes were made');
  if (open.length === 0) return before;
  const check = recovery === null ? ': check before sending it again' : '';
  const after = `${open.join(', ')} got no response and may have been stored${check}`;
  return before === '' ? after : `${before}; ${after}`;
};

/** --recover finds only files in the drafts folder; if that is not writable, the draft is elsewhere. */
export const draftMessage = ({ pathOf }: Pick<DraftFolder, 'pathOf'>, path: string): string =>
  `draft saved; ${pathOf(basename(path)) === path ? 'run again with --recover' : 'send it with -F'} (${path})`;

/** Adds every write to the changes before it is sent, and its outcome afterwards. */
export const withActivity = (
  transport: Transport, { changes }: Pick<Activity, 'changes'>,
): Transport => async (request, signal) => {
  if (request.method === 'GET' || request.method === 'HEAD') return transport(request, signal);
  const change: Change = { request: requestLine(request), outcome: 'open' };
  changes.push(change);
  const forget = () => { changes.splice(changes.indexOf(change), 1); };
  try {
    const response = await transport(request, signal);
    if (isDone(response)) change.outcome = 'done';
    else if (!isUnknownResponse(response)) forget();
    return response;
  } catch (error) {
    if (isRejected(error)) forget();
    throw error;
  }
};

const isDone = ({ status }: HttpResponse): boolean => status >= 200 && status < 300;

const mostNamed = 5;

/** Once for all that were read: `the service sent 1 incomplete record: note 345 without author`. */
export const reportOddRecords = async (app: App, flags: GlobalFlags): Promise<void> => {
  const texts = [...new Set(app.activity.odd.map(oddRecordText))];
  const more = texts.length - mostNamed;
  await say(app, flags, `the service sent ${counted(texts.length, 'incomplete record')}: `
    + plainLine(texts.slice(0, mostNamed).join('; ')) + (more > 0 ? `; and ${more} more` : ''));
};

const oddRecordText = ({ kind, id, fields }: OddRecord): string => {
  const noun = nouns[kind] ?? kind.replace(/\B[A-Z]/g, ' $&').toLowerCase();
  return `${noun}${id === null ? '' : ` ${id}`} without ${fields.join(', ')}`;
};

const nouns: Readonly<Record<string, string>> = {
  Discussion: 'thread', EpicDetails: 'epic', LinkedEpic: 'epic', CurrentUser: 'user', DiffVersion: 'diff version',
  DiffVersionDetails: 'diff version', FileDiff: 'file', CommitDetails: 'commit', MergeRequestChanges: 'merge request',
};
