import { reportProblems } from '../changes/problems.js';
import { Problem } from '../command-line/failure.js';
import { say } from '../terminal/io/messages.js';
import { counted } from '../../text/messages.js';
import { plainLine } from '../../text/plain.js';
import { changeHierarchy, planned, type RunReport } from './apply.js';
import { conflictsOf, serviceFacts } from './conflicts.js';
import type { RecordedRun } from './journal.js';
import { readLiveLinks, type EpicFacts } from './live.js';
import { addRecorded } from './recorded-epics.js';
import { rollbackOf, type Rollback } from './rollback.js';
import { checkSameEpics, checkSameTop } from './same.js';
import { settled } from './settle.js';
import { withReading, type RunSite } from './site.js';

/**
 * Restores the links before the recorded run, where they still are as the run left them, and removes the journal. It
 * stays, finished, where an epic could not be read. Epics that the run created are only removed from their parents.
 */
export const rollBack = async (site: RunSite, recorded: RecordedRun): Promise<RunReport> => {
  const { app, flags, name, journal } = site;
  await checkSameTop(recorded, site);
  const run = await settled(site, recorded);
  const read = () => withReading(site, async (progress) => {
    const reader = await readLiveLinks(site.parent, progress);
    const { former, created } = run;
    const ids = [...former.children.keys(), ...former.parents.keys(), ...created.keys()];
    const unread = await addRecorded(site, reader, run, ids);
    checkSameEpics(run, reader.live.epics.values(), site);
    return { ...reader, target: rollbackOf(reader.live, run), unread };
  });
  const { live, details, target, unread } = await read();
  const steps = planned(live, target);
  const conflicts = await withReading(site, () =>
    conflictsOf(steps, live, serviceFacts(site.parent.client, live, details)));
  await reportProblems(app, flags, conflicts, { isStrict: false, code: 'rejected', what: 'conflicts' });
  const plan = async () => {
    const again = await read();
    return { steps: planned(again.live, again.target) };
  };
  if (steps.length === 0) await say(app, flags, `nothing to roll back in ${name}`);
  const report = steps.length === 0 ? { live, results: [], conflicts, isPlan: flags.dryRun ?? false, error: null }
    : await changeHierarchy(site, { live, target, steps, conflicts }, {
      action: 'roll back', plan, begin: async () => undefined, end: async () => undefined, earlier: run,
    });
  if (report.isPlan || report.error) return report;
  await (unread.size > 0 ? journal.add({ type: 'end' }) : journal.remove());
  return { ...report, error: remains(target, run, live.epics) };
};

/** The error that lists what a rollback could not undo; null if nothing remains. */
const remains = (
  { kept }: Rollback, { created }: RecordedRun, epics: ReadonlyMap<number, EpicFacts>,
): Problem | null => {
  const left = [...created.values()].filter(({ id }) => epics.has(id));
  const lines = kept.map((line) => `  ${line}`);
  if (left.length > 0) {
    lines.push('delete the new epics in the web interface:',
      ...left.map(({ url, iid, title }) => `  ${url ?? `&${iid}`} "${plainLine(title)}"`));
  }
  if (lines.length === 0) return null;
  const what = left.length === 0 ? 'some changes remain'
    : `${counted(left.length, 'new epic remains', 'new epics remain')} without a parent`;
  return new Problem('failure', `rolled back, but ${what}`, lines.join('\n'));
};
