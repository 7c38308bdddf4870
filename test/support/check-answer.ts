import { expect } from 'vitest';
import type { Endpoint, Dialect } from '../../src/contract/endpoint.js';
import { answerProblem } from './answer-problem.js';

/** Fails the test when an answer does not fit the shape that the contract gives it, in the words of its dialect. */
export const checkAnswer = (endpoint: Endpoint, value: unknown, dialect: Dialect): void => {
  expect(answerProblem(endpoint, value, dialect)).toBeUndefined();
};
