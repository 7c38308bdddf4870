import type { Queries, Row } from '../store/database.js';

/** What the instance's licence and flags allow (wire-facts 6.2, 6.4). */
export interface Settings {
  readonly epics: boolean;
  readonly nested_epics: boolean;
  readonly confidential_epics: boolean;
}

interface MetaRow extends Row { readonly name: string; readonly value: string }

/** The settings as stored; what is not stored is on. */
export const readSettings = async (queries: Queries): Promise<Settings> => {
  const rows = await queries.all<MetaRow>(`SELECT name, value FROM meta WHERE name LIKE 'setting.%'`);
  const stored = new Map(rows.map((row) => [row.name, row.value]));
  const on = (name: string) => stored.get(`setting.${name}`) !== '0';
  return { epics: on('epics'), nested_epics: on('nested_epics'), confidential_epics: on('confidential_epics') };
};

/** Names the world that the store was filled with: another after every reset. */
export const readEpoch = async (queries: Queries): Promise<string> =>
  (await queries.get<MetaRow>(`SELECT name, value FROM meta WHERE name = 'epoch'`))?.value ?? '';

/** Names the world anew after it was written, so that no answer from before is taken for one of now. */
export const beginEpoch = (queries: Queries, epoch: string) =>
  queries.run(`INSERT INTO meta (name, value) VALUES ('epoch', ?)`, epoch);
