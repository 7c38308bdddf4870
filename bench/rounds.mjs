/**
 * Runs every case once per round, each round in another order, so that other work on the machine affects all cases
 * alike.
 * @param cases by name, functions that do the work once; a function that they return checks the result and is not
 *   measured
 * @returns by name, the milliseconds of every round
 */
export const interleaved = async (cases, rounds) => {
  const names = Object.keys(cases);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await (await cases[name]())?.();
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < names.length; i++) {
      const name = names[(i + round) % names.length];
      const start = performance.now();
      const check = await cases[name]();
      times[name].push(performance.now() - start);
      await check?.();
    }
  }
  return times;
};

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** Prints medians and, for each case, the median of its ratios to the first case of the same round. */
export const report = (title, times, unit = 'ms') => {
  const names = Object.keys(times);
  const base = times[names[0]];
  const width = Math.max(...names.map((name) => name.length));
  console.log(`\n${title} (Node ${process.version}, ${base.length} rounds)`);
  for (const name of names) {
    const ratio = median(times[name].map((value, round) => value / base[round]));
    const middle = median(times[name]).toFixed(1);
    console.log(`  ${name.padEnd(width)}  ${middle.padStart(9)} ${unit}  ${ratio.toFixed(2).padStart(6)}`);
  }
};

/** Runs a call many times, some at once; the call gets its index. Returns the results in order. */
export const repeated = async (times, atOnce, call) => {
  const results = [];
  let next = 0;
  await Promise.all(Array.from({ length: atOnce }, async () => {
    for (let index = next++; index < times; index = next++) results[index] = await call(index);
  }));
  return results;
};
