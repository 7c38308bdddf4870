/**
 * Sets the built program and the library on hostile servers and proxies. Each case has to end in time, with a
 * documented exit code and a message, or with the work done. Prints a table; ends with 1 when a case fails.
 *
 *   node bench/hostile.mjs [--only PATTERN] [--client NAME] [--at-once N]
 */
import { parseArgs } from 'node:util';
import { cases } from './hostile/cases.mjs';
import { firstLine, summaryOf } from './hostile/judge.mjs';
import { clientsOf, ran } from './hostile/run.mjs';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' }, client: { type: 'string' }, 'at-once': { type: 'string', default: '4' },
  },
});
const pattern = new RegExp(values.only, 'i');
const chosen = cases.filter(({ area, name }) => pattern.test(`${area}: ${name}`)).flatMap((one) =>
  clientsOf(one).filter((client) => !values.client || client === values.client).map((client) => ({ one, client })));

/** Printable, and short enough for a table. */
const short = (text) => firstLine(text).replace(/[^\x20-\x7e]/g, '?').slice(0, 110);

const results = [];
const run = async ({ one, client }) => {
  const outcome = await ran(one, client);
  results.push({ one, client, ...outcome });
  const { code, seconds, problems } = outcome;
  const mark = problems.length === 0 ? 'ok  ' : 'FAIL';
  console.log(`${mark} ${client.padEnd(13)} ${String(code ?? '-').padStart(3)} ${seconds.toFixed(1).padStart(5)} s  `
    + `${one.area}: ${one.name}\n${' '.repeat(30)}${short(summaryOf(client, outcome))}`);
};

/** Runs all, so many at a time. */
const inTurn = async (runs, atOnce) => {
  const left = [...runs];
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (let next = left.shift(); next; next = left.shift()) await run(next);
  }));
};

const start = performance.now();
// Those that take long do so by waiting: they run beside the others.
const [waiting, others] = [chosen.filter(({ one }) => one.waits), chosen.filter(({ one }) => !one.waits)];
await Promise.all([inTurn(waiting, waiting.length), inTurn(others, Number(values['at-once']))]);

const failed = results.filter(({ problems }) => problems.length > 0);
for (const { one, client, problems, code, seconds, out, err } of failed) {
  console.log(`\nFAIL ${one.area}: ${one.name} (${client}, exit ${code}, ${seconds.toFixed(1)} s)`);
  for (const problem of problems) console.log(`  ${problem}`);
  for (const [name, text] of Object.entries({ stdout: out, stderr: err })) {
    if (text) console.log(`  ${name}: ${JSON.stringify(text.slice(0, 600))}`);
  }
}
const names = new Set(chosen.map(({ one }) => one.name));
console.log(`\n${names.size} cases, ${results.length} runs, ${failed.length} failed, `
  + `${((performance.now() - start) / 1_000).toFixed(0)} s (Node ${process.version})`);
process.exitCode = failed.length > 0 ? 1 : 0;
