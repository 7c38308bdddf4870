import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';

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
const areasOfProgram = ['accounts', 'proxies', 'transport', 'uploads'];

const isQuick = ({ waits, limit }: Case) => waits !== true && limit === undefined;
const casesFor = (client: string) => cases.filter((one) => isQuick(one) && clientsOf(one).includes(client));

afterAll(endWorkers);

describe('against a hostile server', () => {
  test.concurrent.for(casesFor('library').map((one) => [`${one.area}: ${one.name}`, one] as const))(
    'the library gives the expected result: %s', async ([, one], { expect }) => {
      expect((await ran(one, 'library')).problems).toEqual([]);
    });

  test.concurrent.for(casesFor('program').filter(({ area }) => areasOfProgram.includes(area))
    .map((one) => [`${one.area}: ${one.name}`, one] as const))(
    'the program gives the expected result: %s', async ([, one], { expect }) => {
      expect((await ran(one, 'program')).problems).toEqual([]);
    });
});
