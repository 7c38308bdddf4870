import { InvalidArgumentError } from 'commander';
import { describe, expect, it } from 'vitest';
import { count, formats, globalOptions, milliseconds, perMinute, wholeNumber } from '../../../../src/cli/command-line/flags.js';
import { ran } from '../../../support/app.js';

describe('a count', () => {
  it.each([['1', 1], ['20', 20], ['999999999', 999_999_999]])('is a whole number from 1: %s', (text, value) => {
    expect(count('--limit')(text)).toBe(value);
  });

  it.each(['0', '-1', '1.5', '1e3', '', ' 1', '01', '1000000000', 'ten', '١'])('is nothing else: %j', (text) => {
    expect(() => count('--limit')(text)).toThrow(InvalidArgumentError);
    expect(() => count('--limit')(text)).toThrow('give --limit a whole number from 1');
  });
});

describe('seconds', () => {
  it.each([['30', 30_000], ['0.5', 500], ['0.001', 1], ['1.005', 1005], ['999999', 999_999_000]])('%s are %i milliseconds', (text, value) => {
    expect(milliseconds(text, '--timeout')).toBe(value);
  });

  it.each(['0', '0.000', '-1', '0.0001', '1e3', '.5', '5.', '5s', '', '1000000', '1,5'])('are not %j', (text) => {
    expect(() => milliseconds(text, '--timeout')).toThrow(`invalid value ${JSON.stringify(text)} for --timeout`);
  });
});

describe('a whole number', () => {
  it.each([['0', 0], ['7', 7], ['007', 7], ['999999999', 999_999_999]])('can be %s', (text, value) => {
    expect(wholeNumber(text, '--retries')).toBe(value);
  });

  it.each(['', '-1', '+1', '1.0', '1e2', '1000000000', 'x'])('cannot be %j', (text) => {
    expect(() => wholeNumber(text, '--retries')).toThrow(`invalid value ${JSON.stringify(text)} for --retries`);
  });
});

describe('a rate', () => {
  it.each([['600', 600], ['600/min', 600], ['600/minute', 600]])('can be %s', (text, value) => {
    expect(perMinute(text)).toBe(value);
  });

  it.each(['600/s', '600/minutes', '/min', '0/min', '600/min/min'])('cannot be %s', (text) => {
    expect(() => perMinute(text)).toThrow('give --rate-limit a whole number from 1');
  });
});

describe('the global options', () => {
  it('are the same objects for all commands', () => {
    expect(globalOptions()).toBe(globalOptions());
    expect(new Set(globalOptions().map(({ helpGroupHeading }) => helpGroupHeading))).toEqual(new Set(['Global options:']));
  });

  it('have names of their own', () => {
    const names = globalOptions().flatMap(({ long, short }) => [long, short]).filter((name) => name !== undefined && name !== null);
    expect(new Set(names).size).toBe(names.length);
  });

  it('are accepted before and after the words of a command', async () => {
    const { out } = await ran('notes', 'list', '!1', '-L', '1', '-o', 'id');
    expect(out).toMatch(/^\d+\n$/);
    expect((await ran('-L', '1', '-o', 'id', 'notes', 'list', '!1')).out).toBe(out);
    expect((await ran('notes', '-L', '1', 'list', '-o', 'id', '!1')).out).toBe(out);
  });

  it.each([['-L', 'no'], ['-L', '0'], ['-o', 'xml'], ['--timeout', '0'], ['--retries', '-1']])(
    'reject a value of another kind before anything is sent: %s %s', async (flag, value) => {
      expect(await ran('notes', 'list', '!1', flag, value)).toMatchObject({ code: 2, out: '', sent: [] });
    });

  it('name every format in the error for another one', async () => {
    const { err } = await ran('notes', 'list', '!1', '-o', 'xml');
    for (const format of formats) expect(err).toContain(format);
  });
});
