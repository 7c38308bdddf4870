import { describe, expect, it } from 'vitest';
import { ranIn } from '../../../support/app.js';
import { patch, pushService } from '../../../support/pushes.js';
import { testService } from '../../../support/service.js';

const view = ['discussions', 'view', '!1'];

const env = { COLLOQUY_TOKEN: 'root-token' };

/** Threads on two lines, one of them outdated, a resolved one, and one of the whole merge request. */
const commented = async () => {
  const service = await pushService();
  const changed = await service.comment({ new_line: 2 }, 'Why not `2.0`?');
  const moved = await service.comment({ old_line: 4, new_line: 4 }, 'Needed?');
  const done = await service.comment({ old_line: 1, new_line: 1 }, 'Typo\n\nin one');
  await service.put(`/projects/20/merge_requests/1/discussions/${done}`, { json: { resolved: true } });
  const general = await service.post<{ id: string }>('/projects/20/merge_requests/1/discussions', { json: { body: 'In general' } });
  await service.push({ diff: patch('x.ts', '@@ -1,3 +1,4 @@', '+zero', ' one', '-two', '+II', ' three') });
  return { service, changed, moved, done, general: general.body.id };
};

describe('discussions view', () => {
  it('shows threads by file and line with the code, resolved ones in one line, and general ones last', async () => {
    const { service } = await commented();
    const { code, out, err } = await ranIn({ service, env }, ...view);
    expect([code, err]).toEqual([0, '']);
    const lines = out.split('\n').filter((line) => line !== '' && !/note_\d+$/.test(line)).map((line) => line.replace(/^thread \d+/, 'thread'));
    expect(lines).toEqual([
      'mr/1 Count', 'by developer (@developer), open', '3 open, 1 resolved, 4 new', 'x.ts',
      'thread on x.ts:2, line removed [open] [new]', '  1 1  one', '  2   -two', '>   2 +2', '  Why not `2.0`?',
      expect.stringMatching(/^0{39}\d \[resolved\] x\.ts:2 .*: Typo \(1 note\)$/),
      'thread on x.ts:4 → now 5 [open] [new]', '  2   -two', '    2 +2', '  3 3  three', '> 4 4  four', '  Needed?',
      'General', 'thread [open] [new]', '  In general',
    ]);
  });

  it('opens resolved threads, with as many lines of code as asked', async () => {
    const { service } = await commented();
    const { out } = await ranIn({ service }, ...view, '--resolved', '--context', '1');
    expect(out).toContain('    1 +zero\n> 1 2  one\n  2   -two\n');
    expect(out).toContain('  in one');
  });

  it('has places and news as JSON, the resolved threads of ndjson only when asked', async () => {
    const { service, changed, moved, done, general } = await commented();
    const { out } = await ranIn({ service, env }, ...view, '--json=id,outdated,current_line,new');
    expect(JSON.parse(out)).toEqual([
      { id: changed, outdated: true, current_line: null, new: true }, { id: done, outdated: false, current_line: 2, new: true },
      { id: moved, outdated: true, current_line: 5, new: true }, { id: general, outdated: false, current_line: null, new: true },
    ]);
    const whole = JSON.parse((await ranIn({ service }, ...view, '--json')).out) as { outdated: boolean; notes: unknown[] }[];
    expect(whole.map(({ outdated, notes }) => [outdated, notes.length])).toEqual([[true, 1], [false, 1], [true, 1], [false, 1]]);
    const ids = async (...flags: string[]) => (await ranIn({ service }, ...view, '-o', 'ndjson', '--json=id', ...flags)).out.match(/\d{40}/g);
    expect(await ids()).toEqual([changed, moved, general]);
    expect(await ids('--resolved')).toEqual([changed, done, moved, general]);
  });

  it.each([
    ['-o', 'table'], ['-o', 'markdown'], ['-o', 'agent'], ['--json'], ['-o', 'csv'],
  ])('shows as many threads as --limit says, with %s %s', async (...words) => {
    const { service } = await commented();
    const shown = async (...more: string[]) => {
      const { out, err } = await ranIn({ service }, ...view, ...words, ...more);
      return { threads: ['Why not', 'Typo', 'Needed?', 'In general'].filter((text) => out.includes(text)), err };
    };
    expect(await shown('--limit', '2')).toEqual({
      threads: ['Why not', 'Typo'], err: 'showing 2 of 4; use --all instead of --limit to show all\n' });
    expect(await shown('--limit', '4')).toEqual({ threads: ['Why not', 'Typo', 'Needed?', 'In general'], err: '' });
  });

  it('is a page of Markdown in which notes are quoted', async () => {
    const service = await pushService();
    await service.comment({ new_line: 2 }, '# Title\n```\n</details>');
    const { out } = await ranIn({ service, env }, ...view, '-o', 'markdown');
    expect(out).toContain('# Threads of mr/1\n\n## x.ts\n\n### x.ts:2 [open] [new] (');
    expect(out).toContain('```diff\n one\n-two\n+2\n three\n four\n```\n');
    expect(out).toContain('\n> # Title\n> ```\n> </details>\n');
  });

  it('shows system notes only when asked', async () => {
    const { service } = await commented();
    expect((await ranIn({ service }, ...view)).out).not.toContain('[system]');
    expect((await ranIn({ service }, ...view, '--system')).out).toContain('[system]');
  });

  it('takes the filters of lists', async () => {
    const { service, moved } = await commented();
    const { out } = await ranIn({ service }, ...view, '--match', 'Needed', '--json=id');
    expect(JSON.parse(out)).toEqual([{ id: moved }]);
    expect(await ranIn({ service }, ...view, '--author', 'nobody')).toMatchObject({
      code: 0, out: '', err: 'no threads pass the filters\nno note is by "nobody": check the spelling of --author\n' });
    expect((await ranIn({}, 'discussions', 'view', '!1', '--path', 'nothere')).err).toBe('no threads pass the filters; no thread is on nothere\n');
    expect((await ranIn({}, 'discussions', 'view', '!1', '--new', '--author', 'nobody')).err).toMatch(/^no new threads pass the filters\n/);
    expect((await ranIn({}, 'discussions', 'view', '!2')).err).toBe('no threads\n');
    expect((await ranIn({}, 'discussions', 'list', '!1', '--path', 'nothere')).err).toBe('');
    expect((await ranIn({ terminal: true }, 'discussions', 'list', '!1', '--path', 'nothere')).err).toBe('no threads pass the filters\n');
  });

  it('shows the threads of an issue, which has no code', async () => {
    const service = await testService();
    const { code, out } = await ranIn({ service }, 'discussions', 'view', '#1');
    expect(code).toBe(0);
    expect(out).toContain('General');
  });

  it.each([[['--context', 'x']], [['--mark-read', '--unresolved']], [['--mark-read', '--new']], [['--json=nothing']]])(
    'rejects %j before any request', async (flags) => {
      const { code, sent } = await ranIn({}, ...view, ...flags);
      expect([code, sent.length]).toEqual([2, 0]);
    });
});

