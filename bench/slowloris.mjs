/**
 * Opens 2,000 slow sockets to a server, half of them sending headers and half a body, while normal clients send
 * requests. Reports when each slow socket was closed and the latency of the normal requests. Needs some 5,000 file
 * descriptors (`ulimit -n`). Exits with 1 if a socket stayed open for more than 12 s, or the 99th percentile reaches 50
 * ms.
 */
import { request, Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';

const sockets = 2_000;
const bounds = { held: 12, p99: 50 };
const served = await started(fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url)), 'serve', '--json');
const { url, tokens } = JSON.parse(served.line);
const target = '/api/v4/projects/1/merge_requests/12/discussions';
const { port } = new URL(url);

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const asked = () => new Promise((resolve, reject) => {
  const start = performance.now();
  request(url + target, { agent, headers: { 'private-token': tokens.root } }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
    response.resume().on('end', () => resolve(performance.now() - start));
  }).on('error', reject).end();
});

/** Sends a byte or a header every half second. Returns the seconds until the server closed the connection. */
const dribbled = (i) => new Promise((resolve) => {
  const start = performance.now();
  const inBody = i % 2 === 1;
  const socket = connect(port, '127.0.0.1');
  const head = `${inBody ? 'POST' : 'GET'} ${target} HTTP/1.1\r\nhost: localhost\r\n`;
  socket.write(inBody ? `${head}content-type: application/json\r\ncontent-length: 100000\r\n\r\n` : head);
  const timer = setInterval(() => { socket.write(inBody ? 'x' : 'x: y\r\n'); }, 500);
  socket.on('error', () => undefined).on('end', () => socket.end()).resume();
  socket.on('close', () => {
    clearInterval(timer);
    resolve((performance.now() - start) / 1000);
  });
});

for (let i = 0; i < 500; i++) await asked();
const honest = async (until) => {
  const times = [];
  while (!until.done) {
    times.push(await asked());
    await pause(2);
  }
  return times;
};

const percentile = (values, share) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
};

const alone = { done: false };
const before = Promise.all(Array.from({ length: 4 }, () => honest(alone)));
await pause(3_000);
alone.done = true;
const quiet = (await before).flat();

const until = { done: false };
const times = Promise.all(Array.from({ length: 4 }, () => honest(until)));
const dribblers = [];
for (let i = 0; i < sockets; i++) {
  dribblers.push(dribbled(i));
  if (i % 100 === 99) await pause(10);
}
const held = await Promise.all(dribblers);
until.done = true;
const busy = (await times).flat();
await served.stop();

const [longest, p99] = [Math.max(...held), percentile(busy, 0.99)];
const show = (name, values) => {
  const [middle, most] = [0.5, 0.99].map((share) => percentile(values, share).toFixed(1));
  const start = `  ${name.padEnd(20)} ${String(values.length).padStart(6)}`;
  console.log(`${start} responses, median ${middle} ms, p99 ${most} ms, longest ${Math.max(...values).toFixed(1)} ms`);
};
console.log(`\nSlowloris: ${sockets} slow sockets (Node ${process.version})`);
show('honest, before', quiet);
show('honest, at the same time', busy);
const parts = [['dribbling headers', 0], ['dribbling a body', 1]];
for (const [name, odd] of parts) {
  const own = held.filter((_, i) => i % 2 === odd);
  const [first, last] = [Math.min(...own), Math.max(...own)].map((seconds) => seconds.toFixed(1));
  console.log(`  ${name.padEnd(20)} ${String(own.length).padStart(6)} closed after ${first} to ${last} s`);
}
const isGood = longest <= bounds.held && p99 < bounds.p99;
console.log(isGood ? `  all closed within ${bounds.held} s, p99 under ${bounds.p99} ms` : '  OUT OF BOUNDS');
process.exit(isGood ? 0 : 1);
