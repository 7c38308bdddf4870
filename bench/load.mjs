/** Generates load on a loopback server: with wrk if it is installed, otherwise with undici. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent } from 'undici';
import { median } from './rounds.mjs';

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

/** The name of the load generator. */
export const tool = hasWrk ? 'wrk' : 'undici';

const folder = mkdtempSync(join(tmpdir(), 'colloquy-load-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const lua = (text) => JSON.stringify(text).replaceAll('\\u', '\\\\u');

/** Runs one wrk per base URL and returns their total requests per second. */
const withWrk = async ({ base, path, method = 'GET', headers = {}, body }, { seconds, connections }) => {
  const script = join(folder, 'request.lua');
  const paths = [path].flat();
  const fields = Object.entries(headers).map(([name, value]) => `[${lua(name)}]=${lua(value)}`);
  writeFileSync(script, `local paths = {${paths.map(lua).join(',')}}\nlocal headers = {${fields.join(',')}}\n`
    + 'local i = 0\n'
    + 'request = function() i = i % #paths + 1 return wrk.format('
    + `${lua(method)}, paths[i], headers, ${body === undefined ? 'nil' : lua(body)}) end\n`);
  const bases = [base].flat();
  const words = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script];
  const rates = await Promise.all(bases.map((one) => withOneWrk([...words, one])));
  return rates.reduce((sum, one) => sum + one);
};

const withOneWrk = async (words) => {
  const wrk = spawn('wrk', words, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  wrk.stdout.on('data', (text) => { said += text; });
  await once(wrk, 'close');
  if (/Non-2xx|Socket errors/.test(said)) throw new Error(said);
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(said)[1]);
};

const withUndici = async ({ base, path, method = 'GET', headers = {}, body }, { seconds, connections }) => {
  const bases = [base].flat();
  const agent = new Agent({ connections });
  const paths = [path].flat();
  const end = performance.now() + seconds * 1000;
  let count = 0;
  await Promise.all(Array.from({ length: connections * bases.length }, async () => {
    while (performance.now() < end) {
      const turn = count++;
      const asked = { origin: bases[turn % bases.length], path: paths[turn % paths.length], method, headers, body };
      const { statusCode, body: stream } = await agent.request(asked);
      if (statusCode >= 300) throw new Error(`answered ${statusCode}`);
      await stream.dump();
    }
  }));
  await agent.close();
  return count / seconds;
};

/**
 * Requests per second. `path` may be a list, whose items are requested in turn. `base` may be a list too, whose servers
 * are loaded at the same time, each with all connections.
 */
export const rate = hasWrk ? withWrk : withUndici;

/** Measures all targets in interleaved rounds and prints medians and ratios to the first target of the round. */
export const compare = async (title, targets, { rounds = 5, seconds = 3, connections = 16 } = {}) => {
  const names = Object.keys(targets);
  const rates = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await rate(targets[name], { seconds: 1, connections });
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length];
      rates[name].push(await rate(targets[name], { seconds, connections }));
    }
  }
  const width = Math.max(...names.map((name) => name.length));
  const how = `${connections} connections, ${tool}, ${rounds} rounds of ${seconds} s (Node ${process.version})`;
  console.log(`\n${title}\n${how}`);
  for (const name of names) {
    const ratio = median(rates[name].map((value, round) => value / rates[names[0]][round]));
    const middle = median(rates[name]).toFixed(0).padStart(8);
    console.log(`  ${name.padEnd(width)}  ${middle} req/s  ${ratio.toFixed(2).padStart(6)}`);
  }
  return rates;
};
