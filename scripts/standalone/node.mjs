import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '../build/packages.mjs';
import { targets } from './targets.mjs';

const folder = join(cacheFolder, 'standalone');

/**
 * The folder of the package with the Node of a target, which npm fetches once.
 * @throws Error if npm cannot, or if it is not the package that this script knows
 */
export const nodeFor = (target) => {
  const { package: wanted, integrity } = targets[target];
  const name = wanted.slice(0, wanted.lastIndexOf('@'));
  const place = join(folder, target);
  const lock = join(place, 'node_modules', '.package-lock.json');
  if (!existsSync(lock)) install(place, wanted);
  const found = JSON.parse(readFileSync(lock, 'utf8')).packages[`node_modules/${name}`];
  if (found?.integrity !== integrity) throw new Error(`${wanted} is not the package with the digest ${integrity}`);
  return join(place, 'node_modules', name);
};

/** For any platform: the package of another one is only read. */
const install = (place, wanted) => {
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"private":true}\n');
  const flags = ['--force', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', ['install', ...flags, wanted], { cwd: place, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm cannot install ${wanted}:\n${stderr}`);
};
