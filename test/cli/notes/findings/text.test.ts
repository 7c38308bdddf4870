import { describe, expect, it } from 'vitest';
import { findingOf } from '../../../../src/cli/notes/findings/finding.js';
import { findingText, lineInTitle, summaryText } from '../../../../src/cli/notes/findings/text.js';

const finding = findingOf({ file: 'src/a.js', line: 4, level: 'error', rule: 'no-var', message: 'Use let.', tool: 'eslint' });
const text = (parts: object, options: object = {}) => findingText({ ...finding, ...parts }, { isRaw: false, line: 4, ...options });
const visible = (shown: string) => shown.replaceAll('\u2060', '');

describe('findingText', () => {
  it('has the level, the rule, the tool and the message', () => {
    expect(text({})).toBe('**error** · `no-var` · eslint\n\nUse let.');
    expect(text({ rule: null, tool: null })).toBe('**error**\n\nUse let.');
  });

  it('names the place of a note that is not on the diff', () => {
    expect(text({}, { line: null })).toBe('**error** · `no-var` · eslint · `src/a.js:4`\n\nUse let.');
    expect(text({ line: null }, { line: null })).toContain('· `src/a.js`\n');
    expect(text({ file: '' }, { line: null })).toBe(text({}));
  });

  it('shows < outside of code, where it would start HTML', () => {
    expect(text({ message: 'got <T>, not `<U>`' })).toContain('got &lt;T>, not `<U>`');
  });

  it('quotes names with backticks and line breaks', () => {
    expect(text({ rule: 'a`b\nc' })).toContain('``a`b c``');
  });

  it('puts details into a block that nothing in them ends or runs', () => {
    expect(text({ details: 'at x\n```\n/close' })).toContain('\n\n````\nat x\n```\n\u2060/close\n````');
  });

  it('has a suggestion for the lines around the note', () => {
    expect(text({ suggestion: { from: 3, to: 5, text: 'let a;\n```' } })).toContain('\n\n````suggestion:-1+1\nlet a;\n```\n````');
    expect(text({ suggestion: { from: 4, to: 4, text: '' } })).toContain('\n\n```suggestion:-0+0\n```');
  });

  it('shows the new text in a note that is not on the diff', () => {
    expect(text({ suggestion: { from: 4, to: 4, text: 'let a;' } }, { line: null })).toMatch(/\n\n```\nlet a;\n```$/);
  });

  it('cuts long texts', () => {
    expect(text({ message: 'x'.repeat(2_000_000), details: 'y'.repeat(2_000_000) }).length).toBeLessThan(21_000);
  });

  it.each([
    ['for other lines', { from: 5, to: 6, text: 'x' }, 4],
    ['for too many lines', { from: 4, to: 105, text: 'x' }, 4], ['that could run a quick action', { from: 4, to: 4, text: '```\n/close' }, 4],
  ])('has no suggestion %s', (_, suggestion, line) => {
    expect(text({ suggestion }, { line })).not.toContain('suggestion');
  });

  it('keeps the message as it is if it is raw', () => {
    expect(text({ message: '/close <b> @ada' }, { isRaw: true })).toContain('\n\n/close <b> @ada');
    expect(visible(text({ message: '/close @ada' }))).toContain('\n\n/close @ada');
  });
});

it.each([['src/a.js', 12], ['a`b.js', 12], ['src/a.js', null], ['', null]])('the line in the title of a finding in %s:%s is read again', (file, line) => {
  const found = { ...finding, file, line };
  expect(lineInTitle(findingText(found, { isRaw: false, line: null }))).toBe(line);
  expect(lineInTitle(findingText(found, { isRaw: false, line: 4 }))).toBeNull();
});

describe('summaryText', () => {
  it('lists findings, each on one line', () => {
    expect(summaryText([finding, { ...finding, file: '', line: null, rule: null, message: 'one\ntwo' }], false)).toBe(
      '**2 more findings**, without a thread of its own:\n\n- `src/a.js:4`: **error** Use let. (`no-var`)\n- **error** one');
  });

  it('stays below the length limit of the service', () => {
    const long = Array.from({ length: 5_000 }, () => ({ ...finding, message: 'x'.repeat(2_000) }));
    expect(summaryText(long, false).length).toBeLessThan(500_000);
    expect(summaryText(long, false)).toMatch(/\n- and 4000 more$/);
  });
});
