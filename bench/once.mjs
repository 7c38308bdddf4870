/**
 * Creates comments, threads and replies while 30 % of all requests fail at random, and counts notes that are lost or
 * doubled and calls that failed: with the library, with command lines, and with programs, imports and reports that are
 * killed and started again. The failures come from the server's own faults and from an independent proxy. Then measures
 * what markers cost when nothing fails. Exits with 1 if a note is lost or doubled, or if a call fails.
 *
 *   node bench/once.mjs [notes] [seeds] [speed,library,commands,killed-commands,killed-program,import,post]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient, defaultRetry } from '../dist/lib/index.js';
import { started } from './child.mjs';
import { loadTypeScript } from '../scripts/load-typescript.mjs';

const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const token = 'root-token';
const issue = { id: 'acme/app', noteable_id: 7 };
const retry = { ...defaultRetry, retries: 10, totalWait: 600_000, serverErrors: true };
const actions = [
  'status 500', 'status 500 after', 'status 502 after', 'status 503', 'status 504', 'status 504 after', 'reset',
  'reset after', 'truncate', 'garble', 'html', 'late 1500', 'stale',
];

const threadFor = async (url) => {
  const client = createClient({ url, token });
  return (await client.discussions.issue.create({ ...issue, body: 'start' })).id;
};

/** Runs work on each number, so many at once. */
const each = async (count, atOnce, work) => {
  let next = 0;
  const worker = async () => { while (next < count) await work(next++); };
  await Promise.all(Array.from({ length: atOnce }, worker));
};

const createNote = (client, thread, index, options) => {
  const body = `note ${index}`;
  if (index % 3 === 0) return client.notes.issue.create({ ...issue, body }, options);
  if (index % 3 === 1) return client.discussions.issue.create({ ...issue, body }, options);
  return client.discussions.issue.addNote({ ...issue, discussion_id: thread, body }, options);
};

/** Creates notes with keys; this program runs it in a process of its own, which is killed. */
if (process.argv[2] === '--keyed') {
  const [url, thread, notes] = process.argv.slice(3);
  const client = createClient({ url, token, retry });
  await each(Number(notes), 32, (index) => createNote(client, thread, index, { key: `note ${index}` }));
  process.exit(0);
}

const notes = Number(process.argv[2] ?? 1_000);
const seeds = Number(process.argv[3] ?? 5);
const chosen = process.argv[4]?.split(',');
const { unreliableProxy, seeded } = await loadTypeScript('test/support/unreliable-proxy.ts');
let problems = 0;

