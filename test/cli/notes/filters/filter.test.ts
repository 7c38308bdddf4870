import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instantOf, pathMatcher } from '../../../../src/cli/notes/filters/filter.js';
import type { World } from '../../../../src/server/world-file/schema.js';
import { unknownRoute } from '../../../support/answers.js';
import { ranIn, testApp } from '../../../support/app.js';
import { testService } from '../../../support/service.js';
import { manyThreads } from '../../../support/threads.js';
import { acme, refs } from '../../../support/worlds.js';

const id = (digit: string) => digit.repeat(40);
const on = (new_path: string, old_path = new_path) => ({ base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, old_path, new_path, new_line: 2 });

/** One thread for each property that a filter tests, in `acme`. */
const world: World = { ...acme, projects: [{
  id: 20, path: 'acme/app', visibility: 'private', merge_requests: [{
    id: 50, iid: 1, title: 'Change', author: 'developer', base_sha: refs.base, start_sha: refs.start, head_sha: refs.head, discussions: [
      { id: id('1'), individual_note: true, notes: [{ id: 1, author: 'root', body: 'changed the title', system: true, created_at: '2024-04-01T12:00:00Z' }] },
      { id: id('2'), individual_note: true, notes: [{ id: 2, author: 'guest', body: 'Looks good, @developer', created_at: '2024-04-10T12:00:00Z' }] },
      { id: id('3'), notes: [
        { id: 3, author: 'guest', body: 'Why so?', created_at: '2024-04-20T12:00:00Z' },
        { id: 4, author: 'developer', body: 'Because of FOO-12.', created_at: '2024-04-29T12:00:00Z' },
      ] },
      { id: id('4'), notes: [
        { id: 5, author: 'developer', body: 'Typo', created_at: '2024-04-30T12:00:00Z', resolved_by: 'guest', position: on('src/b/app.js') },
      ] },
      { id: id('5'), notes: [
        { id: 6, author: 'reporter', body: 'Renamed, @guest?', created_at: '2024-05-01T11:00:00Z', position: on('docs/new.md', 'docs/old.md') },
      ] },
    ],
  }],
}] };

const service = await testService({ world });
const listed = async (noun: string, ...flags: string[]) => {
  const { code, out, err } = await ranIn({ service }, noun, 'list', '!1', ...flags, '-q', noun === 'notes' ? '.[].id' : '.[].id[:1]');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return out.trim().split('\n').join(' ');
};

describe('a filter on threads and on notes', () => {
  it.each([
    [[], '1 2 3 4 5', '1 2 3 4 5 6'],
    [['--unresolved'], '3 5', '3 4 6'],
    [['--resolved'], '4', '5'],
    [['--author', 'guest'], '2 3', '2 3'],
    [['--author', '@Guest', '--author', 'reporter'], '2 3 5', '2 3 6'],
    [['--mine'], '4', '4 5'],
    [['--author', 'me', '--author', 'reporter'], '4 5', '4 5 6'],
    [['--participant', 'guest'], '2 3', '2 3 4'],
    [['--participant', '@Guest', '--participant', 'me'], '3', '3 4'],
    [['--participant', 'me', '--unresolved'], '3', '3 4'],
    [['--mentions', 'guest'], '5', '6'],
    [['--mentions', 'me'], '2', '2'],
    [['--mentions', 'guest', '--mentions', 'me'], '2 5', '2 6'],
    [['--waiting'], '', ''],
    [['--type', 'system'], '1', '1'],
    [['--type', 'individual'], '2', '2'],
    [['--type', 'thread'], '3', '3 4'],
    [['--type', 'diff'], '4 5', '5 6'],
    [['--type', 'diff', '--type', 'system'], '1 4 5', '1 5 6'],
    [['--no-system'], '2 3 4 5', '2 3 4 5 6'],
    [['--path', 'src'], '4', '5'],
    [['--path', '*.md'], '5', '6'],
    [['--path', 'docs/old.md'], '5', '6'],
    [['--since', '3d'], '3 4 5', '4 5 6'],
    [['--until', '2024-04-10'], '1 2', '1 2'],
    [['--since', '2024-04-20', '--until', '2024-04-29T12:00Z'], '3', '3 4'],
    [['--match', 'FOO-\\d+'], '3', '4'],
    [['--match', '(?i)^(why|typo)'], '3 4', '3 5'],
    [['--match', 'Why', '--since', '3d'], '', ''],
    [['--unresolved', '--author', 'reporter', '--path', '**/*.md', '--since', '2h', '--match', 'named'], '5', '6'],
  ])('%j leaves %s, %s', async (flags, threads, notes) => {
    expect(await listed('discussions', ...flags)).toBe(threads);
    expect(await listed('notes', ...flags)).toBe(notes);
  });

  it('applies the limit to printed records', async () => {
    const { out, err } = await ranIn({ service }, 'discussions', 'list', '!1', '--no-system', '-L', '2', '-o', 'id');
    expect(out).toBe(`${id('2')}\n${id('3')}\n`);
    expect(err).toBe('showing the first 2; use --all instead of --limit to show all\n');
  });

  it('reports that there may be more if it did not read all pages', async () => {
    const many = { answer: manyThreads(150, { body: 'x' }) };
    const { out, err, sent } = await ranIn(many, 'discussions', 'list', '!1', '--unresolved', '-L', '50', '-o', 'id');
    expect(out.trim().split('\n')).toHaveLength(50);
    expect(err).toBe('showing the first 50, there may be more; use --all instead of --limit to show all\n');
    expect(sent.map(({ target }) => target.split('?')[1])).toEqual(['per_page=100']);
  });

  it('works while the list streams', async () => {
    const { out } = await ranIn({ answer: manyThreads(250, { body: 'x' }) }, 'discussions', 'list', '!1', '--resolved', '-o', 'ndjson', '-q', '.notes[0].id');
    expect(out.trim().split('\n').map(Number)).toEqual(Array.from({ length: 125 }, (_, i) => 2 * (i + 1)));
  });
});

