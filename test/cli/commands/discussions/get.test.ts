import { describe, expect, it } from 'vitest';
import { ran, ranIn, testApp } from '../../../support/app.js';
import { threads } from '../../../support/worlds.js';

const get = ['discussions', 'get'];

describe('discussions get', () => {
  it('shows a conversation on a terminal', async () => {
    expect((await ranIn({ terminal: true }, ...get, '!1', threads.thread)).out).toBe([
      `thread ${threads.thread.slice(0, 8)} [open]`, '',
      'Gus Guest (@guest) 11 minutes ago, 2024-05-01 11:49 UTC  #note_120', '  please explain', '',
      '  Dora Developer (@developer) 10 minutes ago, 2024-05-01 11:50 UTC  #note_121', '    see below', '',
    ].join('\n'));
  });

  it('shows the position in the diff and who resolved the thread', async () => {
    expect((await ranIn({ terminal: true }, ...get, '!1', threads.diff)).out).toContain(`thread ${threads.diff.slice(0, 8)} on app.js:2 [open]\n`);
    expect((await ranIn({ terminal: true }, ...get, '!1', threads.resolved)).out).toContain('[resolved by @developer]');
  });

  it('prints the same without colors and ages to a pipe', async () => {
    expect((await ran(...get, '!1', threads.diff)).out).toBe([
      `thread ${threads.diff} on app.js:2 [open]`, '', '  1 1  one', '  2   -two', '>   2 +zwei', '',
      'Rita Reporter (@reporter) 2024-05-01T11:52:00.000Z  #note_123', '  why?', '',
    ].join('\n'));
  });

  it('shows the lines of a range, as list does', async () => {
    const world = await testApp();
    const id = (await world.run('discussions', 'create', '!1', '--file', 'app.js:1-3', '-m', 'why?', '-o', 'id')).out.trim();
    expect((await world.run(...get, '!1', id)).out).toContain(
      `thread ${id} on app.js:1-3 [open]\n\n> 1 1  one\n> 2   -two\n>   2 +zwei\n> 3 3  three\n`);
    expect((await world.run('discussions', 'list', '!1', '--csv-safe', '-o', 'csv')).out).toContain(',app.js:1-3,');
    expect((await world.run('notes', 'list', '!1', '-o', 'csv')).out).toContain(',app.js:1-3,');
  });

  it('prints one row as tsv, and the thread as JSON', async () => {
    expect((await ran(...get, '!1', threads.diff, '-o', 'tsv')).out).toBe(`${threads.diff}\topen\treporter\t2024-05-01T11:52:00.000Z\t1\tapp.js:2\twhy?\n`);
    expect(JSON.parse((await ran(...get, '!1', threads.diff, '--json')).out)).toMatchObject({ id: threads.diff, notes: [{ id: 123 }] });
  });

  it.each([
    ['an abbreviated id', ['!1', '3333']], ['the id of one of its notes', ['!1', '121']], ['the id of a note, as in URLs', ['!1', '#note_121']],
    ['a URL of a note', ['!1', 'http://service.test/acme/app/-/merge_requests/1#note_121']],
    ['one URL with both references', ['http://service.test/acme/app/-/merge_requests/1#note_121']],
    ['a flag and an abbreviated id', ['--mr', '1', '33333']],
  ])('finds the thread by %s', async (_, words) => {
    expect(await ran(...get, ...words, '-o', 'id')).toMatchObject({ code: 0, out: `${threads.thread}\n` });
  });

  it('makes no lookup for a full id', async () => {
    expect((await ran(...get, '!1', threads.thread)).sent).toHaveLength(1);
  });

  it('uses the merge request of the CI job when only the thread is given', async () => {
    expect(await ranIn({ env: { CI_MERGE_REQUEST_IID: '1' } }, ...get, '3333', '-o', 'id')).toMatchObject({ out: `${threads.thread}\n` });
  });

  it.each([
    [['!1', 'abcd'], 6, 'mr/1 has no thread abcd'],
    [['!1', '#note_99'], 6, 'mr/1 has no note 99'],
    [['!1', 'f'.repeat(40)], 6, 'the service did not find the requested object: "Discussion Not Found"'],
    [['!1', 'abc'], 2, '"abc" is not a valid thread'],
    [['!1', 'xyz!'], 2, '"xyz!" is not a valid thread'],
    [['!1'], 2, 'no note or thread given'],
  ])('%j exits with %i', async (words, exit, message) => {
    const { code, out, err } = await ran(...get, ...words);
    expect({ code, out }).toEqual({ code: exit, out: '' });
    expect(err).toContain(message);
  });

  it('without a thread, lets the user pick one on a terminal by its first words', async () => {
    const { run, asked } = await testApp({ terminal: true, answers: [1] });
    const { code, out, sent } = await run(...get, '!1', '-o', 'id');
    expect({ code, out }).toEqual({ code: 0, out: `${threads.diff}\n` });
    expect(sent.map(({ target }) => target.split('/').at(-1))).toEqual(['discussions?per_page=100', 'versions?per_page=100']);
    expect(asked).toEqual([['Show which thread of mr/1? (3, 2 open)',
      `${threads.thread.slice(0, 8)}  please explain (guest, open)`,
      `${threads.diff.slice(0, 8)}  why? (reporter, app.js:2, open)`,
      `${threads.resolved.slice(0, 8)}  done? (reporter, resolved)`].join('\n  ')]);
  });

  it('picks nothing with --no-input, and where there are no threads', async () => {
    expect(await ranIn({ terminal: true }, ...get, '!1', '--no-input')).toMatchObject({ code: 2 });
    const { code, err } = await ranIn({ terminal: true }, ...get, '!2');
    expect({ code, err }).toMatchObject({ code: 6, err: expect.stringContaining('mr/2 has no threads') as string });
  });

  it('prints its help', async () => {
    expect((await ran(...get, '--help')).out).toMatch(/^Usage: colloquy discussions get \[options\] \[ref\] \[thread\]\n/m);
  });
});
