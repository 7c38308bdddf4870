import type { Examination, FactResult } from '../../../conformance/run.js';
import { deleteLeftNotes, type LeftNotes } from '../../../conformance/left-notes.js';
import { counted } from '../../../text/messages.js';
import type { App } from '../../app.js';
import { say } from '../../terminal/io/messages.js';
import type { GlobalFlags } from '../../command-line/flags.js';
import { DryRun } from '../connection/dry-run.js';

type Results = readonly FactResult[];

/**
 * Deletes the notes of an earlier run first. Checks delete their own notes; what is left after a failure, an interrupt
 * or a create without a response is deleted at the end.
 */
export const withCleanUp = async (
  app: App, flags: GlobalFlags, examination: Examination, work: () => Promise<Results>,
): Promise<Results> => {
  const { activity } = app;
  if (examination.effects.size === 1) return work();
  const { deleted } = await cleaned(app, examination);
  if (deleted > 0) await say(app, flags, `deleted ${counted(deleted, 'note')} that an earlier run left`);
  activity.isCleaningUp = true;
  try {
    const results = await work();
    if (results.some(({ result }) => result === 'fail')) await cleaned(app, examination);
    return results;
  } catch (error) {
    if (!(error instanceof DryRun)) await cleanAfterFailure(app, flags, examination);
    throw error;
  } finally {
    activity.isCleaningUp = false;
  }
};

/** The failure of the run is reported, not that of its clean-up. */
const cleanAfterFailure = async (app: App, flags: GlobalFlags, examination: Examination): Promise<void> => {
  if (!examination.effects.has('notes')) return;
  await say(app, flags, 'deleting the notes of the checks');
  try {
    const { paths } = await cleaned(app, examination);
    if (paths.length === 0 && !examination.effects.has('epics')) takeBack(app.activity);
  } catch {
    await say(app, {}, 'notes of the checks may remain: run again with --write to delete them');
  }
};

/** Other requests of the checks are ones that the service rejects. */
const takeBack = (activity: App['activity']): void => {
  if (activity.changes.length > 0) {
    activity.undone = 'the notes of the checks were deleted again; system notes and mails remain';
  }
  activity.changes.length = 0;
};

const cleaned = async (app: App, { probe, writable, effects }: Examination): Promise<LeftNotes> => {
  if (!effects.has('notes')) return { deleted: 0, paths: [] };
  const left = await deleteLeftNotes(probe, writable);
  const { paths } = left;
  if (paths.length > 0) {
    const named = [...paths.slice(0, mostNamed), ...paths.length > mostNamed ? ['…'] : []].map((path) => `  ${path}`);
    await say(app, {}, [
      `cannot delete ${counted(paths.length, 'note')} of the checks; delete by hand:`, ...named].join('\n'));
  }
  return left;
};

const mostNamed = 10;
