import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sampleOf } from './support/extent.js';
import { everyRow } from './support/rows.js';

interface Case {
  readonly area: string;
  readonly name: string;
  readonly clients?: readonly string[];
  /** Set if the case spends its time waiting. */
  readonly waits?: boolean;
  readonly limit?: number;
}

interface Hostile {
  readonly cases: readonly Case[];
  readonly clientsOf: (one: Case) => readonly string[];
  readonly ran: (one: Case, client: string) => Promise<{ readonly problems: readonly string[] }>;
  readonly endWorkers: () => void;
}

const part = async (name: string) => await import(join(import.meta.dirname, 'hostile', `${name}.mjs`)) as Partial<Hostile>;
const { cases, clientsOf, ran, endWorkers } = { ...await part('cases'), ...await part('run'), ...await part('clients') } as Hostile;

/** The areas in which the program handles errors itself. Elsewhere its calls are the library's. */
const areasOfProgram = ['accounts', 'limits', 'proxies', 'transport', 'uploads'];

const isQuick = ({ waits, limit }: Case) => waits !== true && limit === undefined;
const quickCases = (client: string) => cases.filter((one) => isQuick(one) && clientsOf(one).includes(client));
const areas = [...new Set(quickCases('library').map(({ area }) => area))];

/** Runs the quick cases of an area, several at a time; in `npm test` every eighth. */
const checkCases = async (client: string, area: string): Promise<void> => {
  const found = sampleOf(quickCases(client).filter((one) => one.area === area), 8);
  await everyRow(found, ({ name }) => name, async (one) => expect((await ran(one, client)).problems.join('; ')).toBe(''), { atOnce: 5 });
};

afterAll(endWorkers);

describe('against a hostile server', () => {
  it.each(areas)('the library gives the expected results: %s', (area) => checkCases('library', area));

  it.each(areasOfProgram)('the program gives the expected results: %s', { timeout: 180_000 }, (area) => checkCases('program', area));
});
