import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { candidates } from './candidates.mjs';

/** Writes a new list of mutants: `node scripts/mutants/choose.mjs [--seed 1] [--count 120]`. */
const root = join(import.meta.dirname, '../..');
const { values } = parseArgs({ options: {
  seed: { type: 'string', default: '1' }, count: { type: 'string', default: '120' },
} });

/** Random numbers below 1 that the seed decides (mulberry32). */
const randomOf = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A folder below src; program and server are divided once more. */
const areaOf = ({ file }) => {
  const [, layer, part, ...rest] = file.split('/');
  return (layer === 'cli' || layer === 'server') && rest.length > 0 ? `${layer}/${part}` : layer;
};

const groupBy = (all, keyOf) => {
  const groups = new Map();
  for (const one of all) groups.set(keyOf(one), [...groups.get(keyOf(one)) ?? [], one]);
  return groups;
};

/** Two for each area, and the others by the number of lines that could change. */
const sharesOf = (areas, count) => {
  const all = [...areas.values()].reduce((sum, { length }) => sum + length, 0);
  const left = count - 2 * areas.size;
  const exact = [...areas].map(([area, { length }]) => ({ area, share: left * length / all }));
  const shares = new Map(exact.map(({ area, share }) => [area, 2 + Math.floor(share)]));
  const missing = count - [...shares.values()].reduce((sum, share) => sum + share, 0);
  const byRest = exact.toSorted((one, other) => (other.share % 1) - (one.share % 1));
  for (const { area } of byRest.slice(0, missing)) shares.set(area, shares.get(area) + 1);
  return shares;
};

/** Kinds of changes have equal chances, so that texts do not crowd out conditions. At most one in a function. */
const drawn = (given, count, random) => {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const chosen = [];
  let left = given;
  while (chosen.length < count && left.length > 0) {
    const kind = pick([...new Set(left.map((one) => one.kind))]);
    const one = pick(left.filter((other) => other.kind === kind));
    chosen.push(one);
    left = left.filter((other) => other.file !== one.file || other.function !== one.function);
  }
  return chosen;
};

const random = randomOf(Number(values.seed));
const areas = groupBy(candidates(root), areaOf);
const shares = [...sharesOf(areas, Number(values.count))];
const mutants = shares.flatMap(([area, share]) => drawn(areas.get(area), share, random));
const rows = mutants.map((mutant, i) => `  ${JSON.stringify({ id: i + 1, ...mutant })}`);
writeFileSync(join(root, 'test/mutants/mutants.json'), `[\n${rows.join(',\n')}\n]\n`);
console.error(`wrote ${mutants.length} mutants of ${areas.size} areas to test/mutants/mutants.json`);
