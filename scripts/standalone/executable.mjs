import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { bundleNames } from '../build/bundle.mjs';
import { writeCaches } from '../build/cache.mjs';
import { run } from '../run.mjs';

/** Marks the place in Node where a program is put; Node's documentation of single executables has it. */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** What the launcher needs, as paths in the package, without the library and what was built before. */
const contents = ['bin/bundles.json', 'dist'];
const isLeftOut = (path) => /^dist\/(?:lib|esm|standalone|release|sbom\.cdx\.json)(?:\/|$)/.test(path);

const filesBelow = (root, path) => path.endsWith('.json') ? [path]
  : readdirSync(join(root, path), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const launcherFiles = `require('node:fs')`;

/** The launcher of the package, which reads assets in place of files. */
const mainOf = (root) => {
  const launcher = readFileSync(join(root, 'bin', 'colloquy.cjs'), 'utf8').replace(/^#!.*\n/, '');
  if (launcher.split(launcherFiles).length !== 2) throw new Error('bin/colloquy.cjs has an unexpected form');
  const inFile = readFileSync(join(import.meta.dirname, 'in-file.cjs'), 'utf8');
  return `const { folder, files, requireInFile } = ((module) => {
${inFile}
return module.exports;
})({ exports: {} });
((require, __dirname) => {
${launcher.replace(launcherFiles, 'files')}
})(requireInFile, folder);
`;
};

/** A copy of the built program; its code caches are those of the given Node, or none. */
const stage = async (root, folder, node) => {
  for (const part of ['bin', 'dist', 'scripts/build', 'package.json']) {
    cpSync(join(root, part), join(folder, part), {
      recursive: true, filter: (path) => !isLeftOut(relative(root, path)) && !path.endsWith('.cache'),
    });
  }
  if (node === null) return;
  process.chdir(folder);
  await writeCaches(bundleNames, node);
  process.chdir(root);
};

/**
 * Writes an executable with Node and the program.
 * @param ownNode the Node that runs here, of the same version; it writes the assets
 * @param canRun whether it is the Node of the target: only that can make the code caches
 */
export const writeExecutable = async ({ root, ownNode, node, canRun, outfile }) => {
  const folder = mkdtempSync(join(tmpdir(), 'colloquy-standalone-'));
  try {
    await stage(root, folder, canRun ? ownNode : null);
    const paths = contents.flatMap((path) => filesBelow(folder, path));
    writeFileSync(join(folder, 'main.js'), mainOf(root));
    writeFileSync(join(folder, 'sea.json'), JSON.stringify({
      main: 'main.js', output: 'assets.blob', disableExperimentalSEAWarning: true,
      assets: Object.fromEntries(paths.map((path) => [path, path])),
    }));
    run(ownNode, ['--experimental-sea-config', 'sea.json'], { cwd: folder });
    mkdirSync(join(outfile, '..'), { recursive: true });
    cpSync(node, outfile);
    chmodSync(outfile, 0o755);
    const { inject } = createRequire(import.meta.url)('postject');
    await inject(outfile, 'NODE_SEA_BLOB', readFileSync(join(folder, 'assets.blob')), { sentinelFuse: fuse });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
