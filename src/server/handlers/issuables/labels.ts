import { labelLimit } from '../../../contract/conventions.js';
import { canCreateLabels, type Target } from '../../api/access.js';
import type { Call } from '../../api/context.js';
import { insertLabels, labelsOf, labelTitles, storedLabels } from '../../repositories/labels.js';
import type { Queries } from '../../store/database.js';

/** Titles, each of which may be several separated by commas. */
export interface LabelChange {
  readonly labels?: readonly string[] | null | undefined;
  readonly add_labels?: readonly string[] | null | undefined;
  readonly remove_labels?: readonly string[] | null | undefined;
}

export const changesLabels = ({ labels, add_labels, remove_labels }: LabelChange): boolean =>
  [labels, add_labels, remove_labels].some((titles) => titles !== undefined);

/** The labels after the change, as they are stored (behavior: changes.labels, changes.labels-note). */
export const changedLabels = async (
  { queries }: Call, target: Target, { labels, add_labels, remove_labels }: LabelChange,
): Promise<string> => {
  const removed = new Set(titlesIn(remove_labels));
  const former = labels === undefined ? labelTitles(target.noteable) : titlesIn(labels);
  const titles = [...former, ...titlesIn(add_labels)].filter((title) => !removed.has(title));
  return storedLabels(lastOfEachScope(await existingLabels(queries, target, titles)));
};

/** Creates those that are missing, or leaves them out (behavior: changes.new-labels). */
const existingLabels = async (queries: Queries, target: Target, titles: readonly string[]): Promise<string[]> => {
  const project = target.project!.id;
  if (canCreateLabels(target)) await insertLabels(queries, project, titles);
  const known = new Set((await labelsOf(queries, project)).map(({ title }) => title));
  return titles.filter((title) => known.has(title));
};

const titlesIn = (given: readonly string[] | null | undefined): string[] =>
  (given ?? []).flatMap((titles) => titles.split(',')).map((title) => title.trim())
    .filter((title) => title !== '' && title.length <= labelLimit);

/** `status::done` replaces `status::doing` (behavior: changes.scoped-labels). */
const lastOfEachScope = (titles: readonly string[]): string[] =>
  [...new Map(titles.map((title) => [/^(.+)::/.exec(title)?.[1] ?? `:${title}`, title])).values()];
