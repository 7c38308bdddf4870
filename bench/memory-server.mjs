/** The memory of the server: idle, after 10,000 and after 1,000,000 requests, or another number. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Agent } from 'undici';
import { started } from './child.mjs';

const bin = fileURLToPath(new URL('../bin/colloquy.cjs', import.meta.url));
const [few, many] = [10_000, Number(process.argv[2] ?? 1_000_000)];
const server = await started(bin, 'serve', '--json');
const { url } = JSON.parse(server.line);
const agent = new Agent({ connections: 8, pipelining: 8 });
const headers = { 'private-token': 'root-token', 'content-type': 'application/json' };
const path = '/api/v4/projects/acme%2Fapp/merge_requests/12/discussions';

const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024;

const reading = (turn) => ({ method: 'GET', path: `${path}?per_page=${1 + turn % 50}` });
const resolving = (turn) => ({
  method: 'PUT', path: `${path}/53a25ddd2be84efa257c91d4d01cd7e2d58fd575`,
  body: JSON.stringify({ resolved: turn % 200 === 0 }),
});

let sent = 0;
const send = async (until) => {
  await Promise.all(Array.from({ length: 32 }, async () => {
    while (sent < until) {
      const turn = sent++;
      const isWrite = turn % 100 === 0;
      const { body } = await agent.request({ origin: url, headers, ...(isWrite ? resolving(turn) : reading(turn)) });
      await body.dump();
    }
  }));
};

const idle = resident();
await send(few);
const afterFew = resident();
await send(many);
const afterMany = resident();
console.log(`\nResident memory (Node ${process.version})`);
const row = (name, memory) =>
  console.log(`  ${name.padEnd(24)} ${memory.toFixed(0).padStart(5)} MB  ${(memory / afterFew).toFixed(2)}`);
row('idle', idle);
row(`after ${few} requests`, afterFew);
row(`after ${many} requests`, afterMany);
await agent.close();
await server.stop();
