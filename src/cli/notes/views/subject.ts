import type { User } from '../../../contract/shapes/scalars.js';
import { asText, plainLine } from '../../../text/plain.js';
import { nullIfFailed } from '../../service/connection/unsupported.js';
import type { Target } from '../../service/targets/target.js';
import type { Paint } from '../../terminal/io/style.js';

interface Subject {
  readonly title: string;
  readonly author?: Partial<User> | null;
  readonly author_name?: string;
  readonly state?: string;
  readonly source_branch?: string;
  readonly target_branch?: string;
}

/** Null if the service does not report it. */
export const subjectOf = ({ client: { lookups }, kind, path: { id }, ref }: Target): Promise<Subject | null> => {
  const iid = Number(ref.id);
  switch (kind) {
    case 'merge_request': return nullIfFailed(lookups.mergeRequest({ id, iid }));
    case 'issue': return nullIfFailed(lookups.issue({ id, iid }));
    case 'snippet': return nullIfFailed(lookups.snippet({ id, snippet_id: iid }));
    case 'commit': return nullIfFailed(lookups.commit({ id, sha: ref.id }));
    case 'epic': return ref.isGlobal ? Promise.resolve(null) : nullIfFailed(lookups.epic({ id, iid }));
  }
};

export interface ThreadCounts { readonly open: number; readonly resolved: number; readonly new: number }

/** `mr/12 Retry deliveries` */
export const subjectName = (name: string, subject: Subject | null): string =>
  plainLine(`${name} ${asText(subject?.title)}`);

/** `mr/12 Retry deliveries`, then its author, state and branches, then the counts. */
export const subjectLines = (
  name: string, subject: Subject | null, counts: ThreadCounts, paint: Paint,
): readonly string[] => {
  const { source_branch: from, target_branch: to } = subject ?? {};
  const details = [authorText(subject), stateText(subject?.state), from && to ? `${from} → ${to}` : ''];
  const about = plainLine(details.filter((part) => part !== '').join(', '));
  return [paint('strong', subjectName(name, subject)), about, countsText(counts, paint)]
    .filter((line) => line !== '');
};

const authorText = (subject: Subject | null): string => {
  const { author, author_name } = subject ?? {};
  if (author?.username === undefined) return author_name === undefined ? '' : `by ${asText(author_name)}`;
  return `by ${asText(author.name)} (@${asText(author.username)})`;
};

/** As threads are called. */
const stateText = (state: unknown): string => state === 'opened' ? 'open' : asText(state);

const countsText = (counts: ThreadCounts, paint: Paint): string => [
  counts.open > 0 ? paint('open', `${counts.open} open`) : '0 open',
  counts.resolved > 0 ? paint('done', `${counts.resolved} resolved`) : '0 resolved',
  paint(counts.new > 0 ? 'strong' : null, `${counts.new} new`),
].join(', ');
