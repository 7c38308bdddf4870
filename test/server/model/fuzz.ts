import fc from 'fast-check';
import type { ServerOptions } from '../../../src/server/index.js';
import { anyRequest } from './requests.js';
import { judged, type Statuses } from './sequence.js';
import { runThreads, threadSteps } from './threads.js';
import { runTrees, treeSteps } from './trees.js';
import { fuzzWorld } from './world.js';

/** What a run found, with the smallest sequence that shows it, and how to find it again. */
export interface Finding { readonly seed: number; readonly path: string | null; readonly sequence: string; readonly problem: string }

/** One kind of run: does sequences, each in a world of its own, until it has made so many requests. */
export type Fuzz = (
  seed: number, requests: number, options: () => Promise<ServerOptions>, statuses: Statuses, told: (count: number) => void,
) => Promise<Finding | null>;

const perBatch = 40;

export const countOf = (statuses: Statuses): number => [...statuses.values()].reduce((sum, one) => sum + one, 0);

const fuzzing = <T>(sequences: fc.Arbitrary<T[]>, run: (options: ServerOptions, sequence: T[], statuses: Statuses) => Promise<void>): Fuzz =>
  async (seed, requests, options, statuses, told) => {
    for (let batch = seed; countOf(statuses) < requests; batch++) {
      const property = fc.asyncProperty(sequences, async (sequence) => run(await options(), sequence, statuses));
      const result = await fc.check(property, { seed: batch, numRuns: perBatch });
      if (result.failed) {
        const sequence = fc.stringify(result.counterexample?.[0]);
        return { seed: batch, path: result.counterexamplePath, sequence, problem: (result.errorInstance as Error).message };
      }
      told(countOf(statuses));
    }
    return null;
  };

const anyRequests = fc.array(anyRequest, { minLength: 1, maxLength: 120, size: 'max' });

/** Requests of strangers on every operation: in time, without a fault, in the shape of the contract. */
export const fuzzRequests = fuzzing(anyRequests, (options, sequence, statuses) => judged({ world: fuzzWorld, ...options }, sequence, statuses));

/** Threads and notes against a plain model. */
export const fuzzThreads = fuzzing(threadSteps, (options, sequence, statuses) => runThreads(options, sequence, statuses));

/** Trees of epics against plain lists. */
export const fuzzTrees = fuzzing(treeSteps, (options, sequence, statuses) => runTrees(options, sequence, statuses));