describe('--mine', () => {
  it('suggests --author if the service does not report the owner of the token', async () => {
    const answer = ({ target }: { target: string }) => target.endsWith('/user') ? unknownRoute : undefined;
    const { code, err } = await ranIn({ service, answer }, 'discussions', 'list', '!1', '--mine');
    expect(code).toBe(2);
    expect(err).toBe('colloquy: the service does not report the owner of the token\nuse --author with your username\n');
  });

  it('sends one request, and none without the flag', async () => {
    const { sent } = await ranIn({ service }, 'discussions', 'list', '!1', '--mine', '-o', 'id');
    expect(sent.filter(({ target }) => target.endsWith('/user'))).toHaveLength(1);
    expect((await ranIn({ service }, 'discussions', 'list', '!1', '--author', 'guest')).sent).toHaveLength(1);
  });
});

describe('--match', () => {
  it('takes linear time for any expression', async () => {
    const { run } = await testApp({ answer: manyThreads(3, { body: `${'a'.repeat(200_000)}!` }) });
    expect(await run('discussions', 'list', '!1', '--match', '(a+)+$', '-o', 'id')).toMatchObject({ code: 0, out: '' });
    expect(await run('discussions', 'list', '!1', '--match', '(a|aa)+!$', '-q', 'length')).toMatchObject({ out: '3\n' });
  });
});

