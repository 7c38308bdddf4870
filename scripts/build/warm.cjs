'use strict';

/**
 * Runs the bundle against a stub of the service and writes what V8 has compiled by then. No flag is set here: the
 * flags are part of the cache's check.
 * Arguments: the bundle, the cache, the stub's URL.
 */
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { loadProgram } = require('./load.cjs');

const [file, cache, url] = process.argv.slice(2);
const calls = [
  ['appearance', 'get', '--json'],
  ['discussions', 'list', 'mr/1', '-p', '1', '--json'],
];

const settings = mkdtempSync(join(tmpdir(), 'colloquy-build-'));
for (const name of Object.keys(process.env)) {
  if (/^(COLLOQUY|GITLAB|CI_)|_PROXY$/i.test(name)) delete process.env[name];
}
Object.assign(process.env, { COLLOQUY_URL: url, COLLOQUY_TOKEN: 'token', COLLOQUY_CONFIG_DIR: settings });

const { main, script } = loadProgram(file);

const warm = async () => {
  for (const call of calls) {
    process.argv = [process.execPath, file, ...call];
    const code = await main();
    if (code !== 0) throw new Error(`${call.join(' ')} ended with ${code}`);
  }
  writeFileSync(cache, script.createCachedData());
};

warm().catch((error) => {
  console.error(error);
  process.exitCode = 1;
}).finally(() => rmSync(settings, { recursive: true, force: true }));