const count = async (url, expected) => {
  const threads = await createClient({ url, token }).discussions.issue.list(issue).all();
  const counts = new Map();
  for (const { body } of threads.flatMap((thread) => thread.notes)) {
    const [, index] = /^(?:.* )?note (\d+)$/m.exec(body) ?? [];
    if (index !== undefined) counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  const doubled = [...counts.values()].filter((times) => times > 1).length;
  return { lost: expected - counts.size, doubled };
};

/** An isolated world with failing requests: the address for clients, and one without failures. */
const failing = async (server, name, seed) => {
  const world = `${server}/w/${name}`;
  const thread = await threadFor(world);
  if (name.startsWith('proxy')) {
    const proxy = await unreliableProxy(world, 0.3, seed);
    return { url: proxy.url, world, thread, end: proxy.close };
  }
  const rules = actions.map((action) => ({ on: '*', do: action, probability: 0.3 / actions.length }));
  await fetch(`${world}/-/faults`, { method: 'PUT', body: JSON.stringify({ seed, rules }) });
  const end = async () => {
    await pause(2_000);
    await fetch(`${world}/-/faults`, { method: 'DELETE' });
  };
  return { url: world, world, thread, end };
};

const report = async (title, seed, { world, end }, expected, failed, start) => {
  await end();
  const { lost, doubled } = await count(world, expected);
  problems += lost + doubled + failed;
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const outcome = `${expected} notes  ${lost} lost  ${doubled} doubled  ${failed} failed`;
  console.log(`${title.padEnd(26)} seed ${seed}  ${outcome}  ${seconds} s`);
};

const library = async (server, kind, seed) => {
  const place = await failing(server, `${kind}-library-${seed}`, seed);
  const start = performance.now();
  const client = createClient({ url: place.url, token, once: 'marker', retry });
  let failed = 0;
  await each(notes, 64, (index) => createNote(client, place.thread, index).catch((error) => {
    failed++;
    console.error(String(error));
  }));
  await report(`library, ${kind}`, seed, place, notes, failed, start);
};

const env = (url) => ({
  PATH: process.env.PATH, HOME: process.env.HOME, XDG_STATE_HOME: '/nonexistent', CI: 'true',
  COLLOQUY_URL: url, COLLOQUY_TOKEN: token, COLLOQUY_PROJECT: 'acme/app',
});

const creates = [['notes', 'add'], ['discussions', 'create'], ['discussions', 'reply']];

const words = (thread, index) => [
  ...creates[index % 3], 'issue/7', ...index % 3 === 2 ? [thread] : [],
  '-m', `note ${index}`, '--retries', '10', '--quiet', '-o', 'id',
];

/** Outside the work tree, where reported files would have to exist. */
const spawned = (url, args) =>
  spawn(process.execPath, [bin, ...args], { cwd: folder, env: env(url), stdio: ['ignore', 'ignore', 'pipe'] });

const exitOf = async (child) => {
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (part) => { text += part; });
  const [code] = await once(child, 'close');
  if (code !== 0 && code !== null) console.error(text);
  return code;
};

const commands = async (server, kind, seed) => {
  const lines = Math.ceil(notes / 20);
  const place = await failing(server, `${kind}-commands-${seed}`, seed);
  const start = performance.now();
  let failed = 0;
  await each(lines, 8, async (index) => {
    if (await exitOf(spawned(place.url, words(place.thread, index))) !== 0) failed++;
  });
  await report(`command lines, ${kind}`, seed, place, lines, failed, start);
};

/** Command lines with a key that are killed after a random time and then run to their end. */
const killedCommands = async (server, kind, seed) => {
  const lines = Math.ceil(notes / 40);
  const place = await failing(server, `${kind}-killed-commands-${seed}`, seed);
  const [start, draw] = [performance.now(), seeded(seed)];
  let failed = 0;
  await each(lines, 8, async (index) => {
    const args = [...words(place.thread, index), '--key', `note ${index}`];
    const child = spawned(place.url, args);
    const end = exitOf(child);
    await pause(100 + draw() * 500);
    child.kill('SIGKILL');
    await end;
    await pause(2_000);
    if (await exitOf(spawned(place.url, args)) !== 0) failed++;
  });
  await report(`killed commands, ${kind}`, seed, place, lines, failed, start);
};

/** A program that creates all notes with keys is killed three times and then runs to its end. */
const killedProgram = async (server, kind, seed) => {
  const place = await failing(server, `${kind}-killed-program-${seed}`, seed);
  const start = performance.now();
  const words = [fileURLToPath(import.meta.url), '--keyed', place.url, place.thread, String(notes)];
  const run = () => spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'pipe'] });
  const code = await killedThrice(run, seed);
  await report(`killed program, ${kind}`, seed, place, notes, code === 0 ? 0 : 1, start);
};

/** Kills a program three times after a random time and returns the exit code of its last run, which is complete. */
const killedThrice = async (run, seed) => {
  const draw = seeded(seed);
  for (let kills = 0; kills < 3; kills++) {
    const child = run();
    await pause(500 + draw() * 2_500);
    child.kill('SIGKILL');
    await pause(2_000);
  }
  return exitOf(run());
};

