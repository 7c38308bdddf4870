import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronWord, shellWord } from '../../src/text/quoting.js';
import { runsOf } from '../support/extent.js';

const characters = fc.constantFrom(
  'a', ' ', "'", '"', '\\', '%', '$', '`', '!', '\n', '\t', '0', '47', 'é', '*', '-', '(', ';', '=', '\u202e', '\u0085', '\u{e0001}');
const text = fc.array(characters, { maxLength: 8 }).map((parts) => parts.join(''));
const visibleText = text.map((word) => word.replace(/[\n\t\u202e\u0085\u{e0001}]/gu, '_'));

const environment = { ...process.env, LC_ALL: 'C.UTF-8' };
const readBy = (shell: string, word: string) =>
  spawnSync(shell, ['-c', `printf '%s|' ${word}`], { encoding: 'utf8', env: environment }).stdout;

describe('a word for a shell', () => {
  it('is read as it was by sh if all its characters are visible', () => {
    fc.assert(fc.property(visibleText, (word) => { expect(readBy('sh', shellWord(word))).toBe(`${word}|`); }), { numRuns: runsOf(60) });
  });

  it('is read as it was by bash', () => {
    const anyText = fc.oneof(text, fc.string({ unit: 'binary' })).map((word) => word.replaceAll('\0', ''));
    fc.assert(fc.property(fc.array(anyText, { minLength: 1, maxLength: 50 }), (words) => {
      const script = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
      const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8', env: environment });
      expect(printed.split('\0').slice(0, -1)).toEqual(words.map((word) => word.toWellFormed()));
    }), { numRuns: runsOf(20) });
  });

  it('is one line of visible characters', () => {
    fc.assert(fc.property(text, (word) => { expect(shellWord(word) + cronWord(word)).not.toMatch(/[\p{Cc}\p{Cf}]/u); }));
  });

  it('has quotes only where a shell needs them', () => {
    expect(['id:1,id:2', '--url=http://h/', '50%', 'acme&1', '=x', ''].map(shellWord))
      .toEqual(['id:1,id:2', '--url=http://h/', '50%', "'acme&1'", "'=x'", "''"]);
  });
});

it('a word for cron is read as it was by sh and cron, apart from line breaks at its end', () => {
  fc.assert(fc.property(text, (word) => {
    const quoted = cronWord(word);
    expect(quoted).not.toMatch(/[%\n]/);
    expect(readBy('sh', quoted)).toBe(`${word.replace(/\n+$/, '')}|`);
  }), { numRuns: runsOf(60) });
});
