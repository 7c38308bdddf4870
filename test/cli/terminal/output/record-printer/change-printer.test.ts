import { describe, expect, it } from 'vitest';
import { testApp, type WorldOptions } from '../../../../support/app.js';
import { everyRow } from '../../../../support/rows.js';
import { threads } from '../../../../support/worlds.js';

const page = 'http://service.test/acme/app/-/merge_requests/1#note_';
const epic = 'http://service.test/groups/acme/-/epics/';

/** Each with the address that it prints. */
const writes: readonly (readonly [string, string])[] = [
  ['notes add !1 -m x', `${page}141`], ['notes add !1 -m x --key k', `${page}141`], ['notes upsert !1 --key k -m x', `${page}141`],
  ['discussions create !1 -m x', `${page}141`], [`discussions reply !1 ${threads.thread} -m x`, `${page}141`],
  [`discussions reply !1 ${threads.thread} -m x --resolve`, `${page}141`], ['notes edit !1 120 -m x --yes', `${page}120`],
  ['notes resolve !1 120', `${page}120`], [`discussions resolve !1 ${threads.diff}`, `${page}123`],
  [`discussions resolve !1 ${threads.diff} ${threads.thread}`, `${page}123`], ['discussions unresolve !1 --all --yes', `${page}122`],
  ['epics create &1 --title T', `${epic}3`], ['epics assign &1 &2', `${epic}2`],
];

const timesIn = (text: string, part: string) => text.split('\n').filter((line) => line.includes(part)).length;

const ran = async (options: WorldOptions, line: string, ...more: string[]) =>
  (await testApp({ env: { COLLOQUY_TOKEN: 'owner-token' }, ...options })).run(...line.split(' '), ...more);

describe('a write', () => {
  it('prints its record in a pipe, and its address on stderr unless the record has it', async () => {
    await everyRow(writes, ([line]) => line, async ([line, address]) => {
      const { code, out, err } = await ran({}, line);
      expect({ code, hasRecord: out.includes('\t'), addresses: timesIn(out + err, address) }).toEqual({ code: 0, hasRecord: true, addresses: 1 });
      expect(timesIn(err, address)).toBe(line.startsWith('epics create') ? 0 : 1);
    });
  });

  it('prints both with every format, at a terminal too', async () => {
    const formats = [['--json'], ['--json=id'], ['-o', 'id'], ['-o', 'ndjson'], ['-o', 'yaml'], ['-q', '.id']];
    const rows = formats.flatMap((words) => [false, true].map((terminal) => ({ words, terminal })));
    await everyRow(rows, ({ words, terminal }) => `${words.join(' ')} ${terminal}`, async ({ words, terminal }) => {
      const { code, out, err } = await ran({ terminal }, 'notes add !1 -m x', ...words);
      expect({ code, hasRecord: out.includes('141'), inOut: timesIn(out, page), inErr: timesIn(err, `${page}141`) })
        .toEqual({ code: 0, hasRecord: true, inOut: 0, inErr: 1 });
    });
    expect((await ran({}, 'epics create &1 --title T', '--json=id')).err).toContain(`${epic}3\n`);
    expect((await ran({}, 'epics create &1 --title T', '-q', '.url'))).toMatchObject({ out: `${epic}3\n`, err: expect.not.stringContaining(epic) as string });
  });

  it('prints the record alone with --quiet, and no address in a dry run, in the sandbox, and where none is known', async () => {
    expect(await ran({}, 'notes add !1 -m x', '--quiet')).toMatchObject({ code: 0, out: expect.stringContaining('141') as string, err: '' });
    for (const more of [['--dry-run'], ['-p', '20']]) expect((await ran({}, 'notes add !1 -m x', ...more)).err).not.toContain('http');
    expect((await ran({}, 'notes add !12 -m x', '--sandbox', '-p', 'acme/app')).err).not.toContain('http');
    const job = { COLLOQUY_TOKEN: 'owner-token', COLLOQUY_PROJECT: undefined, CI_PROJECT_ID: '20', CI_PROJECT_PATH: 'acme/app', CI_SERVER_URL: 'http://service.test' };
    expect((await ran({ env: job }, 'notes add !1 -m x')).err).toContain(`${page}141\n`);
  });
});
