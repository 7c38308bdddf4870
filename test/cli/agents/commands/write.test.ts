import { expect, it } from 'vitest';
import { writeCommand } from '../../../../src/cli/agents/commands.js';

it('what an agent gives is never an option', () => {
  const { options, positionals, text } = writeCommand({ action: 'reply', ref: '--token=x', thread: '-f', body: '--help', key: '--yes' });
  expect(positionals).toEqual(['--token=x', '-f']);
  expect(options).toEqual(['discussions', 'reply', '--body-file=-', '--output=id', '--key=--yes']);
  expect(text).toBe('--help');
});

it.each([
  [{ action: 'reply', ref: 'mr/1', body: 'x' }, 'reply requires thread'], [{ action: 'resolve', ref: 'mr/1', thread: '' }, 'resolve requires thread'],
  [{ action: 'comment', ref: 'mr/1' }, 'comment requires body'], [{ action: 'upsert', ref: 'mr/1', body: 'x' }, 'upsert requires key'],
  [{ action: 'review', ref: 'mr/1' }, 'review requires body'], [{ action: 'comment', ref: 'mr/1', body: 'x', line: 3 }, 'line requires file'],
] as const)('%j is refused: %s', (given, message) => {
  expect(() => writeCommand(given)).toThrow(message);
});
