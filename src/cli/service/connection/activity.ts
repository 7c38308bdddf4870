import type { OddRecord } from '../../../client/whole-records.js';
import { counted } from '../../../text/messages.js';
import { plainLine } from '../../../text/plain.js';
import type { App } from '../../app.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { say } from '../../terminal/io/messages.js';

const mostNamed = 5;

/** Once for all that were read: `the service sent 1 incomplete record: note 345 without author`. */
export const reportOddRecords = async (app: App, flags: GlobalFlags): Promise<void> => {
  const texts = [...new Set(app.activity.odd.map(textOf))];
  const more = texts.length - mostNamed;
  await say(app, flags, `the service sent ${counted(texts.length, 'incomplete record')}: `
    + plainLine(texts.slice(0, mostNamed).join('; ')) + (more > 0 ? `; and ${more} more` : ''));
};

const textOf = ({ kind, id, fields }: OddRecord): string => {
  const noun = nouns[kind] ?? kind.replace(/\B[A-Z]/g, ' $&').toLowerCase();
  return `${noun}${id === null ? '' : ` ${id}`} without ${fields.join(', ')}`;
};

const nouns: Readonly<Record<string, string>> = {
  Discussion: 'thread', EpicDetails: 'epic', LinkedEpic: 'epic', CurrentUser: 'user', DiffVersion: 'diff version',
  DiffVersionDetails: 'diff version', FileDiff: 'file', CommitDetails: 'commit', MergeRequestChanges: 'merge request',
};
