import type { Queries, Row } from '../store/database.js';
import type { Condition, NoteableRow } from './noteables.js';

/** Sorted (behavior: lookups.labels). */
export const labelTitles = ({ labels }: Pick<NoteableRow, 'labels'>): string[] =>
  (JSON.parse(labels) as string[]).sort();

/** As `noteables` has them. */
export const storedLabels = (titles: readonly string[]): string => JSON.stringify([...new Set(titles)].sort());

/** behavior: lookups.label-filter */
export const labelConditions = (given: readonly string[] | null | undefined): Condition[] => {
  const titles = given ?? [];
  const [first = ''] = titles;
  if (titles.length === 1 && first.toLowerCase() === 'none') return [[`labels = '[]'`]];
  if (titles.length === 1 && first.toLowerCase() === 'any') return [[`labels <> '[]'`]];
  // No title has a comma, so that what is found is one title, not the end of one and the start of the next.
  return titles.map((title) =>
    title.includes(',') ? ['1 = 0'] : [`replace(labels, ?, '') <> labels`, JSON.stringify(title)]);
};

export interface LabelRow extends Row { readonly id: number; readonly project_id: number; readonly title: string }

export const labelsOf = (queries: Queries, project: number) =>
  queries.all<LabelRow>('SELECT id, project_id, title FROM labels WHERE project_id = ? ORDER BY id', project);

export const insertLabels = async (queries: Queries, project: number, titles: readonly string[]): Promise<void> => {
  for (const title of new Set(titles)) {
    await queries.run(
      'INSERT INTO labels (project_id, title) VALUES (?, ?) ON CONFLICT (project_id, title) DO NOTHING',
      project, title);
  }
};
