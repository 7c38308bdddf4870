import type { Queries, Row } from '../store/database.js';

interface FieldRow extends Row { readonly name: string; readonly value: string }

/** What was ever set of the appearance, by field: texts, the path of an image, `1` or `0` for a switch. */
export const readAppearance = async (queries: Queries): Promise<ReadonlyMap<string, string>> =>
  new Map((await queries.all<FieldRow>('SELECT name, value FROM appearance')).map(({ name, value }) => [name, value]));

/** Sets one field of the appearance. */
export const writeAppearance = (queries: Queries, name: string, value: string) => queries.run(
  `INSERT INTO appearance (name, value) VALUES (?, ?)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value);
