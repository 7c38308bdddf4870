/**
 * Runs the built program and the library against hostile servers and proxies. Each case must end in time: with a
 * documented exit code and a message, or with the work done. Prints a table; exits with 1 when a case fails.
 *
 *   node bench/hostile.mjs [--only PATTERN] [--client NAME] [--at-once N] [--failures]
 */
import { parseArgs } from 'node:util';
import { cases } from '../test/hostile/cases.mjs';
import { endWorkers } from '../test/hostile/clients.mjs';
import { messageOf } from '../test/hostile/judge.mjs';
import { clientsOf, ran } from '../test/hostile/run.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' }, client: { type: 'string' }, 'at-once': { type: 'string', default: '4' },
    failures: { type: 'boolean', default: false },
  },
});
const pattern = new RegExp(values.only, 'i');
const chosen = cases.filter(({ area, name }) => pattern.test(`${area}: ${name}`)).flatMap((one) =>
  clientsOf(one).filter((client) => !values.client || client === values.client)
    .flatMap((client) => Array.from({ length: one.times ?? 1 }, () => ({ one, client }))));

/** Printable, and short enough for a table. */
const short = (text) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 110);

const columns = ['', 'client'.padEnd(13), 'exit', 'seconds', 'case'];
const row = ({ one, client, code, error, seconds, problems }) => [
  problems.length === 0 ? 'ok  ' : 'FAIL', client.padEnd(13), String(code ?? (error ? 'err' : 'ok')).padStart(4),
  seconds.toFixed(1).padStart(7), `${one.area}: ${one.name}`,
].join('  ');

const results = [];
const run = async ({ one, client }) => {
  const result = { ...await ran(one, client), one, client };
  results.push(result);
  if (values.failures && result.problems.length === 0) return;
  console.log(`${row(result)}\n${' '.repeat(34)}${short(messageOf({ ...result, client: client.split(',')[0] }))}`);
};

/** Runs all of them, `atOnce` at a time. */
const inTurn = async (runs, atOnce) => {
  const left = [...runs];
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (let next = left.shift(); next; next = left.shift()) await run(next);
  }));
};

const start = performance.now();
const isWaiting = ({ one }) => one.waits === true;
process.on('exit', endWorkers);
console.log(columns.join('  '));
// Runs that mostly wait need little processor time, so they run beside the others.
await Promise.all([
  inTurn(chosen.filter(isWaiting), 12),
  inTurn(chosen.filter((each) => !isWaiting(each)), Number(values['at-once'])),
]);
endWorkers();

const failed = results.filter(({ problems }) => problems.length > 0);
for (const result of failed) {
  console.log(`\n${row(result)}`);
  for (const problem of result.problems) console.log(`  ${problem}`);
  for (const name of ['out', 'err']) {
    if (result[name]) console.log(`  ${name}: ${JSON.stringify(result[name].slice(0, 600))}`);
  }
}
const names = new Set(chosen.map(({ one }) => `${one.area}: ${one.name}`));
console.log(`\n${names.size} cases, ${results.length} runs, ${failed.length} failed, `
  + `${((performance.now() - start) / 1_000).toFixed(0)} s (Node ${process.version})`);
process.exitCode = failed.length > 0 ? 1 : 0;