describe('--path', () => {
  it.each([
    ['src/a.ts', ['src/a.ts'], ['src/a.tsx', 'lib/src/a.ts', 'src/a_ts']],
    ['src', ['src/a.ts', 'src/b/c.ts', 'src'], ['source/a.ts', 'lib/src/a.ts']],
    ['./src/', ['src/a.ts'], ['a.ts']],
    ['.', ['a.ts', 'src/b/a.ts'], []], ['./', ['a.ts', '.github/a.yml'], []], ['/', ['a.ts'], []], ['src/..', ['lib/a.ts'], []],
    ['src/.', ['src/a.ts'], ['a.ts', 'lib/src/a.ts']], ['src/../lib//b/', ['lib/b/c.ts'], ['src/a.ts', 'lib/a.ts']],
    ['.github', ['.github/a.yml'], ['github/a.yml', 'a.yml']], ['../src', [], ['src/a.ts']],
    ['src/./x/../*.ts', ['src/a.ts'], ['src/x/a.ts']], ['{src/a,lib}/../*.ts', [], ['src/a.ts', 'a.ts']],
    ['*.ts', ['a.ts', 'src/b/a.ts'], ['a.tsx', 'ts']],
    ['src/*.ts', ['src/a.ts'], ['src/b/a.ts', 'a.ts']],
    ['src/**', ['src/a.ts', 'src/b/a.ts'], ['a/src/a.ts']],
    ['**/test/*.js', ['test/a.js', 'a/b/test/c.js'], ['test/a/b.js']],
    ['src/**/a.ts', ['src/a.ts', 'src/b/c/a.ts'], ['src/b/xa.ts']],
    ['a?.md', ['ab.md', 'x/ac.md'], ['a.md', 'abc.md']],
    ['[a-c].md', ['b.md'], ['d.md']], ['[!a-c].md', ['d.md'], ['b.md']],
    ['src/*.{ts,js}', ['src/a.ts', 'src/a.js'], ['src/a.css']],
    ['Größe (1)+$.txt*', ['Größe (1)+$.txt.bak'], ['Größe 1.txt']],
    ['src/**', ['src/a\nb.ts'], []],
    ['app/[id]/page.tsx', ['app/[id]/page.tsx', 'app/i/page.tsx'], ['app/id/page.tsx']],
    ['app/[id]/', ['app/[id]/page.tsx', 'app/[id]/a/b.ts'], ['app/[ids]/page.tsx']],
    ['app/[id]/*.tsx', ['app/[id]/page.tsx'], ['app/[id]/page.ts']],
    ['app/[[...post-id]]/*.{ts,tsx}', ['app/[[...post-id]]/page.tsx'], ['app/[post-id]/page.tsx']],
    ['[z-a].md', ['[z-a].md'], ['z.md', '-.md']],
    ['{{cookiecutter.name}}/*.py', ['{{cookiecutter.name}}/setup.py'], ['setup.py']],
    ['{src/a.ts,docs/}', ['src/a.ts', 'docs/x.md', 'docs/a/b.md'], ['src/b.ts', 'docs.md', 'lib/docs/x.md']],
    ['{src,docs}', ['src/a.ts', 'docs/x.md'], ['srcs/a.ts', 'docs.md']],
    ['packages/{a,b}/', ['packages/a/src/x.ts'], ['packages/c/x.ts', 'packages/ab/x.ts']],
    ['{app/[id]/,docs}', ['app/[id]/page.tsx', 'docs/x.md'], ['app/page.tsx']],
    ['src/*', ['src/a.ts', 'src/b/c.ts'], ['src']],
    ['test*', ['a/test-kit/b.ts', 'tests/a.ts'], ['src/a.ts']],
  ] as const)('%s matches some paths and not others', async (wanted, fitting, others) => {
    const fits = await pathMatcher(wanted);
    expect(fitting.filter((path) => !fits(path))).toEqual([]);
    expect(others.filter((path) => fits(path))).toEqual([]);
  });

  it('every path matches itself and what is below it', async () => {
    const anyPath = fc.stringMatching(/^[a-z.+$^()|\\[\]{},!*?-]{1,8}(\/[a-z.+$^()|\\[\]{},!*?-]{1,8}){0,3}$/);
    await fc.assert(fc.asyncProperty(anyPath, async (path) => {
      fc.pre(!/^[./]+/.test(path) && !/\/\.\.?(?:\/|$)/.test(path));
      for (const one of [path, `${path}/a/b`]) expect((await pathMatcher(path))(one)).toBe(true);
      expect((await pathMatcher(`${path}*`))(path)).toBe(true);
    }));
  });

  it('a glob that needs exponential time in other matchers is fast', async () => {
    const fits = await pathMatcher(`${'*a'.repeat(30)}*c`);
    expect(fits('a'.repeat(20_000))).toBe(false);
  });
});

describe('--since and --until', () => {
  const now = new Date('2024-05-10T12:00:00Z');
  const instant = (text: string, isEnd = false) => new Date(instantOf(text, '--since', now, isEnd)).toISOString();

  it.each([
    ['30m', '2024-05-10T11:30:00.000Z'], ['6h', '2024-05-10T06:00:00.000Z'], ['3d', '2024-05-07T12:00:00.000Z'], ['2w', '2024-04-26T12:00:00.000Z'],
    ['2024-05-01', '2024-05-01T00:00:00.000Z'], ['2024-05-01T09:30', '2024-05-01T09:30:00.000Z'], ['2024-05-01 09:30:15', '2024-05-01T09:30:15.000Z'],
    ['2024-05-01T09:30:15.250Z', '2024-05-01T09:30:15.250Z'], ['2024-05-01T09:30+02:00', '2024-05-01T07:30:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['20240229T101112Z', '2024-02-29T10:11:12.000Z'], ['2024-05-01T09:30+02', '2024-05-01T07:30:00.000Z'],
    ['2024-05-01T09:30:15,25Z', '2024-05-01T09:30:15.250Z'],
  ])('%s is %s', (text, at) => {
    expect(instant(text)).toBe(at);
  });

  it('a day ends with its last millisecond', () => {
    expect(instant('2024-05-01', true)).toBe('2024-05-01T23:59:59.999Z');
    expect(instant('20240501', true)).toBe('2024-05-01T23:59:59.999Z');
    expect(instant('2024-05-01T09:30', true)).toBe('2024-05-01T09:30:00.000Z');
  });

  it.each(['', 'yesterday', '3', '3y', '-3d', '2023-02-29', '2024-04-31', '2024-13-01', '2024-05-01T25:00', '2024-05-01T12:00+99:00', '01.05.2024',
    '9999-12-31T23:00-02:00'])(
    'rejects %j as a time', (text) => {
      expect(() => instant(text)).toThrow(`--since takes a time, not ${JSON.stringify(text)}`);
    });
});
