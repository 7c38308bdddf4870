import { expect } from 'vitest';
import type { Dialect, Endpoint } from '../../src/contract/endpoint.js';
import { answerProblem } from './answer-problem.js';

/** Fails the test if a response violates the contract's shape in its dialect. */
export const checkAnswer = (endpoint: Endpoint, value: unknown, dialect: Dialect, status?: number): void => {
  expect(answerProblem(endpoint, value, dialect, status)).toBeUndefined();
};
