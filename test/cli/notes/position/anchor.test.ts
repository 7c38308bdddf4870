import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import type { FileDiff } from '../../../../src/contract/lookups/shapes.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { ranIn, testApp } from '../../../support/app.js';
import { editedFiles, patchOf, type EditedFile, type EditedLine } from '../../../support/edits.js';
import { testService } from '../../../support/service.js';
import { acme, diff, refs } from '../../../support/worlds.js';

const shas = { base_sha: refs.base, start_sha: refs.start, head_sha: refs.head };
const create = (...flags: string[]) => ['discussions', 'create', '!1', '-m', 'text', '--json', ...flags];
const firstNote = (out: string) => (JSON.parse(out) as Discussion).notes[0] as Note & { position: object };
const posts = (sent: readonly HttpRequest[]) => sent.filter(({ method }) => method === 'POST');
const serviceWith = (patch: string) => testService({
  world: { ...acme, projects: [{ id: 20, path: 'acme/app', visibility: 'private', merge_requests: [
    { id: 50, iid: 1, title: 'Change', author: 'developer', ...shas, diff: patch }] }] },
});

describe('every line of a diff', () => {
  interface Pair { readonly old_line: number | null; readonly new_line: number | null }

  /** Every line that can be named, some beyond the file, with the numbers that a note on it must have. */
  const placesIn = (file: EditedFile): { readonly path: string; readonly line: string; readonly pair: Pair | null }[] =>
    (['old', 'new'] as const).flatMap((side) => {
      const path = side === 'old' ? file.oldPath : file.newPath;
      const number = ({ oldLine, newLine }: EditedLine) => side === 'old' ? oldLine : newLine;
      return Array.from({ length: file.lines.length + 2 }, (_, i) => i + 1).map((wanted) => {
        const line = file.lines.find((one) => number(one) === wanted)
          ?? (file.change === 'deleted' ? file.lines.find(({ oldLine }) => oldLine === wanted) : undefined);
        return { path, line: `${side}:${wanted}`, pair: line?.isInHunk ? { old_line: line.oldLine, new_line: line.newLine } : null };
      });
    });

  it('gets a note with the expected line numbers, and every other line is rejected before anything is sent', async () => {
    await fc.assert(fc.asyncProperty(editedFiles, async (files) => {
      const service = await serviceWith(patchOf(files));
      const world = await testApp({ service });
      const expected: unknown[] = [];
      for (const { path, line, pair } of files.flatMap(placesIn)) {
        const { code, sent, err } = await world.run(...create('--file', path, '--line', line));
        if (pair) expected.push({ type: 'DiffNote', ...pair });
        expect({ path, line, code, posts: posts(sent).length, err: pair ? '' : err })
          .toEqual({ path, line, code: pair ? 0 : 2, posts: pair ? 1 : 0, err: pair ? '' : expect.stringContaining('is not in the diff') as string });
      }
      const stored = await world.run('discussions', 'list', '!1', '--json', '--all');
      const found = (JSON.parse(stored.out) as Discussion[]).map(({ notes: [note] }) => {
        const { old_line = null, new_line = null } = note!.position as Partial<Pair>;
        return { type: note!.type, old_line, new_line };
      });
      expect(found).toEqual(expected);
      await service.close();
    }), { numRuns: 12 });
  }, 60_000);
});

describe('a comment on', () => {
  const patch = `${diff}diff --git a/new.js b/new.js
new file mode 100644
--- /dev/null
+++ b/new.js
@@ -0,0 +1,2 @@
+n1
+n2
diff --git a/gone.js b/gone.js
deleted file mode 100644
--- a/gone.js
+++ /dev/null
@@ -1,2 +0,0 @@
-g1
-g2
`;

  it.each([
    ['an added line', 'app.js:2', { old_line: null, new_line: 2 }],
    ['a removed line', 'app.js:old:2', { old_line: 2, new_line: null }],
    ['an unchanged line', 'app.js:3', { old_line: 3, new_line: 3 }],
    ['a line of a renamed file', 'new.txt:3', { old_path: 'old.txt', new_path: 'new.txt', old_line: 2, new_line: 3 }],
    ['a line of a new file', 'new.js:1', { old_line: null, new_line: 1 }],
    ['a line of a deleted file', 'gone.js:old:2', { old_line: 2, new_line: null }],
    ['a line of a deleted file, without its side', 'gone.js:2', { old_line: 2, new_line: null }],
    ['a range across unchanged and added lines', 'app.js:1-4', { old_line: 4, new_line: 4,
      line_range: { start: { line_code: expect.stringMatching(/_1_1$/) as string, type: 'old' },
        end: { line_code: expect.stringMatching(/_4_4$/) as string, type: 'old' } } }],
    ['a range across added lines', 'new.js:1-2', { old_line: null, new_line: 2,
      line_range: { start: { type: 'new' }, end: { type: 'new' } } }],
  ])('%s is a diff note with the expected lines', async (_, file, position) => {
    const { code, out } = await ranIn({ service: await serviceWith(patch) }, ...create('--file', file));
    expect(code).toBe(0);
    const { type, position: stored } = firstNote(out);
    expect({ type, position: { old_line: null, new_line: null, ...stored } })
      .toMatchObject({ type: 'DiffNote', position: { ...shas, position_type: 'text', ...position } });
  });
});