/** A command that creates all notes from a file. */
const killedCommand = async (server, kind, seed, name, args) => {
  const place = await failing(server, `${kind}-${name}-${seed}`, seed);
  const start = performance.now();
  const code = await killedThrice(() => spawned(place.url, [...args, '--retries', '10', '--quiet']), seed);
  await report(`killed ${name}, ${kind}`, seed, place, notes, code === 0 ? 0 : 1, start);
};

/** Threads of three notes, as `discussions export` writes them. */
const importNotes = async (server, kind, seed) => {
  const source = `${server}/w/source-${kind}-${seed}`;
  const client = createClient({ url: source, token });
  for (let index = 0; index < notes; index += 3) {
    const thread = await client.discussions.issue.create({ ...issue, body: `note ${index}` });
    for (let reply = index + 1; reply < Math.min(index + 3, notes); reply++) {
      await client.discussions.issue.addNote({ ...issue, discussion_id: thread.id, body: `note ${reply}` });
    }
  }
  const file = join(folder, `${kind}-${seed}.ndjson`);
  if (await exitOf(spawned(source, ['discussions', 'export', 'issue/7', file])) !== 0) throw new Error('no export');
  await killedCommand(server, kind, seed, 'import', ['discussions', 'import', 'issue/7', file]);
};

const postFindings = async (server, kind, seed) => {
  const file = join(folder, 'findings.txt');
  const lineOf = (_, index) => `src/${index % 10}.c:${index + 1}:1: warning: note ${index}\n`;
  await writeFile(file, Array.from({ length: notes }, lineOf).join(''));
  const flags = ['--from', 'lines', '--key', 'bench', '--filter', 'all', '--max', `${notes}`];
  await killedCommand(server, kind, seed, 'post', ['notes', 'post', 'issue/7', ...flags, file]);
};

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

const modes = {
  plain: { client: {}, call: () => ({}) },
  marker: { client: { once: 'marker' }, call: () => ({}) },
  key: { client: {}, call: (name) => ({ key: name }) },
};

const timed = async (server, mode, round) => {
  const url = `${server}/w/speed-${mode}-${round}`;
  await threadFor(url);
  const client = createClient({ url, token, ...modes[mode].client });
  const start = performance.now();
  await each(400, 8, (index) =>
    client.notes.issue.create({ ...issue, body: `note ${index}` }, modes[mode].call(`note ${index}`)));
  return performance.now() - start;
};

/** Creates with and without markers when nothing fails, in rounds with another order each, after one that warms up. */
const speed = async (server) => {
  const ratios = { marker: [], key: [] };
  for (let round = 0; round <= 12; round++) {
    const names = Object.keys(modes);
    const times = {};
    for (const at of names.keys()) {
      const mode = names[(at + round) % names.length];
      times[mode] = await timed(server, mode, round);
    }
    if (round > 0) for (const mode of Object.keys(ratios)) ratios[mode].push(times[mode] / times.plain);
  }
  for (const [mode, values] of Object.entries(ratios)) {
    const ratio = median(values).toFixed(2);
    console.log(`400 comments at concurrency 8 with a ${mode}: ${ratio} × without, median of 12 rounds`);
  }
};

const folder = await mkdtemp(join(tmpdir(), 'colloquy-once-'));
const child = await started(bin, 'serve', '--json');
try {
  const { url } = JSON.parse(child.line);
  if (chosen?.includes('speed') ?? true) await speed(url);
  const cases = Object.entries({
    library, commands, 'killed-commands': killedCommands, 'killed-program': killedProgram, import: importNotes,
    post: postFindings,
  }).filter(([name]) => chosen?.includes(name) ?? true);
  const rounds = Array.from({ length: seeds }, (_, round) => round + 1)
    .flatMap((seed) => ['faults', 'proxy'].flatMap((kind) => cases.map(([, run]) => () => run(url, kind, seed))));
  for (const run of rounds) await run();
} finally {
  await child.stop();
  await rm(folder, { recursive: true });
}
process.exitCode = problems === 0 ? 0 : 1;
