import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ended, newHome, root, served } from '../support/program.js';

/** The scripts in the recipes of docs/pipelines. */
const scripts = ['comments', 'gates'].flatMap((name) =>
  [...readFileSync(join(root, `docs/pipelines/${name}.md`), 'utf8').matchAll(/\n```sh\n(.*?)```\n/gs)].map(([, script]) => script!));
const recipe = (command: string): string => scripts.find((script) => script.includes(`colloquy ${command}`))!;
const [comment, threads] = [recipe('notes upsert'), recipe('discussions list --unresolved')];

/** A job of the pipeline of merge request 12, started from a fork or not. */
const job = async () => {
  const { home, env } = newHome();
  const { url } = await served([], env, home);
  const variables = {
    CI: 'true', GITLAB_CI: 'true', CI_PIPELINE_SOURCE: 'merge_request_event', CI_API_V4_URL: `${url}/api/v4`, CI_SERVER_URL: url,
    CI_PROJECT_ID: '9999', CI_MERGE_REQUEST_PROJECT_ID: '1', CI_MERGE_REQUEST_IID: '12', CI_JOB_TOKEN: 'glcbt-none', COLLOQUY_TOKEN: 'ada-token',
  };
  const runs = (script: string) => ended(spawn('bash', ['-euo', 'pipefail', '-c', script],
    { cwd: home, env: { ...env, ...variables }, stdio: ['ignore', 'pipe', 'pipe'] }));
  return { home, runs };
};

it('a comment is posted once and updated by every later run', async () => {
  const { home, runs } = await job();
  for (const report of ['three findings', 'one finding']) {
    writeFileSync(join(home, 'report.md'), `${report}\n`);
    expect(await runs(comment)).toMatchObject({ code: 0 });
  }
  const { out } = await runs('colloquy notes list --mine --match "^(three|one) finding" --json text -q ".[].text"');
  expect(out).toBe('one finding\n');
});

it('the threads of one author are resolved, and the job passes once no thread is open', async () => {
  const { home, runs } = await job();
  expect((await runs('colloquy discussions list --unresolved -q length')).out).toBe('4\n');
  expect(await runs('colloquy notes add --resolvable -m "Not by a bot." --quiet > /dev/null')).toEqual({ code: 0, out: '', err: '' });
  expect(await runs(threads)).toMatchObject({ code: 8, err: expect.stringContaining('1 unresolved thread on mr/12: 1 by ada') as string });
  expect(readFileSync(join(home, 'unresolved.csv'), 'utf8')).toMatch(/^thread,state,author,.*\n[0-9a-f]{40},open,ada,.*,Not by a bot\.\n$/);
  await runs('colloquy discussions list --unresolved -o id | xargs -n 1 colloquy discussions resolve');
  expect(await runs(threads)).toEqual({ code: 0, out: '', err: 'no unresolved threads on mr/12\n' });
});
