/**
 * The same 8 kB list over sockets, 8 clients at once: what a recording costs beside the proxy alone, with a service
 * that responds from memory or after 20 ms, with the same or other text each time, and what an open inspector costs.
 * Each ratio is the median of paired rounds; processor time is that of the measured server alone.
 *
 *   node bench/recording.mjs [rounds]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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
  return { ...JSON.parse(line), inspector: /http\S+\/-\/#\w+/.exec((await said)[0])?.[0] };
};

/**
 * A service that gives each note another text each time, so that nothing about it can be remembered.
 * @param delay in milliseconds
 */
const changingService = async ({ url }, delay) => {
  const of = async (target) => (await fetch(url + target, { headers: { 'private-token': 'ada-token' } })).text();
  const bodies = JSON.stringify([await of('/api/v4/user'), await of(path)]).replaceAll(url, 'http://127.0.0.1:1');
  const code = `let n = 0;
    const [user, list] = ${bodies};
    const parts = list.split('"body":"');
    require('http').createServer(({ url }, response) => {
      n++;
      response.writeHead(200, { 'content-type': 'application/json' });
      const body = url.endsWith('/user') ? user : parts.join('"body":"' + n + ' times ' + n * 7919 % 10007 + ' ');
      ${delay > 0 ? `setTimeout(() => response.end(body), ${delay})` : 'response.end(body)'};
    }).listen(0, '127.0.0.1', function () {
      console.log(JSON.stringify({ url: 'http://127.0.0.1:' + this.address().port }));
    });`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(child);
  return JSON.parse((await once(child.stdout, 'data'))[0]);
};

/** Milliseconds that a process has computed. */
const processorTime = (pid) => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
};

const read = (url) => new Promise((resolve, reject) => {
  get(url + path, { agent, headers: { 'private-token': 'ada-token' } }, (response) => {
    response.resume().on('end', resolve);
  }).on('error', reject);
});

/** Milliseconds a request: until all were answered, and of the server. */
const round = async ({ url, pid }) => {
  let left = requests;
  const [start, computed] = [performance.now(), processorTime(pid)];
  await Promise.all(Array.from({ length: clients }, async () => { while (left-- > 0) await read(url); }));
  return [performance.now() - start, processorTime(pid) - computed].map((time) => time / requests);
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const compare = async (label, plain, other) => {
  for (const server of [plain, other]) await round(server);
  const pairs = [];
  for (let i = 0; i < rounds; i++) {
    // Each goes first in turn: the load of the machine changes during a round.
    const [first, second] = i % 2 === 0 ? [plain, other] : [other, plain];
    const pair = [await round(first), await round(second)];
    pairs.push(first === plain ? pair : pair.reverse());
  }
  const [before, after] = [0, 1].map((side) => median(pairs.map((pair) => pair[side][0])).toFixed(3));
  const computed = [0, 1].map((side) => pairs.reduce((sum, pair) => sum + pair[side][1], 0) / rounds);
  const [ratio, own] = [median(pairs.map(([a, b]) => b[0] / a[0])), computed[1] / computed[0]];
  console.log(`${label}: ${ratio.toFixed(2)} (${before} and ${after} ms a request)`);
  console.log(`  processor time ${own.toFixed(2)} (${computed.map((time) => time.toFixed(3)).join(' and ')} ms)`);
};

/** As an open page does: reads the events until the end. */
const watch = async (inspector) => {
  const [address, token] = inspector.split('#');
  const { body } = await fetch(`${address}inspector/live`, { headers: { authorization: `Bearer ${token}` } });
  body.pipeTo(new WritableStream()).catch(() => undefined);
};

try {
  const upstream = await serve();
  const beside = async (label, service, name) => {
    const alone = await serve('--proxy', service.url);
    await compare(label, alone, await serve('--proxy', service.url, '--record', join(folder, `${name}.ndjson`)));
  };
  await beside('recording beside the proxy alone', upstream, 'same');
  await beside('the same with other text each time', await changingService(upstream, 0), 'changing');
  await beside('the same with a service that takes 20 ms', await serve('--latency', '20'), 'far');
  await beside('other text each time, after 20 ms', await changingService(upstream, 20), 'both');
  const [closed, open] = [await serve(), await serve()];
  await compare('no page open, two servers', closed, open);
  await watch(open.inspector);
  await compare('an open inspector beside none', closed, open);
} finally {
  agent.destroy();
  for (const child of started) child.kill('SIGTERM');
  await Promise.all(started.map((child) => child.exitCode ?? once(child, 'exit')));
  rmSync(folder, { recursive: true });
}
process.exit();
