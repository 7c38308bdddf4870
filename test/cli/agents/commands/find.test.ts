import { expect, it } from 'vitest';
import { findCommand, readCommand } from '../../../../src/cli/agents/commands.js';

it('the first part of a list prints one item more than asked for, and the others all: any of them may follow', () => {
  const lastOption = (cursor?: string, limit?: number) =>
    findCommand({ what: 'notes', ref: 'mr/12', ...cursor !== undefined && { cursor }, ...limit !== undefined && { limit } }).command.options.at(-1);
  expect([lastOption(), lastOption(undefined, 5), lastOption('0123456789ab', 5)]).toEqual(['--limit=31', '--limit=6', '--output=agent']);
});

it('what an agent gives is never an option', () => {
  expect(findCommand({ what: 'tree', ref: '--help' }).command.positionals).toEqual(['--help']);
  expect(readCommand({ ref: '-x', thread: '--all' })).toEqual({ options: ['discussions', 'get', '--output=agent'], positionals: ['-x', '--all'] });
});
