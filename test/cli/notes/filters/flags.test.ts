import { describe, expect, it } from 'vitest';
import { isFiltered } from '../../../../src/cli/notes/filters/flags.js';
import { ran } from '../../../support/app.js';

describe('invalid filters', () => {
  it.each([
    [['--unresolved', '--resolved'], '--unresolved and --resolved cannot be combined'],
    [['--mine', '--author', 'ada'], '--mine and --author cannot be combined'],
    [['--no-system', '--type', 'system'], '--no-system and --type system cannot be combined'],
    [['--since', '1d', '--until', '2d'], '--since 1d is later than --until 2d'],
    [['--since', 'soon'], '--since takes a time, not "soon"'],
    [['--type', 'rant'], 'choose one of: thread, individual, diff, system'],
    [['--match', '('], '--match: '], [['--match', '(?=a)b'], '--match: '],
  ])('%j is a usage error before any request is sent', async (flags, message) => {
    for (const noun of ['discussions', 'notes']) {
      const { code, out, err, sent } = await ran(noun, 'list', '!1', ...flags);
      expect({ code, out, sent }).toEqual({ code: 2, out: '', sent: [] });
      expect(err).toContain(message);
    }
  });
});

it('help lists all filters and fields with --all', async () => {
  const { out } = await ran('discussions', 'list', '--help', '--all');
  expect(out).toMatch(/\nFilters:\n(.*\n)*.*--no-system +no notes/);
  expect(out).toMatch(/\nFields for --json:\n {2}id, individual_note, resolvable, resolved, notes, outdated, [^\n]{20,}\n {2}[^\n]+, url\n/);
  expect((await ran('notes', 'list', '--help', '--all')).out).toMatch(/Fields for --json:\n {2}id, type, body, [^\n]{20,}\n {2}[^\n]+\n/);
});

it.each([
  [['--author', ''], '--author is empty'], [['--author', 'ada, bob'], 'give one user per flag'], [['--path', ' '], '--path is empty'],
  [['--match', ''], '--match is empty'], [['--type', ''], 'choose one of: '],
])('%j is rejected: a script whose variable is unset would get an empty list', async (flags, message) => {
  expect(await ran('notes', 'list', '!1', ...flags)).toMatchObject({ code: 2, sent: [], err: expect.stringContaining(message) as string });
});

describe('isFiltered', () => {
  it('is true for each filter, also one that is off', () => {
    const flags = [{ unresolved: true }, { resolved: true }, { author: ['ada'] }, { mine: true }, { type: ['diff' as const] }, { path: 'a' }, { since: '1d' },
      { until: '1d' }, { match: 'x' }, { system: false }];
    expect(flags.map(isFiltered)).toEqual(flags.map(() => true));
  });

  it('is false without a filter, and for the default of --no-system', () => {
    expect([isFiltered({}), isFiltered({ system: true })]).toEqual([false, false]);
  });
});
