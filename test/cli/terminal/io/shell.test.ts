import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronWord, shellWord } from '../../../../src/cli/terminal/io/shell.js';

const evaluated = (word: string) => spawnSync('sh', ['-c', `printf '%s|' ${word}`], { encoding: 'utf8' }).stdout;
const text = fc.array(fc.constantFrom('a', ' ', "'", '"', '\\', '%', '$', '`', '!', '\n', '\t', '0', '47', 'é', '*', '-', '(', ';'), { maxLength: 8 })
  .map((parts) => parts.join(''));

describe('a word for a shell', () => {
  it('is read as it was by sh', () => {
    fc.assert(fc.property(text, (word) => { expect(evaluated(shellWord(word))).toBe(`${word}|`); }), { numRuns: 60 });
  });

  it('is read as it was by sh and cron, apart from line breaks at its end', () => {
    fc.assert(fc.property(text, (word) => {
      const quoted = cronWord(word);
      expect(quoted).not.toMatch(/[%\n]/);
      expect(evaluated(quoted)).toBe(`${word.replace(/\n+$/, '')}|`);
    }), { numRuns: 60 });
  });
});
