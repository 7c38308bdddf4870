import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageBill } from './build/bill.mjs';
import { bundle, bundleNames, entryOf } from './build/bundle.mjs';
import { writeCaches } from './build/cache.mjs';
import { library } from './build/library.mjs';
import { writeClientPackages } from './build/modules.mjs';
import { cacheFolder, packagesFile, packagesIn } from './build/packages.mjs';
import { buildParts } from './build/parts.mjs';
import { wholeProgram } from './build/program.mjs';
import { shells } from './build/shells.mjs';
import { stampOf } from './build/stamp.mjs';

const root = join(import.meta.dirname, '..');
process.chdir(root);

const stampFile = join(cacheFolder, 'stamp');
const stamp = stampOf(['src', 'scripts/build', 'scripts/build.mjs', 'scripts/load-typescript.mjs', 'bin',
  'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']);

const isBuilt = () => existsSync('dist/cli.cjs') && existsSync('dist/esm/index.js') && existsSync(stampFile) &&
  readFileSync(stampFile, 'utf8') === stamp;

/** Commands whose output never changes; the launcher prints it from files that the program writes here. */
const constantCommands = ['--version', '--help', ...Object.keys(shells).map((shell) => `completion ${shell}`)];

const writeConstants = () => {
  mkdirSync('dist/constant');
  for (const command of constantCommands) {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/colloquy.cjs', ...command.split(' ')],
      { env: { ...process.env, COLUMNS: '', NO_COLOR: '1', FORCE_COLOR: '' } });
    if (status !== 0) throw new Error(`${command} exited with ${status}: ${stderr}`);
    writeFileSync(join('dist/constant', command), stdout);
  }
};

const writeManual = async () => {
  const { manualPages, root: program } = await wholeProgram();
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  rmSync('dist/man', { recursive: true, force: true });
  mkdirSync('dist/man');
  for (const [name, page] of Object.entries(manualPages(program, version))) writeFileSync(`dist/man/${name}.1`, page);
};

/** Builds the library first, so that a compile error leaves the built program unchanged. */
const build = async () => {
  rmSync(stampFile, { force: true });
  const modules = await library(cacheFolder);
  for (const part of readdirSync('dist').filter((name) => /^(constant|parts)$|\.(cache|cjs)$/.test(name))) {
    rmSync(join('dist', part), { recursive: true });
  }
  const bundles = bundleNames.map((name) => bundle(entryOf(name), `dist/${name}.cjs`, { name }));
  const [parts, ...programs] = await Promise.all([buildParts('dist/parts'), ...bundles]);
  await writeClientPackages('dist/esm', 'dist/parts');
  await writeCaches(bundleNames);
  writeConstants();
  await writeManual();
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(packagesFile, JSON.stringify(packagesIn([modules, ...parts, ...programs])));
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(packageBill(manifest))}\n`);
  writeFileSync(stampFile, stamp);
};

if (isBuilt()) console.error('colloquy is up to date');
else {
  const start = performance.now();
  console.error('building the program and the library into dist/ (about a minute)');
  await build();
  console.error(`built colloquy in ${((performance.now() - start) / 1000).toFixed(1)} s`);
}
