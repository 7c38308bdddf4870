import { describe, expect, it } from 'vitest';
import { pairUp } from '../../../../src/cli/notes/findings/fingerprint.js';
import { readReports, type Format } from '../../../../src/cli/notes/findings/read.js';
import { findingText, summaryText } from '../../../../src/cli/notes/findings/text.js';
import { shortened, shortenedAtStart } from '../../../../src/cli/terminal/io/width.js';
import { parsePatch } from '../../../../src/diff/patch.js';
import { isAll } from '../../../support/extent.js';
import { everyRow } from '../../../support/rows.js';

/**
 * These texts have a megabyte, in `npm test` a tenth of one. A reader whose time grows with the square of the length
 * takes minutes for one of them, so that the time limit of the test ends it.
 */
const size = isAll ? 1_000_000 : 100_000;
const fills = ['a', 'a.', 'a/', ' ', '\u2028', '\u2028a', '`', '[', ' [', '\n', '\n ', '\\', ':1', 'a.b:', 'a.b:0', '"', ' b/', '({', '@a '];
const textOf = (part: string) => part.repeat(size / part.length);
const inXml = (text: string) => text.replaceAll('"', '.');
const result = (text: string) => ({ message: { text }, locations: [{ physicalLocation: { artifactLocation: { uri: text }, region: { startLine: 1 } } }] });
const sarif = (results: readonly unknown[], rules: readonly unknown[] = []) =>
  JSON.stringify({ runs: [{ tool: { driver: { name: 't', rules } }, results, artifacts: rules.map(() => ({ location: { uri: 'a' } })) }] });

/** RE2 takes half a microsecond for each character. */
const ofStylelint = (text: string) => `a.js:1: x [error]\na.js:1: x${text}! [error]\n${text}!\na.js:1: ${text} (a) [error]`;

const reports: Readonly<Partial<Record<Format, (text: string) => string>>> = {
  junit: (text) => `<testsuite name="${inXml(text)}"><testcase name="a"><failure>at ${text}!</failure></testcase></testsuite>`,
  checkstyle: (text) => `<checkstyle><file name="a"><error line="1" message="${inXml(text)}!" source="${inXml(text)}!"/></file></checkstyle>`,
  lines: (text) => `a.js:1: x${text}!\n${text}!\na.js:1: ${text}`,
  stylelint: (text) => ofStylelint(text.slice(0, text.length / 4)),
  sarif: (text) => sarif([result(`${text}!`)]),
  codequality: (text) => JSON.stringify([{ description: `${text}!`, check_name: text, location: { path: `${text}!`, lines: { begin: 1 } } }]),
  rdjson: (text) => JSON.stringify({ diagnostics: [{ message: text, code: { value: text }, location: { path: text, range: { start: { line: 1 } } } }] }),
  eslint: (text) => JSON.stringify([{ filePath: 'a', source: text, messages: [
    { message: text, line: 1, ruleId: text, severity: 2, fix: { range: [5, 6], text: 'x' } }] }]),
  diff: (text) => `diff --git a/${text}! b/${text}\u2028\n--- "${text}"\n+++ a/x\n@@ -1 +1 @@\n-${text}\n+${text}!\n`,
};

const readOne = (format: Format, text: string) => readReports([{ name: 'report', text }], { format, allowEmpty: false });

it.each(Object.entries(reports) as [Format, (text: string) => string][])('a report of a megabyte on one line is read: %s', async (format, of) => {
  await everyRow(fills, JSON.stringify, async (fill) => {
    const { findings } = await readOne(format, of(textOf(fill)));
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) expect(findingText(finding, { isRaw: false, line: finding.line }).length).toBeLessThan(4 * size);
    expect(summaryText(findings, false).length).toBeLessThan(30_000);
  });
});

describe('a report with 10,000 findings', () => {
  const numbers = Array.from({ length: 10_000 }, (_, i) => i);

  it('and as many rules and files is read without searching all of them for each', async () => {
    const rules = numbers.map((i) => ({ id: `r${i}`, defaultConfiguration: { level: 'error' } }));
    const results = numbers.map((i) => ({ ruleId: `r${i}`, message: { text: 'm' }, locations: [{ physicalLocation: { artifactLocation: { index: i } } }] }));
    const { findings } = await readOne('sarif', sarif(results, rules));
    expect(new Set(findings.map(({ rule, level }) => `${rule} ${level}`)).size).toBe(10_000);
  });

  it('in one long line does not repeat the line in each', async () => {
    const messages = numbers.map((i) => ({ message: `m${i}`, line: 1, ruleId: 'r', severity: 2, fix: { range: [i, i], text: 'x' } }));
    const { findings } = await readOne('eslint', JSON.stringify([{ filePath: 'a', source: 'a'.repeat(size), messages }]));
    expect([findings.length, findings[0]!.suggestion]).toEqual([10_000, undefined]);
  });

  it('that are equal is paired with an earlier one', () => {
    const one = { line: 'a', before: 'b', after: 'c', message: 'd', count: 0 };
    const now = numbers.map(() => ({ fingerprint: one, line: 1 }));
    expect(pairUp(now, now.map((each) => ({ ...each, isClosed: false })))).toEqual(numbers);
  });
});

it('a value that a template repeats a million times makes a text of limited length', async () => {
  const message = { text: '{0}'.repeat(size), arguments: ['a'.repeat(10_000)] };
  const { findings } = await readOne('sarif', sarif([{ message }]));
  expect(findings[0]!.message.length).toBeLessThan(40_000);
});

it('a megabyte is shortened to the width of a terminal', async () => {
  await everyRow(fills, JSON.stringify, (fill) => {
    expect(shortened(textOf(fill), 40).length).toBeLessThan(1_000);
    expect(shortenedAtStart(textOf(fill), 40).length).toBeLessThan(1_000);
  });
});

it('a quoted path of a megabyte is read', () => {
  const path = 'ä'.repeat(size / 2);
  expect(parsePatch(`--- "a/${path}"\n+++ "b/${path}"\n@@ -1 +1 @@\n-a\n+b\n`)[0]).toMatchObject({ old_path: path });
});
