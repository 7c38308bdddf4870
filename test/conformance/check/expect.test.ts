import { describe, expect, it } from 'vitest';
import {
  Difference, firstWith, type Got, hasError, hasKeys, hasOnlyKeys, hasStatus, holds, listIn, objectIn, same,
  Skipped,
} from '../../../src/conformance/check.js';

const got = (json: unknown, status = 200): Got => ({ request: 'GET /a', status, headers: {}, text: JSON.stringify(json), json });

/** What a difference says, and how much it matters. */
const difference = (work: () => void): readonly [string, string] | null => {
  try {
    work();
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(Difference);
    const { message, severity } = error as Difference;
    return [message, severity];
  }
};

describe('an expectation of a check', () => {
  it('compares values as JSON', () => {
    expect(difference(() => same(got({}), 'X-Page:', { a: [1] }, { a: [1] }))).toBeNull();
    expect(difference(() => same(got({}), 'X-Page:', undefined, '1'))).toEqual(['GET /a: expected X-Page: "1", got nothing', 'warning']);
  });

  it('shows long values in part', () => {
    const [message] = difference(() => holds(got({}), 'a short text', false, 'x'.repeat(1_000)))!;
    expect(message.length).toBeLessThan(260);
    expect(message).toMatch(/x…$/);
  });

  it('knows the status', () => {
    expect(difference(() => hasStatus(got({}, 404), 200, 404))).toBeNull();
    expect(difference(() => hasStatus(got({}, 500), 200, 404))).toEqual(['GET /a: expected status 200 or 404, got 500', 'error']);
  });

  it('knows errors by status, key and text', () => {
    const error = got({ error: 'body is missing' }, 400);
    expect(difference(() => hasError(error, 400, 'error', 'body is missing'))).toBeNull();
    expect(difference(() => hasError(error, 400, 'error', /^body/))).toBeNull();
    expect(difference(() => hasError(error, 400, 'message', 'body is missing'))?.[0]).toContain('expected message "body is missing"');
    expect(difference(() => hasError(error, 404, 'error', 'body is missing'))?.[0]).toContain('expected status 404');
  });

  it.each([[null], ['text'], [[1]]])('is not met by %j in place of an object', (json) => {
    expect(difference(() => objectIn(got(json)))?.[0]).toContain('an object of JSON');
  });

  it.each([[null], [{}], [[1]], [[null]]])('is not met by %j in place of a list of objects', (json) => {
    expect(difference(() => listIn(got(json)))?.[0]).toContain('a list of JSON objects');
  });

  it('warns of missing keys, and knows added ones', () => {
    expect(difference(() => hasKeys(got({}), { a: 1 }, ['a', 'b']))).toEqual(['GET /a: expected the keys a, b, got "without b"', 'warning']);
    expect(difference(() => hasOnlyKeys(got({}), { a: 1, c: 2 }, ['a']))).toEqual(['GET /a: expected no keys besides a, got "also c"', 'info']);
    expect(difference(() => hasOnlyKeys(got({}), { a: 1 }, ['a']))).toBeNull();
  });

  it('is skipped where there is nothing to look at', () => {
    expect(firstWith([1, 2], 'number', (one) => one > 1)).toBe(2);
    expect(() => firstWith([], 'number', () => true)).toThrow(Skipped);
  });
});
