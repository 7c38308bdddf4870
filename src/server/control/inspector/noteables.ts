import type { NoteableKind } from '../../../contract/noteables.js';
import type { World, WorldDiscussion } from '../../world-file/schema.js';

/** What has threads, as people find it. */
export interface ShownNoteable {
  /** Names it in addresses of the page: kind, container and number. */
  readonly at: string;
  readonly kind: NoteableKind;
  /** The full path of its project or group. */
  readonly place: string;
  /** As in references: `!12`, `#3`, `&4`, `$5`, or the start of a SHA. */
  readonly number: string;
  readonly title: string;
  readonly discussions: readonly WorldDiscussion[];
  /** As `git diff` prints them; the text of each version by the commit that it ends with. */
  readonly diffs: ReadonlyMap<string, string>;
}

/** Those with threads, project by project, then the epics. */
export const noteablesOf = ({ projects = [], groups = [] }: World): ShownNoteable[] => [
  ...projects.flatMap(({ path: place = '', merge_requests = [], issues = [], snippets = [], commits = [] }) => [
    ...merge_requests.map((one) => shown('merge_request', place, `!${String(one.iid)}`, one, diffsOf(one))),
    ...issues.map((one) => shown('issue', place, `#${String(one.iid)}`, one)),
    ...snippets.map((one) => shown('snippet', place, `$${String(one.id)}`, one)),
    ...commits.map((one) => shown('commit', place, (one.sha ?? '').slice(0, 8), one,
      new Map([[one.sha ?? '', one.diff ?? '']]))),
  ]),
  ...groups.flatMap(({ path: place = '', epics = [] }) =>
    epics.map((one) => shown('epic', place, `&${String(one.iid)}`, one))),
].filter(({ discussions }) => discussions.length > 0);

export const addressOf = (kind: NoteableKind, place: string, number: string): string => `${kind} ${place} ${number}`;

const shown = (
  kind: NoteableKind, place: string, number: string,
  { title = '', discussions = [] }: { readonly title?: string; readonly discussions?: readonly WorldDiscussion[] },
  diffs: ReadonlyMap<string, string> = new Map(),
): ShownNoteable => ({ at: addressOf(kind, place, number), kind, place, number, title, discussions, diffs });

interface Versions {
  readonly head_sha?: string;
  readonly diff?: string;
  readonly versions?: readonly { readonly head_sha?: string; readonly diff?: string }[];
}

const diffsOf = ({ head_sha, diff, versions = [] }: Versions): ReadonlyMap<string, string> => new Map(
  [...versions, { head_sha, diff }].map((one) => [one.head_sha ?? '', one.diff ?? ''] as const),
);
