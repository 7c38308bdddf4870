/**
 * One GET from the command line, from the start of the program to its end, in time and processor time: Colloquy and
 * @gitbeaker/cli (installed from npm for this run). Prints a Markdown table. Argument: rounds, default 21.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';
import { costOf } from './cost.mjs';
import { median } from './rounds.mjs';

const [bin, stub] = ['../bin/colloquy.cjs', './stub.mjs'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const folder = mkdtempSync(join(tmpdir(), 'colloquy-one-call-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

writeFileSync(join(folder, 'package.json'), '{"private":true}');
const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '@gitbeaker/cli@43.8.0'];
const installed = spawnSync('npm', install, { cwd: folder, encoding: 'utf8' });
if (installed.status !== 0) throw new Error(installed.stderr);

const service = await started(stub, '0');
const url = service.line;
const env = {
  PATH: process.env.PATH, HOME: folder,
  COLLOQUY_URL: url, COLLOQUY_TOKEN: 'token', COLLOQUY_CONFIG_DIR: folder, XDG_STATE_HOME: folder,
};
const node = process.execPath;
const gitbeaker = join(folder, 'node_modules', '@gitbeaker', 'cli', 'dist', 'index.mjs');

const cases = {
  '`node -e 0`': [node, '-e', '0'],
  '`colloquy appearance get --json`': [node, bin, 'appearance', 'get', '--json'],
  '@gitbeaker/cli 43.8.0, `application-appearance show`':
    [node, gitbeaker, 'application-appearance', 'show', '--gb-host', url, '--gb-token', 'token'],
};

const rounds = Number(process.argv[2] ?? 21);
const names = Object.keys(cases);
const costs = Object.fromEntries(names.map((name) => [name, []]));
for (let round = -1; round < rounds; round++) {
  for (let i = 0; i < names.length; i++) {
    const name = names[(i + Math.max(round, 0)) % names.length];
    const [command, ...args] = cases[name];
    const cost = costOf(command, args, env);
    if (round >= 0) costs[name].push(cost);
  }
}
await service.stop();

/** How each compares with the first: the median of the ratios of the same round. */
const ratio = (name, what) => median(costs[name].map((cost, round) => cost[what] / costs[names[0]][round][what]));
console.log(`Node ${process.version}, ${rounds} rounds\n`);
console.log('| | time | ratio | processor time | ratio |\n|---|---|---|---|---|');
for (const name of names) {
  const cells = ['wall', 'cpu'].flatMap((what) =>
    [`${median(costs[name].map((cost) => cost[what])).toFixed(0)} ms`, ratio(name, what).toFixed(2)]);
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
