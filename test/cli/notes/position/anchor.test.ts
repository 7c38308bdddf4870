import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import type { HttpRequest } from '../../../../src/wire/http.js';
import { ranIn, testApp } from '../../../support/app.js';
import { editedFiles, patchOf, type EditedFile, type EditedLine } from '../../../support/edits.js';
import { runsOf } from '../../../support/extent.js';
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
        const line = file.lines.find((one) => number(one) === wanted);
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
    }), { numRuns: runsOf(12) });
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
diff --git a/link.js b/link.js
deleted file mode 100644
--- a/link.js
+++ /dev/null
@@ -1,2 +0,0 @@
-l1
-l2
diff --git a/link.js b/link.js
new file mode 120000
--- /dev/null
+++ b/link.js
@@ -0,0 +1 @@
+app.js
\\ No newline at end of file
`;

  it.each([
    ['an added line', 'app.js:2', { old_line: null, new_line: 2 }],
    ['a removed line', 'app.js:old:2', { old_line: 2, new_line: null }],
    ['an unchanged line', 'app.js:3', { old_line: 3, new_line: 3 }],
    ['a line of a renamed file', 'new.txt:3', { old_path: 'old.txt', new_path: 'new.txt', old_line: 2, new_line: 3 }],
    ['a line of a new file', 'new.js:1', { old_line: null, new_line: 1 }],
    ['a line of a deleted file', 'gone.js:old:2', { old_line: 2, new_line: null }],
    ['a line of a deleted file, without its side', 'gone.js:2', { old_line: 2, new_line: null }],
    ['a removed line of a file that became a link', 'link.js:old:1', { old_line: 1, new_line: null }],
    ['an added line of a file that became a link', 'link.js:1', { old_line: null, new_line: 1 }],
    ['an added line of a file that became a link, with its side', 'link.js:new:1', { old_line: null, new_line: 1 }],
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

  it('a new line of a deleted file is rejected before anything is sent', async () => {
    const { code, err, sent } = await ranIn({ service: await serviceWith(patch) }, ...create('--file', 'gone.js', '--line', 'new:2'));
    expect([code, err, posts(sent)]).toEqual([2, expect.stringContaining('line 2 of gone.js is not in the diff","hint":'
      + '"comment on the whole file with --file gone.js, or pass --if-unanchored general"'), []]);
  });

  it('findings on a file that became a link are on its added line', async () => {
    const files = { 'r.txt': 'link.js:1: error: bad link\ngone.js:1: error: gone\n' };
    const { code, out } = await ranIn({ service: await serviceWith(patch), files },
      'notes', 'post', '!1', '--from', 'lines', '--key', 'k', '--json', 'r.txt');
    expect([code, JSON.parse(out)]).toMatchObject([0, { created: [{ file: 'link.js' }], skipped: [{ reason: 'line 1 of gone.js is not in the diff' }] }]);
  });

  describe('lines of two hunks', () => {
    const twoHunks = `diff --git a/long.js b/long.js
--- a/long.js
+++ b/long.js
@@ -1,2 +1,3 @@
 one
+two
 three
@@ -20,2 +21,3 @@
 twenty
+more
 last
`;
    const run = async (...flags: string[]) => ranIn({ service: await serviceWith(twoHunks) }, ...create('--file', 'long.js', ...flags));

    it('is rejected with the ranges of the hunks, and nothing is sent', async () => {
      const { code, err, sent } = await run('--line', '2-22');
      expect({ code, posts: posts(sent) }).toEqual({ code: 2, posts: [] });
      expect(JSON.parse(err)).toMatchObject({ error: {
        message: 'lines 2-22 of long.js are not in one hunk of the diff', hint: 'choose lines of one of the nearest hunks: 1-3, 21-23' } });
      expect((await run('--line', 'old:1-20')).err).toContain('lines old:1-20 of long.js are not in one hunk');
    });

    it('is on the lines of the last hunk with --if-unanchored nearest', async () => {
      const { code, out, err } = await run('--line', '2-22', '--if-unanchored', 'nearest');
      expect(code).toBe(0);
      expect(err).toContain('commenting on lines 21 to 22\n');
      expect(firstNote(out).position).toMatchObject({ new_line: 22, line_range: { start: { line_code: expect.stringMatching(/_20_21$/) as string } } });
    });

    it('is accepted within one of them', async () => {
      expect((await run('--line', '21-23')).code).toBe(0);
    });
  });
});
