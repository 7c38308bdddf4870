import { describe, expect, it } from 'vitest';
import type { FileDiff } from '../../../../src/contract/lookups/shapes.js';
import type { Discussion, Note } from '../../../../src/contract/shapes/note.js';
import { bodyText, type HttpRequest, type HttpResponse } from '../../../../src/wire/http.js';
import { json, unknownRoute } from '../../../support/answers.js';
import { ranIn, type WorldOptions } from '../../../support/app.js';
import { everyRow } from '../../../support/rows.js';
import { testService } from '../../../support/service.js';
import { diff, refs, threads } from '../../../support/worlds.js';

const create = (...flags: string[]) => ['discussions', 'create', '!1', '-m', 'text', '--json', ...flags];
const firstNote = (out: string) => (JSON.parse(out) as Discussion).notes[0] as Note & { position: object };
const posts = (sent: readonly HttpRequest[]) => sent.filter(({ method }) => method === 'POST');

describe('the diff of a position', () => {
  const version = (change: Partial<FileDiff>): FileDiff => ({
    old_path: 'app.js', new_path: 'app.js', a_mode: '100644', b_mode: '100644', diff: '', new_file: false, renamed_file: false,
    deleted_file: false, ...change });
  /** The service leaves out the diff of app.js. */
  const leavingOut = (file: FileDiff, state = 'collected') => ({ target }: HttpRequest): HttpResponse | undefined => {
    const listed = { id: 50, head_commit_sha: refs.head, base_commit_sha: refs.base, start_commit_sha: refs.start,
      created_at: '2024-05-01T11:00:00.000Z', merge_request_id: 50, state, real_size: '1' };
    if (/\/versions(\?|$)/.test(target)) return json(200, [listed]);
    return /\/versions\/\d+$/.test(target) ? json(200, { ...listed, commits: [], diffs: [file] }) : undefined;
  };
  const hunk = '@@ -1,4 +1,4 @@\n one\n-two\n+zwei\n three\n four\n';

  it.each([
    ['collapsed', version({ collapsed: true, too_large: false })],
    ['too large', version({ collapsed: false, too_large: true })],
    ['left out by a service that does not say why', version({})],
  ])('comes from git for a file that is %s', async (_, file) => {
    const asked: unknown[] = [];
    const git = { diff: async (...words: unknown[]) => { asked.push(words); return diff; } };
    const at = (line: string) => ranIn({ answer: leavingOut(file), git }, ...create('--file', 'app.js', '--line', line));
    expect(firstNote((await at('3')).out).position).toMatchObject({ old_line: 3, new_line: 3 });
    expect(await at('9')).toMatchObject({ code: 2, err: expect.stringContaining('choose one of the nearest lines: 1-4') as string });
    expect(asked[0]).toEqual([refs.base, refs.head, ['app.js']]);
  });

  it('is left out if it is not a text, and no command fails for that reason', async () => {
    const service = await testService();
    const odd = (value: unknown) => async (request: HttpRequest) => {
      const response = await service.handle(request);
      if (!/\/(versions\/\d+|diffs?)(\?|$)/.test(request.target)) return response;
      const change = (file: object) => ({ ...file, diff: value });
      const body = JSON.parse(bodyText(response.body)) as object[] | { readonly diffs: object[] };
      return json(200, Array.isArray(body) ? body.map(change) : { ...body, diffs: body.diffs.map(change) });
    };
    const commands = [
      'discussions lines !1 app.js', `discussions lines @${refs.commit} app.js`, 'discussions view !1', 'discussions list !1 -o quickfix',
      `discussions get !1 ${threads.diff}`, 'discussions suggestions !1', 'notes post !1 --from lines r.txt --key k --dry-run',
      'discussions create !1 -m text --file app.js --line 2 --dry-run',
    ].map((line) => line.split(' '));
    const rows = [null, undefined, 5, {}].flatMap((value) => commands.map((words) => ({ value, words })));
    await everyRow(rows, ({ value, words }) => `${JSON.stringify(value)} ${words.join(' ')}`, async ({ value, words }) => {
      const files = { 'r.txt': 'app.js:2: error: x\n' };
      const { code, err } = await ranIn({ service, answer: odd(value), terminal: words[1] === 'view', files }, ...words);
      expect({ code, err }).toMatchObject({
        code: expect.toBeOneOf([0, 1, 2, 8]) as number, err: expect.not.stringMatching(/TypeError|not a function|Cannot read/) as string });
    });
  });

  it('is not known for a collapsed file without git: the line is sent unchanged, and the service decides', async () => {
    const file = version({ collapsed: true });
    expect(await ranIn({ answer: leavingOut(file) }, ...create('--file', 'app.js', '--line', '2'))).toMatchObject({ code: 0 });
    const denied = await ranIn({ answer: leavingOut(file) }, ...create('--file', 'app.js', '--line', '9'));
    expect(denied.code).toBe(7);
    expect(posts(denied.sent)).toHaveLength(1);
  });

  it('lacks files beyond the limits of the service: git has them, else the service decides', async () => {
    const answer = leavingOut(version({ diff: hunk }), 'overflow');
    const at = (line: string, options: WorldOptions = {}) => ranIn({ answer, ...options }, ...create('--file', 'new.txt', '--line', line));
    const git = { diff: async () => diff };
    expect(firstNote((await at('3', { git })).out).position).toMatchObject({ old_path: 'old.txt', old_line: 2, new_line: 3 });
    expect(await at('9', { git })).toMatchObject({ code: 2, err: expect.stringContaining('choose one of the nearest lines: 1-3') as string });
    expect(posts((await at('2')).sent)).toHaveLength(1);
    expect((await ranIn({ answer: leavingOut(version({ diff: hunk })) }, ...create('--file', 'new.txt', '--line', '2'))).err)
      .toContain('new.txt is not in the diff of mr/1');
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
    const git = { diff: async () => diff };
    const env = { CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_DIFF_BASE_SHA: refs.base, CI_COMMIT_SHA: refs.head };
    const at = (line: string) => ranIn({ answer, git, env }, ...create('--file', 'new.txt', '--line', line));
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
