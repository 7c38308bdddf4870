import { expect, it } from 'vitest';
import { findCommand, readCommand } from '../../../../src/cli/agents/commands.js';

it('a list prints one item more than asked for, after those of the parts before', () => {
  const limitOf = (cursor?: string, limit?: number) =>
    findCommand({ what: 'notes', ref: 'mr/12', ...cursor !== undefined && { cursor }, ...limit !== undefined && { limit } }).command.options.at(-1);
  expect([limitOf(), limitOf('30'), limitOf('30.2000', 5)]).toEqual(['--limit=31', '--limit=61', '--limit=36']);
  expect(findCommand({ what: 'threads', cursor: '7.900' }).start).toEqual({ item: 7, at: 900 });
});

it('what an agent gives is never an option', () => {
  expect(findCommand({ what: 'tree', ref: '--help' }).command.positionals).toEqual(['--help']);
  expect(readCommand({ ref: '-x', thread: '--all' })).toEqual({ options: ['discussions', 'get', '--output=agent'], positionals: ['-x', '--all'] });
});
