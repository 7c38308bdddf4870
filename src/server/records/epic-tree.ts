import { epicDepth } from '../../contract/conventions.js';
import type { Queries, Row } from '../store/database.js';

/** What of a child decides on its place in the list and on who may see it. */
export interface ChildRow extends Row {
  readonly noteable: number;
  readonly id: number;
  readonly position: number;
  readonly group_id: number;
  readonly author_id: number;
  readonly confidential: number;
}

/** How siblings stand (wire-facts 6.5.7). */
export const siblingOrder = 'ORDER BY epics.position, self.global_id DESC';

/** All children of an epic in their order. */
export const childrenOf = (queries: Queries, parent: number) => queries.all<ChildRow>(
  `SELECT epics.noteable, self.global_id AS id, epics.position, self.group_id, self.author_id, self.confidential
   FROM epics JOIN noteables AS self ON self.id = epics.noteable WHERE epics.parent = ? ${siblingOrder}`, parent);

interface IdRow extends Row { readonly id: number }

/**
 * An epic's id and those of all epics above it. The CROSS JOINs hold SQLite to the order they stand in: it knows of no
 * end to a recursion, and would look at every epic there is for each step.
 */
export const lineOf = async (queries: Queries, id: number): Promise<number[]> => (await queries.all<IdRow>(
  `WITH RECURSIVE line (id, parent) AS (
     SELECT self.global_id, epics.parent FROM noteables AS self JOIN epics ON epics.noteable = self.id
     WHERE self.kind = 'epic' AND self.global_id = ?
     UNION SELECT self.global_id, epics.parent
     FROM line CROSS JOIN noteables AS self CROSS JOIN epics
     WHERE self.kind = 'epic' AND self.global_id = line.parent AND epics.noteable = self.id)
   SELECT id FROM line`, id)).map((row) => row.id);

interface HeightRow extends Row { readonly height: number }

/** How many levels an epic and what hangs below it take up; deeper than is allowed is not looked. */
export const heightOf = async (queries: Queries, id: number): Promise<number> => (await queries.get<HeightRow>(
  `WITH RECURSIVE tree (id, level) AS (
     SELECT global_id, 1 FROM noteables WHERE kind = 'epic' AND global_id = ?
     UNION SELECT self.global_id, tree.level + 1
     FROM tree JOIN epics ON epics.parent = tree.id JOIN noteables AS self ON self.id = epics.noteable
     WHERE tree.level <= ?)
   SELECT max(level) AS height FROM tree`, id, epicDepth))!.height;

/** Hangs an epic below another at a position among its children. */
export const hangEpic = async (queries: Queries, noteable: number, parent: number, position: number, now: string) => {
  await queries.run('UPDATE epics SET parent = ?, position = ? WHERE noteable = ?', parent, position, noteable);
  await touchEpic(queries, noteable, now);
};

/** Makes an epic stand alone; what hangs below it stays there. */
export const unhangEpic = async (queries: Queries, noteable: number, now: string) => {
  await queries.run('UPDATE epics SET parent = NULL WHERE noteable = ?', noteable);
  await touchEpic(queries, noteable, now);
};

const touchEpic = (queries: Queries, noteable: number, now: string) =>
  queries.run('UPDATE noteables SET updated_at = ? WHERE id = ?', now, noteable);

/** Moves an epic among its siblings; its time of change stays (wire-facts 6.5.6). */
export const setPosition = (queries: Queries, noteable: number, position: number) =>
  queries.run('UPDATE epics SET position = ? WHERE noteable = ?', position, noteable);