describe('a look at all threads', () => {
  const answer = ({ target }: { readonly target: string }) => target.endsWith('/user')
    ? { status: 404, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"error":"404 Not Found"}') } : undefined;

  it('succeeds where the service does not report who looks', async () => {
    const { service } = await commented();
    expect(await ranIn({ service, answer, terminal: true }, ...view)).toMatchObject({ code: 0 });
    expect(await ranIn({ service, answer }, ...view, '--mark-read')).toMatchObject({ code: 2 });
  });

  it('succeeds where the mark cannot be kept, and says so', async () => {
    const { service } = await commented();
    const state = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' });
    const { code, out, err } = await ranIn({ service, state, terminal: true }, ...view);
    expect(code).toBe(0);
    expect(err).toContain('what you have seen is not kept: the disk is read-only\n');
    expect(out).toContain('Needed?');
    expect(await ranIn({ service, state }, ...view, '--mark-read')).toMatchObject({
      code: 1, err: 'colloquy: cannot write what you have seen to /state/seen: the disk is read-only\nset XDG_STATE_HOME to a writable folder\n' });
  });
});

describe('what is new', () => {
  const news = async (options: Parameters<typeof ranIn>[0], ...words: string[]) =>
    (JSON.parse((await ranIn({ env, ...options }, ...words, '--json=id,new')).out) as { id: string; new: boolean }[])
      .filter((thread) => thread.new).map(({ id }) => id);

  it('is everything of others at first, and after a look only what came since', async () => {
    const { service, moved } = await commented();
    const state = new Map<string, Uint8Array>();
    expect(await news({ service, state }, ...view)).toHaveLength(4);
    expect(await news({ service, state }, ...view, '--new')).toHaveLength(4);
    expect(await news({ service, state, env: {} }, ...view)).toEqual([]);
    await ranIn({ service, state, env, terminal: true }, ...view);
    expect(await news({ service, state }, ...view)).toEqual([]);
    await service.post(`/projects/20/merge_requests/1/discussions/${moved}/notes`, { as: 'developer', json: { body: 'Yes.' } });
    for (const command of ['view', 'list']) {
      expect(await news({ service, state }, 'discussions', command, '!1')).toEqual([moved]);
      expect(await news({ service, state }, 'discussions', command, '!1', '--new')).toEqual([moved]);
    }
    expect((await ranIn({ service, state, env }, 'discussions', 'get', '!1', moved, '-q', '.new')).out).toBe('true\n');
  });

  it.each([
    [false, 'a pipe', {}, []], [false, 'a filter', { terminal: true }, ['--unresolved']], [false, '--new', { terminal: true }, ['--new']],
    [false, 'JSON', { terminal: true }, ['--json']], [true, '--mark-read', {}, ['--mark-read']], [true, 'a terminal', { terminal: true }, []],
    [false, 'a dry run', { terminal: true }, ['--dry-run']], [false, '--mark-read in a dry run', {}, ['--mark-read', '--dry-run']],
  ])('%s: the mark moves with %s', async (moves, _, options, flags) => {
    const { service } = await commented();
    const state = new Map<string, Uint8Array>();
    await ranIn({ service, state, env, ...options }, ...view, ...flags);
    expect(await news({ service, state }, ...view)).toHaveLength(moves ? 0 : 4);
  });

  it.each(['view', 'list'])('%s says in a dry run how many notes --mark-read would count as seen', async (command) => {
    const { service } = await commented();
    const state = new Map<string, Uint8Array>();
    const { code, err } = await ranIn({ service, state }, 'discussions', command, '!1', '--mark-read', '--dry-run');
    expect([code, state.size]).toEqual([0, 0]);
    expect(err).toMatch(/^would count \d+ notes as seen; nothing is stored with --dry-run$/m);
  });
});
