import type { Epic } from '../../contract/epics.js';
import { looks } from '../changes/recorded.js';
import { say } from '../terminal/io/messages.js';
import { plainLine } from '../../text/plain.js';
import { progressOn } from '../terminal/io/progress.js';
import type { RecordedRun } from './journal.js';
import { createdBy, isMadeIn, parentIn, type OpenWrite } from './open-write.js';
import type { RunSite } from './site.js';

/** Waits until the write of unknown outcome shows or the service can no longer make it, except in a dry run. */
export const settled = async (site: RunSite, run: RecordedRun): Promise<RecordedRun> => {
  const { app, flags, journal } = site;
  const { open } = run;
  if (!open) return run;
  const title = open.step.action === 'create' ? `"${plainLine(open.step.title)}"` : 'the last change';
  if (flags.dryRun) {
    await say(app, flags, `warning: ${title} may still appear: its request got no response`);
    return run;
  }
  const children = await withOutcome(site, run, open, title);
  if (open.step.action !== 'create') return run;
  const created = createdBy(open, children);
  await journal.add(created ? { type: 'done', created } : { type: 'absent' });
  return await journal.read() ?? run;
};

/** As soon as they show the write; after the longest wait as they are. */
const withOutcome = async (
  site: RunSite, { epics }: RecordedRun, open: OpenWrite, title: string,
): Promise<readonly Epic[]> => {
  const { app, flags, parent } = site;
  const { step, until } = open;
  const facts = epics.get(parentIn(step));
  const path = facts ? { id: String(facts.group_id), epic_iid: facts.iid } : parent.path;
  const progress = progressOn(app, flags);
  try {
    for (let look = 1; ; look++) {
      const children = await parent.client.epics.list(path).complete();
      const isMade = step.action === 'create' ? createdBy(open, children) !== null
        : isMadeIn(step, children.map(({ id }) => id));
      const left = until - app.now().getTime();
      if (isMade || left <= 0) return children;
      await progress.show(`waiting for ${title}, whose request got no response: ${Math.ceil(left / 1_000)} s …`);
      await app.sleep(Math.min(left, looks[look] ?? looks.at(-1)!));
    }
  } finally {
    await progress.done();
  }
};
