/**
 * The inbox of 20 merge requests with a thread each, compared with `discussions list` of one after the other, and with
 * their requests alone. The service delays each response by 20 ms. Argument: rounds, default 3.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClient } from '../dist/lib/index.js';
import { started } from './child.mjs';
import { interleaved, report } from './rounds.mjs';

const rounds = Number(process.argv[2] ?? 3);
const iids = Array.from({ length: 20 }, (_, i) => i + 1);
const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const world = join(folder, 'world.json');
writeFileSync(world, JSON.stringify({
  users: [{ id: 1, username: 'ada', token: 'token' }, { id: 2, username: 'bob' }],
  projects: [{
    path: 'acme/app', members: { ada: 'developer', bob: 'developer' }, merge_requests: iids.map((iid) => ({
      iid, title: `Change ${iid}`, author: 'bob', reviewers: ['ada'],
      discussions: [{ notes: [{ author: 'ada', body: 'why?' }, { author: 'bob', body: 'because' }] }],
    })),
  }],
}));
const service = await started(bin, 'serve', '--latency', '20', '--world', world, '--dialect', 'live');

const env = {
  PATH: process.env.PATH, COLLOQUY_URL: service.line, COLLOQUY_TOKEN: 'token', COLLOQUY_CONFIG_DIR: folder,
  XDG_STATE_HOME: folder,
};
const program = (...words) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, 'discussions', ...words, '-o', 'id'], { env });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
  return stdout.toString().trim().split('\n').length;
};
const client = createClient({ url: service.line, token: 'token' });

report('The inbox of 20 merge requests, 20 ms before each response', await interleaved({
  'discussions list, one after the other': () => {
    for (const iid of iids) program('list', `mr/${iid}`, '-p', 'acme/app');
  },
  'discussions inbox': () => {
    if (program('inbox') !== iids.length) throw new Error('merge requests are missing');
  },
  'the requests alone, one after the other': async () => {
    for (const iid of iids) {
      await client.discussions.merge_request.list({ id: 'acme/app', noteable_id: String(iid) }).all();
    }
  },
}, rounds));
await service.stop();
rmSync(folder, { recursive: true });
