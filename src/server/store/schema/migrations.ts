import type { Queries } from '../database.js';
import { StoreError } from '../errors.js';
import { schemaVersion, steps, tables, type ColumnTypes } from './tables.js';

/** How a store comes to the present schema. */
export interface Plan {
  readonly version: number;
  /** For an empty store: everything at once. */
  readonly create: readonly string[];
  /** For an older store: `steps[0]` leads from version 1 to 2, and so on. */
  readonly steps: readonly (readonly string[])[];
}

/** The plan of this version. */
export const plan = (types: ColumnTypes): Plan =>
  ({ version: schemaVersion, create: tables(types), steps: steps(types) });

/**
 * Brings a store to the plan's schema, inside the unit of work it is called in. `present` are the names of the tables
 * that the store has.
 * @throws StoreError where the store is a newer version's, or not Colloquy's
 */
export const migrate = async (queries: Queries, present: readonly string[], { version, create, steps }: Plan) => {
  const stored = present.length === 0 ? 0 : await storedVersion(queries, present);
  if (stored > version) {
    throw new StoreError(
      `it was written by a newer version of Colloquy (schema ${stored}; this one knows schemas up to ${version})`,
      'Use that version, or start with another store.',
    );
  }
  if (stored === version) return;
  const said = `INSERT INTO meta (name, value) VALUES ('schemaVersion', '${version}')
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`;
  await queries.script([...stored === 0 ? create : steps.slice(stored - 1).flat(), said]);
};

const storedVersion = async (queries: Queries, present: readonly string[]): Promise<number> => {
  const row = present.includes('meta')
    ? await queries.get<{ value: string }>(`SELECT value FROM meta WHERE name = 'schemaVersion'`) : undefined;
  const version = Number(row?.value);
  if (Number.isSafeInteger(version) && version > 0) return version;
  throw new StoreError('it holds tables that are not Colloquy\'s', 'Name another store; this one is left as it is.');
};
