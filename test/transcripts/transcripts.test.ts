import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleOf } from '../support/extent.js';
import { everyRow } from '../support/rows.js';
import { replay, rewritten, stepsOf } from '../support/transcript.js';

const folder = import.meta.dirname;
const transcripts = readdirSync(folder).filter((name) => name.endsWith('.txt'))
  .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);

describe('a transcript', () => {
  it('gives the recorded output', { timeout: 240_000 }, async () => {
    const isWriting = process.env['COLLOQUY_GOLDEN'] === 'write';
    await everyRow(isWriting ? transcripts : sampleOf(transcripts, 3), ([name]) => name, async ([name, transcript]) => {
      if (isWriting) writeFileSync(join(folder, name), await rewritten(transcript));
      else await replay(transcript);
    }, { atOnce: 3 });
  });

  it('starts with a description', async () => {
    await everyRow(transcripts, ([name]) => name, ([, transcript]) => {
      expect(transcript).toMatch(/^[A-Z][^$]*\.\n\n/);
      expect(stepsOf(transcript).length).toBeGreaterThan(2);
    });
  });

  it('with a difference fails: output, errors, exit code and number of lines', async () => {
    const differs = (...lines: string[]) => expect(replay(['$ echo one; echo two >&2; exit 3', ...lines].join('\n'))).rejects.toThrow();
    await replay('$ echo one; echo two >&2; exit 3\n> o…e\n! …\n? 3');
    await differs('> one', '! two');
    await differs('> on', '! two', '? 3');
    await differs('> one', '? 3');
    await differs('> one', '> more', '! two', '? 3');
    await expect(replay('$ echo (\n> …')).rejects.toThrow();
    expect(() => stepsOf('$ echo\n? 0\nwhat')).toThrow('line 3 is no step: what');
  });
});
