/**
 * `discussions view`: of the demo merge request, until its first screen is written and until it ends, compared with
 * an empty Node.js program; of a merge request with 200 files and 500 threads, compared with `discussions list` of it,
 * with the peak memory of each. Argument: rounds, default 11.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';
import { interleaved, median, report } from './rounds.mjs';

const rounds = Number(process.argv[2] ?? 11);
const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const shas = { base_sha: 'a'.repeat(40), start_sha: 'a'.repeat(40), head_sha: 'b'.repeat(40) };
const files = Array.from({ length: 200 }, (_, i) => `src/file${i}.ts`);
const diff = files.map((path) => [
  `--- a/${path}`, `+++ b/${path}`, '@@ -1,20 +1,40 @@',
  ...Array.from({ length: 20 }, (_, i) => ` const line${i} = ${i};`),
  ...Array.from({ length: 20 }, (_, i) => `+const added${i} = ${i};`), '',
].join('\n')).join('');
const threads = Array.from({ length: 500 }, (_, i) => {
  const [path, line] = [files[i % files.length], 21 + i % 20];
  return { notes: [
    { author: 'bob', body: `Why **this** value?\n\nThread ${i}.`,
      position: { ...shas, position_type: 'text', old_path: path, new_path: path, new_line: line } },
    { author: 'ada', body: 'Because.' },
  ] };
});
const world = join(folder, 'world.json');
writeFileSync(world, JSON.stringify({
  users: [{ username: 'ada', token: 'token' }, { username: 'bob' }],
  projects: [{ path: 'acme/app', members: { ada: 'developer', bob: 'developer' },
    merge_requests: [{ iid: 1, title: 'Large', author: 'bob', ...shas, diff, discussions: threads }] }],
}));
const demo = await started(bin, 'serve', '--dialect', 'live');
const large = await started(bin, 'serve', '--world', world, '--dialect', 'live');

/** Runs the program and prints the peak memory of its process to stderr. */
const measured = `
  process.on('exit', () => process.stderr.write(\`\\nmost held: \${process.resourceUsage().maxRSS}\`));
  process.argv.splice(1, 0, ${JSON.stringify(bin)});
  require(${JSON.stringify(bin)});`;

const env = { PATH: process.env.PATH, COLLOQUY_CONFIG_DIR: folder, XDG_STATE_HOME: folder };
const run = (args, own = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env: { ...env, ...own }, maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${args.slice(1).join(' ')} ended with ${status}: ${stderr}`);
  return { out: stdout.toString(), megabytes: Number(/most held: (\d+)/.exec(stderr)?.[1]) / 1024 };
};
/** Until the first output; what is returned waits for the end. */
const firstScreen = (args, own) => async () => {
  const child = spawn(process.execPath, args, { env: { ...env, ...own }, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  child.stdout.resume();
  return async () => {
    const [status] = await ended;
    if (status !== 0) throw new Error(`${args.slice(1).join(' ')} ended with ${status}`);
  };
};
const ofDemo = { COLLOQUY_URL: demo.line, COLLOQUY_TOKEN: 'ada-token', COLLOQUY_PROJECT: 'acme/app' };
const ofLarge = { COLLOQUY_URL: large.line, COLLOQUY_TOKEN: 'token', COLLOQUY_PROJECT: 'acme/app' };

report('The merge request of the demo world', await interleaved({
  'node -e 0': () => { run(['-e', '0']); },
  'discussions view, first screen': firstScreen([bin, 'discussions', 'view', 'mr/12'], ofDemo),
  'discussions view': () => { run([bin, 'discussions', 'view', 'mr/12'], ofDemo); },
  'discussions list': () => { run([bin, 'discussions', 'list', 'mr/12'], ofDemo); },
}, rounds));

const memory = { list: [], view: [] };
const ofAll = (verb, ...words) => () => {
  const { out, megabytes } = run(['-e', measured, '--', 'discussions', verb, 'mr/1', ...words], ofLarge);
  memory[verb].push(megabytes);
  if (!out.includes('Why **this** value?')) throw new Error('threads are missing');
};
report('A merge request of 200 files and 500 threads', await interleaved({
  'discussions list --all': ofAll('list', '--all'), 'discussions view': ofAll('view'),
}, rounds));
for (const [verb, megabytes] of Object.entries(memory)) {
  console.log(`  discussions ${verb}: ${median(megabytes).toFixed(0)} MB`);
}

await demo.stop();
await large.stop();
rmSync(folder, { recursive: true });
