import { describe, expect, it } from 'vitest';
import { completeVersion, hasSince } from '../../../src/contract/conventions.js';

describe('a version of the service', () => {
  it.each([['12.7', '12.7.0-ee'], ['12.7.3', '12.7.3-ee'], ['12.7-ce', '12.7.0-ce'], ['13.12.0-rc1-ee', '13.12.0-rc1-ee']])(
    'is completed: %s', (given, complete) => {
      expect(completeVersion(given)).toBe(complete);
    });

  it.each(['', '12', 'v12.7', '12.7.', '12.7.0.1', '12.7\n', '12.7 ', '12.7.0-EE', '-1.2', '99999.1'])('is invalid: %j', (given) => {
    expect(completeVersion(given)).toBeUndefined();
  });

  it.each([
    ['12.7.0-ee', '12.7', true], ['12.6.9-ee', '12.7', false], ['12.10.0', '12.7', true], ['13.0.0', '12.7', true],
    ['9.99.0', '11.8', false], ['1.0', undefined, true],
  ])('%s has what is new in %s: %s', (version, since, expected) => {
    expect(hasSince(version, since)).toBe(expected);
  });
});
