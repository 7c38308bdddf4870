import { describe, expect, it } from 'vitest';
import { findingOf, ruleUrlIn } from '../../../../src/cli/notes/findings/finding.js';
import { findingText, summaryText } from '../../../../src/cli/notes/findings/text.js';
import { fileInTitle, lineInTitle, partsOfText, withoutRuleLink } from '../../../../src/cli/notes/findings/title.js';
import { everyRow } from '../../../support/rows.js';

const finding = findingOf({ file: 'src/a.js', line: 4, level: 'error', rule: 'no-var', message: 'Use let.', tool: 'eslint' });
const text = (parts: object, options: object = {}) => findingText({ ...finding, ...parts }, { isRaw: false, line: 4, ...options });
/** Knows one line of the file. */
const onLine = (known: number, lineText: string | null) => (line: number) => line === known ? lineText : undefined;
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
    expect(text({ suggestion: { from: 3, to: 5, text: 'let a;\n```\n' } })).toContain('\n\n````suggestion:-1+1\nlet a;\n```\n````');
    expect(text({ suggestion: { from: 4, to: 4, text: '' } })).toContain('\n\n```suggestion:-0+0\n```');
  });

  it('has a suggestion for a part of its line only where the line is known and every way to count columns means the same part', () => everyRow<readonly [
    string, object, string | null, string | null]>([
    ['a word', { columns: [5, 6], text: 'b' }, 'let a = 1;', 'let b = 1;'], ['an insertion', { columns: [11, 11], text: ';' }, 'let a = 1;', 'let a = 1;;'],
    ['a line before it', { columns: [1, 1], text: 'one\r\n' }, 'let a;', 'one\nlet a;'],
    ['all of it', { columns: [1, 7], text: 'x' }, 'let a;', 'x'], ['nothing is left', { columns: [1, 7], text: '' }, 'let a;', null],
    ['an empty line behind it', { columns: [7, 7], text: '\n' }, 'let a;', 'let a;\n'],
    ['behind tabs', { columns: [3, 6], text: 'let' }, '\t\tvar a;', '\t\tlet a;'],
    ['before other characters', { columns: [1, 4], text: 'let' }, 'var ä;', 'let ä;'],
    ['behind other characters', { columns: [7, 10], text: 'let' }, '/* ä */ var a;', null], ['an unknown line', { columns: [1, 2], text: 'x' }, null, null],
    ['beyond the end', { columns: [6, 9], text: 'x' }, 'let a;', null], ['from right to left', { columns: [3, 2], text: 'x' }, 'let a;', null],
    ['in a line with a carriage return', { columns: [1, 2], text: 'x' }, 'let a;\r', null],
    ['in another line', { from: 3, to: 3, columns: [1, 2], text: 'x' }, 'let a;', null],
    ['in a very long line', { columns: [1, 2], text: 'x' }, 'a'.repeat(10_001), null],
  ], ([name]) => name, ([, suggestion, lineText, expected]) => {
    const shown = text({ suggestion: { from: 4, to: 4, ...suggestion } }, { lineText: onLine(4, lineText) });
    expect(shown).toBe(`${text({})}${expected === null ? '' : `\n\n\`\`\`suggestion:-0+0\n${expected}\n\`\`\``}`);
    expect(text({ suggestion: { from: 4, to: 4, ...suggestion } }, { lineText: onLine(4, lineText), line: null })).toBe(text({}, { line: null }));
  }));

  it('has a suggestion for lines up to a part of the last one only where that is known, too', () => everyRow<readonly [
    string, object, string | null, string | null]>([
    ['whole lines', { columns: [1, 7], text: 'one\r\ntwo' }, 'let a;', 'one\ntwo'],
    ['up to a word', { columns: [1, 4], text: 'x\nvar' }, 'let a;', 'x\nvar a;'],
    ['up to the start of the last line', { columns: [1, 1], text: '// ' }, 'let a;', '// let a;'],
    ['beyond the end', { columns: [1, 8], text: 'x' }, 'let a;', null], ['an unknown last line', { columns: [1, 7], text: 'x' }, null, null],
    ['behind other characters', { columns: [1, 6], text: 'x' }, 'ä = 1', null], ['nothing is left', { columns: [1, 7], text: '' }, 'let a;', null],
    ['a carriage return at the end', { columns: [1, 7], text: 'x' }, 'let a;\r', null],
  ], ([name]) => name, ([, suggestion, lineText, expected]) => {
    const shown = text({ suggestion: { from: 4, to: 5, ...suggestion } }, { lineText: onLine(5, lineText) });
    expect(shown).toBe(`${text({})}${expected === null ? '' : `\n\n\`\`\`suggestion:-0+1\n${expected}\n\`\`\``}`);
  }));

  it('suggests blank lines only together with a line next to them, since the service would delete the lines', () => everyRow<readonly [
    string, readonly (string | null)[], string | null]>([
    ['the line before', ['one', '  ', 'three'], 'suggestion:-1+0\none\n'], ['the line after', ['', '  ', 'three'], 'suggestion:-0+1\n\nthree'],
    ['the line after the first one', [null, '  ', 'three'], 'suggestion:-0+1\n\nthree'], ['only blank lines', ['', '  ', ' '], null],
    ['unknown lines', [null, '  ', null], null],
  ], ([name]) => name, ([, lines, expected]) => {
    for (const suggestion of [{ from: 4, to: 4, text: '\n' }, { from: 4, to: 4, columns: [1, 3] as const, text: '' }]) {
      expect(text({ suggestion }, { lineText: (line: number) => lines[line - 3] ?? null }))
        .toBe(`${text({})}${expected === null ? '' : `\n\n\`\`\`${expected}\n\`\`\``}`);
    }
  }));

  it('shows the new text in a note that is not on the diff', () => {
    expect(text({ suggestion: { from: 4, to: 4, text: 'let a;\n' } }, { line: null })).toMatch(/\n\n```\nlet a;\n```$/);
  });

  it('cuts long texts', () => {
    expect(text({ message: 'x'.repeat(2_000_000), details: 'y'.repeat(2_000_000) }).length).toBeLessThan(21_000);
  });

  it.each([
    ['for lines that the diff has otherwise or not at all', { from: 2, to: 4, text: 'x\n' }, 4], ['for other lines', { from: 5, to: 6, text: 'x' }, 4],
    ['that is longer than a note', { from: 4, to: 4, text: 'x'.repeat(995_000) }, 4],
    ['for too many lines', { from: 4, to: 105, text: 'x' }, 4], ['that could run a quick action', { from: 4, to: 4, text: '```\n/close' }, 4],
  ])('has no suggestion %s', (_, suggestion, line) => {
    expect(text({ suggestion }, { line, lineText: onLine(3, null) })).not.toContain('suggestion');
  });

  it('keeps the message as it is if it is raw', () => {
    expect(text({ message: '/close <b> @ada' }, { isRaw: true })).toContain('\n\n/close <b> @ada');
    expect(visible(text({ message: '/close @ada' }))).toContain('\n\n/close @ada');
  });
});

