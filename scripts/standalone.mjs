/**
 * Builds the program as one file with Node in it, for machines without Node.
 *
 *   npm run standalone [-- --target linux-x64|linux-arm64]
 *
 * Writes dist/standalone/colloquy-<target> with its digest (.sha256), its bill of materials (.cdx.json) and all
 * licenses (.LICENSES.txt). The Node of the target comes from npm.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { standaloneBill } from './build/bill.mjs';
import { writeExecutable } from './standalone/executable.mjs';
import { licenseTexts } from './standalone/licenses.mjs';
import { nodeFor } from './standalone/node.mjs';
import { nodeVersion, ownTarget, targets } from './standalone/targets.mjs';

const root = join(import.meta.dirname, '..');
process.chdir(root);

const fail = (message) => {
  console.error(`standalone: ${message}`);
  process.exit(1);
};

const known = Object.keys(targets).join(' and ');

const targetOf = () => {
  const { values: { target = ownTarget } } = parseArgs({ options: { target: { type: 'string' } } });
  if (!Object.hasOwn(targets, target)) {
    fail(`cannot build for ${target}, only for ${known}; on other platforms install the npm package`);
  }
  if (!Object.hasOwn(targets, ownTarget)) fail(`cannot build on ${ownTarget}, only on ${known}`);
  return target;
};

const build = async (target) => {
  const { status } = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  const [own, package_] = [nodeFor(ownTarget), nodeFor(target)];
  const outfile = join('dist/standalone', `colloquy-${target}`);
  await writeExecutable({
    root, outfile, ownNode: join(root, own, 'bin/node'), node: join(package_, 'bin/node'),
    canRun: target === ownTarget,
  });
  const bytes = readFileSync(outfile);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync(`${outfile}.sha256`, `${sha256}  ${basename(outfile)}\n`);
  const bill = standaloneBill(manifest, { target, sha256, nodeVersion });
  writeFileSync(`${outfile}.cdx.json`, `${JSON.stringify(bill, null, 2)}\n`);
  writeFileSync(`${outfile}.LICENSES.txt`, licenseTexts(package_));
  console.error(`${outfile}: ${(bytes.length / 2 ** 20).toFixed(0)} MB`);
  if (target !== ownTarget) console.error(`without code caches, which only ${target} can make: it starts more slowly`);
};

await build(targetOf());
