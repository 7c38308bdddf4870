import { describe, expect, it } from 'vitest';
import { commandReport } from '../../../../src/cli/notes/command-report.js';
import { createMask } from '../../../../src/wire/secrets/known.js';

const mask = createMask(['secret-value-1', "it's-a-secret"], { shortest: 8, mark: '[masked]' });
const noOutput = { lines: [], total: 0 };

const report = (parts: Partial<Parameters<typeof commandReport>[0]> = {}) =>
  commandReport({ command: ['make'], exit: 0, signal: null, milliseconds: 1_000, tail: noOutput, ...parts }, mask);

describe('the report about a command', () => {
  it('is a block to unfold with status, duration, command and output', () => {
    expect(report({ command: ['npm', 'test'], tail: { lines: ['one', 'two'], total: 2 } })).toBe(
      '<details>\n<summary><b>passed</b> after 1.0 s: <code>npm test</code></summary>\n\n```text\none\ntwo\n```\n\n</details>');
  });

  it.each([
    [{ exit: 0 }, 'passed'], [{ exit: 3 }, 'failed with exit code 3'], [{ exit: 143, signal: 'SIGTERM' }, 'ended by SIGTERM'],
  ])('has the status of %j', (parts, status) => {
    expect(report(parts)).toContain(`<b>${status}</b>`);
  });

  it.each([
    [0, '0.0 s'], [9_999, '10.0 s'], [10_000, '10 s'], [59_400, '59 s'], [59_500, '1 min 0 s'], [3_599_000, '59 min 59 s'], [3_600_000, '1 h 0 min'],
    [90_061_000, '25 h 1 min'],
  ])('has %i milliseconds as %s', (milliseconds, duration) => {
    expect(report({ milliseconds })).toContain(` after ${duration}: `);
  });
});

describe('the command of a report', () => {
  const shown = (...command: string[]) => /<code>(.*)<\/code>/.exec(report({ command }))![1];

  it('is quoted for a shell and escaped for HTML', () => {
    expect(shown('sh', '-c', 'a && b > "c"')).toBe(`sh -c 'a &amp;&amp; b &gt; "c"'`);
    expect(shown('echo', '</code><b>')).toBe(`echo '&lt;/code&gt;&lt;b&gt;'`);
  });

  it('shows no secret, not even one with a quote and one that takes several words', () => {
    expect(shown('curl', '-u', 'me:secret-value-1')).toBe(`curl -u 'me:[masked]'`);
    expect(shown('echo', "it's-a-secret")).toBe(`echo '[masked]'`);
    const several = createMask(['one two three'], { shortest: 8, mark: '[masked]' });
    expect(commandReport({ command: ['one', 'two', 'three'], exit: 0, signal: null, milliseconds: 0, tail: noOutput }, several))
      .toContain('<code>[masked]</code>');
  });

  it('has 200 characters at most, and no half character', () => {
    expect(shown('x'.repeat(300))).toBe(`${'x'.repeat(200)}…`);
    expect(shown(`${'x'.repeat(197)}😀😀`)).not.toMatch(/\p{Cs}/u);
  });

  it('has no control characters', () => {
    expect(shown('a\u001b[2J\nb')).not.toMatch(/\p{Cc}/u);
  });
});

describe('the output of a report', () => {
  it('says that there is none, or how many lines there were', () => {
    expect(report()).toContain('\n\nNo output.\n\n');
    expect(report({ tail: { lines: [], total: 1_234 } })).toContain('\n\nLines of output: 1,234\n\n');
  });

  it('says that lines before it are left out', () => {
    expect(report({ tail: { lines: ['b', 'c'], total: 1_000 } })).toContain('\n\nLast 2 of 1,000 lines:\n\n```text\nb\nc\n```\n');
  });

  it('has the last lines that fit into 100,000 characters', () => {
    const lines = Array.from({ length: 3 }, (_, i) => `${i}`.repeat(49_999));
    const text = report({ tail: { lines, total: 3 } });
    expect(text).toContain('Last 2 of 3 lines:');
    expect(text).not.toContain('0'.repeat(100));
  });

  it('says how many lines there were if not even the last one fits', () => {
    expect(report({ tail: { lines: ['x'.repeat(100_000)], total: 1 } })).toContain('\n\nLines of output: 1\n\n');
  });

  it('cannot end its code block, run a quick action or mention somebody', () => {
    const text = report({ tail: { lines: ['```', '/close', '@ada', '</details>'], total: 4 } });
    expect(text).toContain('\n````text\n```\n');
    expect(text).not.toMatch(/^\/close$/m);
  });
});
