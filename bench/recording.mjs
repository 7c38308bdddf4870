/**
 * The same 7 kB list over sockets, 8 clients at once: what a recording costs beside the proxy alone, with a service
 * that responds from memory or after 20 ms, and what an open inspector costs beside none. Each ratio is the median of
 * paired rounds.
 *
 *   node bench/recording.mjs [rounds]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const [rounds = 9] = process.argv.slice(2).map(Number);
const [clients, requests] = [8, 500];
const program = join(import.meta.dirname, '../bin/colloquy.cjs');
const folder = mkdtempSync(join(tmpdir(), 'colloquy-recording-'));
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const path = '/api/v4/projects/acme%2Fapp/merge_requests/12/discussions?per_page=100';
const started = [];

const serve = async (...flags) => {
  const child = spawn(process.execPath, [program, 'serve', '--json', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  const said = once(child.stderr, 'data');
  const [line] = await once(child.stdout, 'data');
  return { url: JSON.parse(line).url, inspector: /http\S+\/-\/#\w+/.exec((await said)[0])?.[0] };
};

const read = (url) => new Promise((resolve, reject) => {
  get(url + path, { agent, headers: { 'private-token': 'ada-token' } }, (response) => {
    response.resume().on('end', resolve);
  }).on('error', reject);
});

/** Milliseconds a request. */
const round = async (url) => {
  let left = requests;
  const start = performance.now();
  await Promise.all(Array.from({ length: clients }, async () => { while (left-- > 0) await read(url); }));
  return (performance.now() - start) / requests;
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const compare = async (label, plain, other) => {
  for (const url of [plain, other]) await round(url);
  const pairs = [];
  for (let i = 0; i < rounds; i++) pairs.push([await round(plain), await round(other)]);
  const [before, after] = [0, 1].map((side) => median(pairs.map((pair) => pair[side])).toFixed(3));
  console.log(`${label}: ${median(pairs.map(([a, b]) => b / a)).toFixed(2)} (${before} and ${after} ms a request)`);
};

/** As an open page does: reads the events until the end. */
const watch = async (inspector) => {
  const [address, token] = inspector.split('#');
  const { body } = await fetch(`${address}inspector/live`, { headers: { authorization: `Bearer ${token}` } });
  body.pipeTo(new WritableStream()).catch(() => undefined);
};

try {
  const upstream = await serve();
  const plain = await serve('--proxy', upstream.url);
  const recording = await serve('--proxy', upstream.url, '--record', join(folder, 'recording.ndjson'));
  await compare('recording beside the proxy alone', plain.url, recording.url);
  const far = await serve('--latency', '20');
  const farAlone = await serve('--proxy', far.url);
  const farRecording = await serve('--proxy', far.url, '--record', join(folder, 'far.ndjson'));
  await compare('the same with a service that takes 20 ms', farAlone.url, farRecording.url);
  const [closed, open] = [await serve(), await serve()];
  await compare('no page open, two servers', closed.url, open.url);
  await watch(open.inspector);
  await compare('an open inspector beside none', closed.url, open.url);
} finally {
  agent.destroy();
  for (const child of started) child.kill('SIGTERM');
  await Promise.all(started.map((child) => child.exitCode ?? once(child, 'exit')));
  rmSync(folder, { recursive: true });
}
process.exit();