describe('the diff of a position', () => {
  const version = (change: Partial<FileDiff>): FileDiff => ({
    old_path: 'app.js', new_path: 'app.js', a_mode: '100644', b_mode: '100644', diff: '', new_file: false, renamed_file: false,
    deleted_file: false, ...change });
  /** The service leaves out the diff of app.js. */
  const leavingOut = (file: FileDiff) => ({ target }: HttpRequest): HttpResponse | undefined => /\/versions\/\d+$/.test(target)
    ? json(200, { id: 50, head_commit_sha: refs.head, base_commit_sha: refs.base, start_commit_sha: refs.start,
      created_at: '2024-05-01T11:00:00.000Z', merge_request_id: 50, state: 'collected', real_size: '1', commits: [], diffs: [file] })
    : undefined;
  const hunk = '@@ -1,4 +1,4 @@\n one\n-two\n+zwei\n three\n four\n';

  it.each([
    ['collapsed', version({ collapsed: true, too_large: false })],
    ['too large', version({ collapsed: false, too_large: true })],
    ['left out by a service that does not say why', version({})],
  ])('comes from git for a file that is %s', async (_, file) => {
    const asked: unknown[] = [];
    const tools = { gitDiff: async (...words: unknown[]) => { asked.push(words); return diff; } };
    const at = (line: string) => ranIn({ answer: leavingOut(file), tools }, ...create('--file', 'app.js', '--line', line));
    expect(firstNote((await at('3')).out).position).toMatchObject({ old_line: 3, new_line: 3 });
    expect(await at('9')).toMatchObject({ code: 2, err: expect.stringContaining('choose one of the nearest lines: 1-4') as string });
    expect(asked[0]).toEqual([refs.base, refs.head, ['app.js']]);
  });

  it('is not known for a collapsed file without git: the line is sent unchanged, and the service decides', async () => {
    const file = version({ collapsed: true });
    expect(await ranIn({ answer: leavingOut(file) }, ...create('--file', 'app.js', '--line', '2'))).toMatchObject({ code: 0 });
    const denied = await ranIn({ answer: leavingOut(file) }, ...create('--file', 'app.js', '--line', '9'));
    expect(denied.code).toBe(7);
    expect(posts(denied.sent)).toHaveLength(1);
  });

  it('comes from --diff if neither the service nor git has it', async () => {
    const patched = (line: string, file: FileDiff = version({ collapsed: true })) => ranIn(
      { answer: leavingOut(file), files: { 'p.diff': `--- a/app.js\n+++ b/app.js\n${hunk}` } },
      ...create('--file', 'app.js', '--line', line, '--diff', 'p.diff'));
    expect(firstNote((await patched('3')).out).position).toMatchObject({ old_line: 3, new_line: 3 });
    expect(await patched('9')).toMatchObject({ code: 2, sent: expect.not.arrayContaining([expect.objectContaining({ method: 'POST' })]) as unknown });
    const other = version({ diff: '@@ -9 +9 @@\n-a\n+b\n', collapsed: false, too_large: false });
    expect((await patched('3', other)).err).toContain('choose one of the nearest lines: 9');
  });

  it('comes from git for a service without diffs and versions', async () => {
    const answer = ({ target }: HttpRequest) => /\/(versions|diffs|merge_requests\/1)(\?|$)/.test(target) ? unknownRoute : undefined;
    const tools = { gitDiff: async () => diff };
    const env = { CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_DIFF_BASE_SHA: refs.base, CI_COMMIT_SHA: refs.head };
    const at = (line: string) => ranIn({ answer, tools, env }, ...create('--file', 'new.txt', '--line', line));
    expect(posts((await at('3')).sent).map(({ body }) => JSON.parse(String(body)) as unknown))
      .toMatchObject([{ position: { base_sha: refs.base, head_sha: refs.head, old_path: 'old.txt', old_line: 2, new_line: 3 } }]);
    expect(await at('4')).toMatchObject({ code: 2, err: expect.stringContaining('choose one of the nearest lines: 1-3') as string });
  });

  it('is the version whose head is the commit of the job', async () => {
    const other = 'f'.repeat(40);
    const listed = [other, refs.head].map((head, i) => ({ id: 60 - i, head_commit_sha: head, base_commit_sha: refs.base,
      start_commit_sha: refs.start, created_at: '2024-05-01T11:00:00.000Z', merge_request_id: 50, state: 'collected', real_size: '1' }));
    const answer = ({ target }: HttpRequest): HttpResponse | undefined => {
      if (/\/versions(\?|$)/.test(target)) return json(200, listed);
      const id = /\/versions\/(\d+)$/.exec(target)?.[1];
      return id === undefined ? undefined : json(200, { ...listed[60 - Number(id)], commits: [],
        diffs: [version({ diff: id === '60' ? '@@ -7 +7 @@\n-a\n+b\n' : hunk, collapsed: false, too_large: false })] });
    };
    const job = { CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_DIFF_BASE_SHA: refs.base, CI_COMMIT_SHA: refs.head };
    expect(firstNote((await ranIn({ answer, env: job }, ...create('--file', 'app.js:2'))).out).position).toMatchObject({ head_sha: refs.head, new_line: 2 });
    expect(firstNote((await ranIn({ answer }, ...create('--file', 'app.js:2', '--head-sha', refs.head))).out).position).toMatchObject({ head_sha: refs.head });
    expect(await ranIn({ answer }, ...create('--file', 'app.js:2'))).toMatchObject({
      code: 2, err: expect.stringContaining('choose one of the nearest lines: 7') as string });
    const elsewhere = { ...job, CI_PROJECT_PATH: 'acme/other' };
    expect((await ranIn({ answer, env: elsewhere }, ...create('--file', 'app.js:2'))).err).toContain('choose one of the nearest lines: 7');
  });
});

it('rejects an image that is not in the diff', async () => {
  expect(await ranIn({}, ...create('--file', 'none.png', '--image-at', '1,2', '--image-size', '3x4'))).toMatchObject({
    code: 2, err: expect.stringContaining('none.png is not in the diff of mr/1') as string });
});
