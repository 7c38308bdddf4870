import { describe, expect, it } from 'vitest';
import { conformanceOf, conformanceSummary, junitText, reaching, resultText } from '../../../../../src/cli/service/conformance/examine.js';
import type { FactResult } from '../../../../../src/conformance/run.js';

const nothing = { severity: null, request: null, expected: null, actual: null, reason: null } as const;
const pass: FactResult = { ...nothing, id: 'pages.default', result: 'pass', source: 'documented' };
const skip: FactResult = { ...nothing, id: 'notes.trimmed', result: 'skip', source: 'observed', reason: 'requires --write' };
const fail: FactResult = {
  id: 'pages.zero', result: 'fail', severity: 'warning', source: 'observed', request: 'GET /api/v4/a?b=<c>', expected: 'status 400',
  actual: '"\u001b[31m&"', reason: null,
};

const plain = (_: unknown, text: string) => text;

describe('the report of a conformance run', () => {
  it('counts what passed, failed and was skipped', () => {
    const conformance = conformanceOf([pass, skip, fail]);
    expect(conformance).toMatchObject({ passed: 1, failed: 1, skipped: 1 });
    expect(conformanceSummary(conformance, false)).toBe('1 fact passed, 1 failed, 1 skipped');
    expect(conformanceSummary(conformance, true)).toBe('1 fact alike, 1 different, 1 skipped');
  });

  it('has the differences from a level on', () => {
    const info: FactResult = { ...fail, severity: 'info' };
    expect(reaching([pass, info, fail], 'info')).toEqual([info, fail]);
    expect(reaching([pass, info, fail], 'warning')).toEqual([fail]);
    expect(reaching([pass, info, fail], 'error')).toEqual([]);
  });

  it('shows one line for a fact, and why it failed, without effects on the terminal', () => {
    expect(resultText(pass, plain)).toBe('pass  pages.default                   A list has 20 results a page by default.\n');
    expect(resultText(skip, plain)).toBe('skip  notes.trimmed                   requires --write\n');
    expect(resultText(fail, plain).split('\n').slice(1)).toEqual([
      '      warning: GET /api/v4/a?b=<c>', '      expected status 400', expect.stringMatching(/^ {6}got "\S*\[31m&"$/),
      '      observed of the service', '',
    ]);
    expect(resultText(fail, plain)).not.toContain('\u001b');
  });

  it('is JUnit, in which texts of the service are data', () => {
    const xml = junitText(conformanceOf([pass, skip, fail]));
    expect(xml).toContain('<testsuite name="conformance" tests="3" failures="1" skipped="1">');
    expect(xml).toContain('<skipped message="requires --write"/>');
    expect(xml).toContain('>GET /api/v4/a?b=&lt;c&gt;: observed of the service</failure>');
    expect(xml).not.toMatch(/\u001b|&"|<c>/);
  });
});
