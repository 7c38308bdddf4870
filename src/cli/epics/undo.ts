import { ApiError } from '../../client/errors.js';
import { nullIfUnsupported } from '../service/connection/unsupported.js';
import { Problem } from '../command-line/errors/failure.js';
import { say } from '../terminal/io/messages.js';
import { counted } from '../../text/counted.js';
import { plainLine } from '../../text/plain.js';
import { changeHierarchy, planned, type RunReport } from './apply.js';
import type { RecordedRun } from './journal.js';
import { readLive, type EpicFacts, type LiveReader } from './live.js';
import { rollbackOf, type Rollback } from './rollback.js';
import { checkSameEpic, checkSameEpics, checkSameTop } from './same.js';
import { settled } from './settle.js';
import { withReading, type Site } from './site.js';

/**
 * Restores the links before the recorded run, where they still are as the run left them, and removes the journal.
 * Epics that the run created are only removed from their parents.
 */
export const rollBack = async (site: Site, recorded: RecordedRun): Promise<RunReport> => {
  const { app, flags, name, journal } = site;
  await checkSameTop(recorded, site);
  const run = await settled(site, recorded);
  const read = () => withReading(site, async (progress) => {
    const reader = await readLive(site.parent, progress);
    await addRecorded(site, reader, run);
    checkSameEpics(run, reader.live.epics.values(), site);
    return { live: reader.live, target: rollbackOf(reader.live, run) };
  });
  const { live, target } = await read();
  const steps = planned(live, target);
  const plan = async () => {
    const again = await read();
    return { steps: planned(again.live, again.target) };
  };
  if (steps.length === 0) await say(app, flags, `nothing to roll back in ${name}`);
  const report = steps.length === 0 ? { live, results: [], isPlan: flags.dryRun ?? false, error: null }
    : await changeHierarchy(site, { live, target, steps }, {
      action: 'roll back', plan, begin: async () => undefined, end: async () => undefined, earlier: run,
    });
  if (report.isPlan || report.error) return report;
  await journal.remove();
  return { ...report, error: remains(target, run, live.epics) };
};

/** Adds the epics of a recorded run that are outside the hierarchy now, and the parents that it changed. */
const addRecorded = async (site: Site, reader: LiveReader, run: RecordedRun): Promise<void> => {
  const { client } = site.parent;
  const { forest } = reader.live;
  const present = async (facts: EpicFacts): Promise<EpicFacts | null> => {
    try {
      const epic = await nullIfUnsupported(client.lookups.epic({ id: String(facts.group_id), iid: facts.iid }));
      if (epic) checkSameEpic(facts, epic, site);
      return epic ?? { ...facts, parent_id: null };
    } catch (error) {
      if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return null;
      throw error;
    }
  };
  for (const id of new Set([...run.former.children.keys(), ...run.former.parents.keys(), ...run.created.keys()])) {
    const recorded = run.epics.get(id);
    if (!recorded || id === reader.live.root || (forest.parents.has(id) && forest.children.has(id))) continue;
    const facts = await present(recorded);
    if (facts === null) continue;
    await (run.former.parents.has(id) || run.created.has(id) ? reader.add(facts) : reader.addChildren(facts));
  }
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
