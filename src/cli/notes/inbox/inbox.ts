import type { Client } from '../../../client/methods.js';
import type { MergeRequest } from '../../../contract/lookups/shapes.js';
import type { App } from '../../app.js';
import type { Failed } from '../../changes/report.js';
import { inLanes } from '../../service/connection/lanes.js';
import { isOfService } from '../../service/connection/unsupported.js';
import type { Owner } from '../filters/people.js';
import { readSeen } from '../seen/seen.js';
import { waitingFor, type InboxEntry, type Waiting } from './entry.js';
import { openMergeRequests, type InboxScope } from './merge-requests.js';

interface Inbox {
  /** What waits longest comes first, then what was changed longest ago. */
  readonly entries: readonly InboxEntry[];
  /** Projects and groups that could not be read, each once. */
  readonly failed: readonly Failed[];
}

/** @param base URL of the service @param owner of the token */
export const readInbox = async (
  app: App, client: Client, base: string, owner: Promise<Owner>, scope: InboxScope,
): Promise<Inbox> => {
  const [{ mergeRequests, failed }, user] = await Promise.all([openMergeRequests(client, owner, scope), owner]);
  const unread: Failed[] = [];
  const rows = await inLanes(mergeRequests, async (one) => {
    try {
      const { project_id: id, iid } = one;
      const path = { id: String(id), noteable_id: String(iid), per_page: 100 };
      const [threads, isNew] = await Promise.all([
        client.discussions.merge_request.list(path).all(),
        readSeen(app, { base, user: user.id, container: projectOf(one), name: `mr/${iid}` }),
      ]);
      return [{ one, waiting: waitingFor(user, threads, isNew) }];
    } catch (error) {
      if (!isOfService(error)) throw error;
      unread.push({ name: projectOf(one), error });
      return [];
    }
  });
  return { entries: rows.flat().sort(byTime).map(entryOf), failed: uniqueByName([...failed, ...unread]) };
};

interface Row { readonly one: MergeRequest; readonly waiting: Waiting }

const byTime = (a: Row, b: Row): number => {
  const [first, second] = [a.waiting.since ?? Infinity, b.waiting.since ?? Infinity];
  return first === second ? Date.parse(a.one.updated_at) - Date.parse(b.one.updated_at) : first - second;
};

const entryOf = ({ one, waiting: { open, waiting, mentions, new: unseen } }: Row): InboxEntry =>
  ({ ref: `${projectOf(one)}!${one.iid}`, url: one.web_url, title: one.title, open, waiting, mentions, new: unseen });

/** The path, which older services show in the address only. */
const projectOf = ({ references, web_url, project_id }: MergeRequest): string => {
  const full = (references as Partial<MergeRequest>['references'])?.full;
  return full?.split('!')[0] || /^https?:\/\/[^/]+\/(.+?)\/(?:-\/)?merge_requests\//.exec(web_url)?.[1]
    || String(project_id);
};

const uniqueByName = (failed: readonly Failed[]): Failed[] =>
  [...new Map(failed.map((one) => [one.name, one])).values()];
