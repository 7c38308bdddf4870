import { describe, expect, it } from 'vitest';
import { ran, ranIn } from '../../../support/app.js';
import { json } from '../../../support/answers.js';
import { refs } from '../../../support/worlds.js';

const lines = ['discussions', 'lines', '!1'];

describe('discussions lines', () => {
  it('lists the lines of a file that take comments, with their numbers', async () => {
    expect(await ran(...lines, 'app.js')).toMatchObject({ code: 0, out: [
      '1\t1\tcontext\tone', '2\t\tremoved\ttwo', '\t2\tadded\tzwei', '3\t3\tcontext\tthree', '4\t4\tcontext\tfour', ''].join('\n') });
    expect((await ranIn({ terminal: true }, ...lines, 'app.js')).out).toMatch(/^OLD +NEW +KIND +TEXT\n1 +1 +context +one\n2 +removed +two\n/);
  });

  it('prints JSON, and with -o id what --line takes', async () => {
    const { out } = await ran(...lines, 'new.txt', '--json');
    expect((JSON.parse(out) as unknown[])[1]).toEqual({ path: 'new.txt', old_line: null, new_line: 2, kind: 'added', text: 'inserted' });
    expect((await ran(...lines, 'app.js', '-o', 'id')).out).toBe('1\nold:2\n2\n3\n4\n');
  });

  it('takes a renamed file by its old name, and a single word as the file of the default merge request', async () => {
    expect((await ran(...lines, 'old.txt')).out).toContain('\tinserted\n');
    expect((await ranIn({ env: { CI_MERGE_REQUEST_IID: '1' } }, 'discussions', 'lines', 'app.js', '-o', 'id')).out).toContain('old:2\n');
  });

  it('takes a path from the current folder', async () => {
    const options = { workTree: '/repo', folder: '/repo/sub' };
    expect((await ranIn(options, ...lines, '../app.js', '-o', 'id')).out).toContain('old:2\n');
    const { code, err } = await ranIn(options, ...lines, './app.js');
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining('sub/app.js is not in the diff of mr/1') as string });
  });

  it('lists the lines of a commit', async () => {
    expect((await ran('discussions', 'lines', `@${refs.commit}`, 'app.js', '-o', 'id')).out).toContain('old:2\n');
  });

  it('says that a binary file has none', async () => {
    expect(await ran(...lines, 'pixel.png', '-o', 'table')).toMatchObject({ code: 0, out: '', err: 'no lines that take comments\n' });
  });

  it('rejects a file outside the diff, and a noteable without a diff', async () => {
    expect(await ran(...lines, 'none.js')).toMatchObject({ code: 2, err: expect.stringContaining('none.js is not in the diff of mr/1') as string });
    expect(await ran('discussions', 'lines', '#1', 'a.js')).toMatchObject({ code: 2, err: expect.stringContaining('issue/1 has no diff') as string });
  });

  it('lists the lines of all files without a file', async () => {
    const all = await ran(...lines, '--json=path,new_line');
    const records = JSON.parse(all.out) as { path: string; new_line: number | null }[];
    const [first] = records;
    expect([...new Set(records.map(({ path }) => path))].length).toBeGreaterThan(1);
    const one = JSON.parse((await ran(...lines, first!.path, '--json=path,new_line')).out) as unknown[];
    expect(records.filter(({ path }) => path === first!.path)).toEqual(one);
    expect((await ran(...lines, '-o', 'id')).out.split('\n')[0]).toBe(`${first!.path}:${first!.new_line ?? 'old:1'}`);
    expect((await ran(...lines, '-o', 'tsv')).out.split('\t')[0]).toBe(first!.path);
  });

  it('fails if nothing has the diff, and reads the patch of --diff', async () => {
    const options = {
      answer: ({ target }: { target: string }) => /\/versions\/\d+$/.test(target) ? json(200, { diffs: [] }) : undefined,
      files: { 'p.diff': '--- a/app.js\n+++ b/app.js\n@@ -1 +1 @@\n-a\n+b\n' },
    };
    expect(await ranIn(options, ...lines, 'app.js')).toMatchObject({ code: 1, err: expect.stringContaining('cannot read the diff of app.js') as string });
    expect((await ranIn(options, ...lines, 'app.js', '--diff', 'p.diff', '-o', 'id')).out).toBe('old:1\n1\n');
  });

  it('lists what the service shows of a diff, and fails if it leaves something out that nothing else has', async () => {
    const shown = { old_path: 'a', new_path: 'a', diff: '@@ -0,0 +1 @@\n+x\n', deleted_file: false };
    const hidden = { ...shown, old_path: 'b', new_path: 'b', diff: '', collapsed: true };
    const showing = ({ diffs = [shown], state = 'collected' }) => ({ target }: { target: string }) => {
      const version = { id: 50, head_commit_sha: refs.head, base_commit_sha: refs.base, start_commit_sha: refs.start,
        created_at: '2024-05-01T11:00:00.000Z', merge_request_id: 50, state, real_size: String(diffs.length) };
      if (/\/versions(\?|$)/.test(target)) return json(200, [version]);
      return /\/versions\/\d+$/.test(target) ? json(200, { ...version, commits: [], diffs }) : undefined;
    };
    const files = { 'p.diff': '--- a/b\n+++ b/b\n@@ -1 +1 @@\n-a\n+b\n' };
    const missing = 'cannot read the diff of mr/1 as a whole: the service does not show it, and git has no copy\nfetch the commits';
    for (const parts of [{ state: 'overflow' }, { diffs: [shown, hidden] }]) {
      const answer = showing(parts);
      expect(await ranIn({ answer }, ...lines)).toMatchObject({ code: 1, out: 'a\t\t1\tadded\tx\n', err: expect.stringContaining(missing) as string });
      expect(await ranIn({ answer }, ...lines, 'b')).toMatchObject({ code: 1, err: expect.stringContaining('cannot read the diff of b') as string });
      expect(await ranIn({ answer }, ...lines, 'a')).toMatchObject({ code: 0, out: '\t1\tadded\tx\n' });
      const patched = await ranIn({ answer, files }, ...lines, '--diff', 'p.diff');
      expect(patched).toMatchObject({ code: 0, out: expect.stringContaining('b\t\t1\tadded\tb\n') as string });
    }
    expect(await ranIn({ answer: showing({}) }, ...lines)).toMatchObject({ code: 0 });
    expect(await ranIn({ answer: showing({}) }, ...lines, 'b')).toMatchObject({ code: 2, err: expect.stringContaining('b is not in the diff') as string });
  });

  it('keeps the indentation, with spaces in place of tabs', async () => {
    const diff = '@@ -0,0 +1,3 @@\n+if (a) {\n+  b("x  y");\n+\t\tc();  \n';
    const answer = ({ target }: { target: string }) => /\/versions\/\d+$/.test(target)
      ? json(200, { diffs: [{ old_path: 'a', new_path: 'a', diff, deleted_file: false }] }) : undefined;
    const shown = async (...words: string[]) => (await ranIn({ answer }, ...lines, 'a', ...words)).out;
    expect(await shown()).toBe('\t1\tadded\tif (a) {\n\t2\tadded\t  b("x  y");\n\t3\tadded\t        c();\n');
    expect(await shown('-o', 'table')).toContain('added    b("x  y");\n');
    expect(await shown('-o', 'csv', '--csv-safe')).toContain(',2,added,"  b(""x  y"");"\n,3,added,        c();\n');
    expect((await ranIn({ answer, terminal: true }, ...lines, 'a')).out).toContain('added    b("x  y");\n');
    expect(await shown('-q', '.[2].text')).toBe('\t\tc();  \n');
  });

  it('escapes control characters of the file', async () => {
    const answer = ({ target }: { target: string }) => /\/versions\/\d+$/.test(target) ? json(200, {
      diffs: [{ old_path: 'a', new_path: 'a', diff: '@@ -0,0 +1 @@\n+\u001b[31mred\n', deleted_file: false }] }) : undefined;
    expect((await ranIn({ answer, terminal: true }, ...lines, 'a')).out).not.toContain('\u001b[31m');
  });

  it('prints its help', async () => {
    expect((await ran('discussions', 'lines', '--help')).out).toContain('colloquy discussions lines mr/12 src/a.ts');
  });
});
