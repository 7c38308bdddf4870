import * as Type from '@sinclair/typebox';
import { compareRecordings, type RecordedDifference } from '../../../recording/compare.js';
import { counted } from '../../../text/counted.js';
import type { App } from '../../app.js';
import { Problem, usage } from '../../command-line/errors/failure.js';
import type { GlobalFlags } from '../../command-line/flags/global.js';
import { say } from '../../terminal/io/messages.js';
import { listPrinter, wholeList } from '../../terminal/output/list-printer.js';
import type { View } from '../../terminal/output/view.js';
import { recordingIn } from './replay.js';

const text = Type.String();
const levels = Type.Union([Type.Literal('info'), Type.Literal('warning'), Type.Literal('error')]);

const differenceView: View<RecordedDifference> = {
  columns: [
    { name: 'level', cell: ({ level }) => level },
    { name: 'request', cell: ({ request }) => request, minWidth: 20 },
    { name: 'place', cell: ({ place }) => place, minWidth: 12 },
    { name: 'before', cell: ({ before }) => before },
    { name: 'after', cell: ({ after }) => after },
  ],
  id: ({ request }) => request,
  shape: Type.Object({ level: levels, request: text, place: text, before: text, after: text }),
  emptyText: 'no response differs',
};

/** Prints how the second recording differs from the first one. @throws Problem if more than additions do */
export const runDiff = async (app: App, flags: GlobalFlags, files: readonly string[]): Promise<void> => {
  const [before, after, ...others] = files;
  if (before === undefined || after === undefined || others.length > 0) {
    throw usage(`diff takes two recordings, not ${files.length}`, 'name the earlier one, then the later one');
  }
  const print = listPrinter(app, flags, differenceView);
  const differences = compareRecordings(await recordingIn(app, before), await recordingIn(app, after));
  await print(wholeList(differences));
  const serious = differences.filter(({ level }) => level !== 'info').length;
  if (serious > 0) {
    throw new Problem('pending', counted(serious, 'response differs', 'responses differ'),
      'check whether your program expects what was there before');
  }
  if (differences.length > 0) await say(app, flags, 'only additions, which clients ignore');
};
