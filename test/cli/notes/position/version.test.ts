import { describe, expect, it } from 'vitest';
import type { Discussion } from '../../../../src/contract/shapes/note.js';
import type { HttpRequest, HttpResponse } from '../../../../src/wire/http.js';
import { json } from '../../../support/answers.js';
import { ranIn } from '../../../support/app.js';
import { create, shas, without } from '../../../support/positions.js';
import { testService } from '../../../support/service.js';
import { acme, refs } from '../../../support/worlds.js';

describe('the commits of a position', () => {
  const line = ['--file', 'app.js', '--line', '2'];
  const all = ['--base-sha', 'b1', '--start-sha', 's1', '--head-sha', 'h1'];
  const job = { CI_MERGE_REQUEST_IID: '1', CI_MERGE_REQUEST_DIFF_BASE_SHA: 'jb', CI_COMMIT_SHA: 'jc' };

  it('come from the flags first; a diff for other commits is not requested', async () => {
    const { position, sent } = await create([...line, ...all]);
    expect(position).toMatchObject({ base_sha: 'b1', start_sha: 's1', head_sha: 'h1', new_line: 2 });
    expect(sent.some(({ target }) => target.includes('/diffs'))).toBe(false);
  });

  it('may be named as git names them', async () => {
    const known = new Map([['HEAD', refs.head], ['aaaa', refs.base], ['main', refs.start]]);
    const git = { sha: async (revision: string) => known.get(revision) ?? null };
    const flags = ['--base-sha', 'aaaa', '--start-sha', 'main', '--head-sha', 'HEAD'];
    expect((await create([...line, ...flags], { git })).position).toMatchObject(shas);
    const { sent } = await create(['--commit-id', 'HEAD'], { git });
    expect(String(sent.find(({ method }) => method === 'POST')!.body)).toContain(`"commit_id":"${refs.head}"`);
  });

  it('come from the merge request if it has no versions', async () => {
    expect((await create(line, { answer: without(/versions$/) })).position).toMatchObject(shas);
  });

  it('come from the CI job if the service does not report them', async () => {
    const answer = without(/versions$/, /merge_requests\/1$/, /diffs$/);
    expect((await create(line, { answer, env: job })).position).toEqual({
      base_sha: 'jb', start_sha: 'jb', head_sha: 'jc', position_type: 'text', old_path: 'app.js', new_path: 'app.js', new_line: 2 });
    const merged = { ...job, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: 'source' };
    expect((await create(line, { answer, env: merged })).position).toMatchObject({ head_sha: 'source' });
  });

  it('must be given as flags if no source has them', async () => {
    const answer = without(/versions$/, /merge_requests\/1$/);
    const { exit, err } = await create(line, { answer, env: { ...job, CI_MERGE_REQUEST_IID: '2' } });
    expect(exit).toBe(2);
    expect(err).toContain('--base-sha, --start-sha and --head-sha');
  });

  it('of a commit are its parent and itself', async () => {
    const { exit, position } = await create(line, {}, `@${refs.commit}`);
    expect(position).toEqual({
      base_sha: refs.parent, start_sha: refs.parent, head_sha: refs.commit, position_type: 'text',
      old_path: 'app.js', new_path: 'app.js', new_line: 2 });
    expect(exit).toBe(0);
  });

  it('of a commit are sent with a line of its own diff: unchanged lines have both numbers, unknown lines are rejected', async () => {
    const at = (...flags: string[]) => create(flags, {}, `@${refs.commit}`);
    expect(await at('--file', 'app.js', '--line', '3')).toMatchObject({ exit: 0, position: { old_line: 3, new_line: 3 } });
    expect(await at('--file', 'app.js', '--line', '9')).toMatchObject({
      exit: 2, position: undefined, err: expect.stringContaining('line 9 of app.js is not in the diff') as string });
    expect(await at('--file', 'none.js', '--line', '1')).toMatchObject({
      exit: 2, position: undefined, err: expect.stringContaining(`none.js is not in the diff of commit/${refs.commit}`) as string });
    expect(await at('--file', 'app.js', '--line', '1:2')).toMatchObject({
      exit: 2, position: undefined, err: expect.stringContaining('only notes on merge requests can span several lines') as string });
  });

  it('of a commit are sent with the line unchanged if the service does not provide the diff', async () => {
    expect((await create(line, { answer: without(/\/diff$/) }, `@${refs.commit}`)).position).toMatchObject({ new_path: 'app.js', new_line: 2 });
  });

  it('of the commit that --commit-id names are those of its own diff, also for several lines and in a job', async () => {
    const app = acme.projects![0]!;
    const diff = 'diff --git a/app.js b/app.js\n--- a/app.js\n+++ b/app.js\n@@ -5,2 +5,3 @@\n five\n+sechs\n seven\n';
    const commits = [{ sha: refs.commit, parent_sha: refs.base, title: 'First', diff }, { sha: refs.head, parent_sha: refs.commit, title: 'Second' }];
    const service = await testService({ world: { ...acme, projects: [{ ...app, commits }] } });
    for (const env of [{}, { ...job, CI_COMMIT_SHA: refs.head }]) {
      const at = (...flags: string[]) => create([...flags, '--commit-id', refs.commit], { service, env });
      expect(await at('--file', 'app.js:6')).toMatchObject({ exit: 0, position: {
        base_sha: refs.base, start_sha: refs.base, head_sha: refs.commit, old_path: 'app.js', new_path: 'app.js', new_line: 6 } });
      expect(await at('--file', 'app.js:5-6')).toMatchObject({ exit: 0, position: { head_sha: refs.commit, line_range: { end: { type: 'new' } } } });
      expect(await at('--file', 'app.js')).toMatchObject({ exit: 0, position: { head_sha: refs.commit, position_type: 'file' } });
      expect(await at('--file', 'app.js:2')).toMatchObject({ exit: 2, err: expect.stringContaining('line 2 of app.js is not in the diff') as string });
      expect(await at('--file', 'new.txt:2')).toMatchObject({
        exit: 2, err: expect.stringContaining(`new.txt is not in the diff of commit/${refs.commit}`) as string });
    }
  });

  it('are sent with the line unchanged if the service provides no diff; several lines are rejected', async () => {
    const answer = without(/diffs$/, /versions\/\d+$/);
    expect((await create(['--file', 'app.js', '--line', 'old:2'], { answer })).position).toMatchObject({ old_line: 2 });
    expect(await create(['--file', 'app.js', '--line', '1:2'], { answer })).toMatchObject({ exit: 2, position: undefined });
  });

  describe('of a merge request that was just opened', () => {
    /** Prepared after this many reads of its versions. */
    const opened = (reads: number) => {
      let count = 0;
      return async (...flags: string[]) => {
        const service = await testService({ dialect: 'live' });
        const isPrepared = () => count > reads;
        const answer = (request: HttpRequest): HttpResponse | Promise<HttpResponse> | undefined => {
          if (/\/versions(\?|$)/.test(request.target) && ++count <= reads) return json(200, []);
          if (!/\/merge_requests\/1(\?|$)/.test(request.target) || isPrepared()) return undefined;
          return service.handle(request).then((response) =>
            ({ ...response, body: JSON.stringify({ ...JSON.parse(String(response.body)) as object, diff_refs: null }) }));
        };
        const { code, err, out } = await ranIn({ service, answer }, 'discussions', 'create', '!1', '-m', 'x', '--json', ...line, ...flags);
        const [note] = code === 0 ? (JSON.parse(out) as Discussion).notes : [];
        return { code, err, type: note?.type };
      };
    };

    it('are waited for a few seconds', async () => {
      expect(await opened(2)()).toMatchObject({ code: 0, type: 'DiffNote' });
    });

    it('are not waited for where threads are only shown', async () => {
      const asleep: number[] = [];
      const shown = await ranIn({ service: await testService({ dialect: 'live' }), asleep: (count) => asleep.push(count) }, 'discussions', 'view', '!2');
      expect([shown.code, asleep]).toEqual([0, []]);
    });

    it('end the command with 10 if they do not come, and a general comment does not need them', async () => {
      expect(await opened(99)()).toMatchObject({ code: 10, err: expect.stringContaining('the diff of mr/1 is still being prepared"') as string });
      expect(await opened(99)('--if-unanchored', 'general')).toMatchObject({
        code: 0, type: 'DiscussionNote', err: expect.stringContaining('is still being prepared; commenting without a position') as string });
      expect(await opened(99)(...all, '--if-unanchored', 'general')).toMatchObject({ code: 0 });
    });
  });
});
