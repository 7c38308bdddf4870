import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrapHelp, wrapLines, wrapNote, wrapWords } from '../../../../../src/cli/terminal/io/width.js';
import { ranIn, type WorldOptions } from '../../../../support/app.js';
import { manyThreads } from '../../../../support/threads.js';

const narrow: WorldOptions = { terminal: true, columns: 60 };
const longWord = 'a-very-long-word-without-any-space-'.repeat(3);
const words = (text: string): string[] => text.split(/[\s│]+/).filter((word) => word !== '');
const longest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

describe('wrapped text', () => {
  it('contains every word as a whole, in its order, and no line that could be shorter', () => {
    const word = fc.stringMatching(/^[a-z,.!-]{1,90}$/);
    fc.assert(fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 30, max: 70 }), (all, width) => {
      const text = wrapLines(all.join(' '), width);
      expect(words(text)).toEqual(all);
      for (const line of text.split('\n')) expect(line.length <= width || words(line).length === 1).toBe(true);
    }));
  });

  it('keeps commands between backticks on one line', () => {
    const text = wrapLines('the token from COLLOQUY_TOKEN was rejected: run `colloquy auth login --profile work` with one', 60);
    expect(text).toBe('the token from COLLOQUY_TOKEN was rejected: run\n`colloquy auth login --profile work` with one');
  });

  it('breaks a long sentence without spaces, such as in Chinese', () => {
    expect(longest(wrapWords('漢'.repeat(100), 60))).toBeLessThanOrEqual(30);
  });

  it('leaves code of a note as it is', () => {
    const code = `\`\`\`\n${'x y '.repeat(30)}\n\`\`\``;
    expect(wrapNote(code, 60)).toBe(code);
    expect(wrapNote(`    ${'x y '.repeat(30)}`, 60)).toBe(`    ${'x y '.repeat(30)}`);
  });

  it('indents the rest of a term like its text', () => {
    expect(wrapHelp(`  --flag  ${'word '.repeat(12).trim()}`, 40).split('\n')[1]).toMatch(/^ {10}word/);
  });
});

describe('a terminal of 60 columns', () => {
  it.each([
    ['--help'], ['notes add --help --all'], ['help formatting'], ['help refs'], ['help environment'], ['help exit-codes'],
  ])('shows the words of help as in a pipe, none of them cut, choices only after a bar: %s', async (line) => {
    const argv = line.split(' ');
    const { code, out } = await ranIn(narrow, ...argv);
    expect(code).toBe(0);
    const whole = out.replaceAll(/\|\n +/g, '|');
    expect(words(whole)).toEqual(words((await ranIn({}, ...argv)).out));
    const isCode = (text: string) => /^ {2}(colloquy |\{)/.test(text) || /^Usage: /.test(text) || words(text).length === 1;
    for (const text of out.split('\n')) expect(text.length <= 60 || isCode(text), text).toBe(true);
  });

  it('shows notes without cutting words, and code without wrapping it', async () => {
    const command = 'colloquy notes add mr/12 -m "text" --profile work --token';
    const body = `Some words before ${longWord} and after it, then \`${command}\` in the middle.\n\n\`\`\`\n${'code '.repeat(30)}\n\`\`\``;
    const { out } = await ranIn({ ...narrow, answer: manyThreads(1, { body }), env: { COLLOQUY_PAGER: '' } },
      'discussions', 'list', '!1', '-o', 'ndjson', '-L', '1');
    const thread = JSON.parse(out) as { id: string };
    const shown = await ranIn({ ...narrow, answer: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: out }) },
      'discussions', 'get', '!1', thread.id);
    expect(shown.out).toContain(longWord);
    expect(shown.out).toContain(command);
    expect(shown.out).toContain('code '.repeat(30).trim());
    const prose = shown.out.split('\n').filter((text) => !text.includes('code code') && words(text).length > 1 && !text.includes(command));
    for (const text of prose) expect(text.length).toBeLessThanOrEqual(60);
  });

  it('shows errors, hints and messages without cutting words or commands', async () => {
    const answer = () => ({ status: 401, headers: {}, body: '{"message":"401 Unauthorized"}' });
    const { err } = await ranIn({ ...narrow, answer }, 'discussions', 'list', '!1');
    expect(err).toContain('`colloquy auth login`');
    expect(longest(err.replaceAll('\r\x1b[K', ''))).toBeLessThanOrEqual(62);
    expect(words(err)).toEqual(words((await ranIn({ answer }, 'discussions', 'list', '!1')).err));
  });

  it('wraps nothing in a pipe', async () => {
    const { err } = await ranIn({ columns: 60 }, 'discussions', 'list', '!1', '--all', '-L', '5', '--url', 'x'.repeat(80));
    expect(err.trimEnd().split('\n')).toHaveLength(2);
  });
});