describe('the rule of a finding', () => {
  const ruleUrl = 'https://lint.example.com/rules/no-var';

  it('links to its page', () => {
    expect(text({ ruleUrl })).toBe(`**error** · [\`no-var\`](${ruleUrl}) · eslint\n\nUse let.`);
    expect(text({ ruleUrl, rule: null })).toBe('**error** · eslint\n\nUse let.');
  });

  it('links to no address that could end the link, run anything or hide where it leads', () => everyRow<readonly [unknown, string | null]>([
    ['https://a.example/x(1)', 'https://a.example/x%281%29'], ['https://a.example/?a=`\\', 'https://a.example/?a=%60%5C'],
    ['https://a.example/\u{1f600}<b>"', 'https://a.example/%F0%9F%98%80%3Cb%3E%22'], ['HTTP://A.example', 'http://a.example/'],
    ['https://a.example/?a=1&copy;=2&b', 'https://a.example/?a=1&amp;copy;=2&b'], ['https://a.example/)[b](c', 'https://a.example/%29[b]%28c'],
    ['javascript:alert(1)', null], ['data:text/html,x', null], ['file:///etc/passwd', null], ['//a.example/x', null], ['/rules', null],
    ['https://ada:pass@a.example/', null], ['https://a.example/a b', null], ['https://a.example/\n/close', null], ['https://', null],
    [`https://a.example/${'x'.repeat(2_048)}`, null], ['', null], [5, null], [null, null], [{}, null],
  ], ([url]) => JSON.stringify(url), ([url, address]) => {
    const [title] = text(ruleUrlIn(url)).split('\n');
    expect(title).toBe(`**error** · ${address === null ? '`no-var`' : `[\`no-var\`](${address})`} · eslint`);
  }));

  it('is read from a title with a link as from one without', () => everyRow(['no-var', 'a`b', '`', 'a](https://b.example)', 'x'.repeat(400)], (rule) => rule, (rule) => {
    const linked = text({ rule, ruleUrl }, { line: null });
    const plain = text({ rule }, { line: null });
    expect(linked).toContain(`](${ruleUrl})`);
    expect(withoutRuleLink(linked)).toBe(plain);
    expect([withoutRuleLink(plain), lineInTitle(linked), fileInTitle(linked)]).toEqual([plain, 4, 'src/a.js']);
    const place = { file: 'src/a.js', line: 4 };
    expect(partsOfText(linked, place)).toEqual(partsOfText(plain, place));
  }));
});

it.each([
  ['src/a.js', 12], ['a`b.js', 12], ['a · b.js', 12], ['src/a.js', null], ['', null],
])('the place in the title of a finding in %s:%s is read again', (file, line) => {
  const found = { ...finding, file, line };
  const text = findingText(found, { isRaw: false, line: null });
  expect([fileInTitle(text) ?? '', lineInTitle(text)]).toEqual([file, line]);
  expect(lineInTitle(findingText(found, { isRaw: false, line }))).toBeNull();
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
