'use strict';

/**
 * Runs commands against a stub of the service, or `serve`, or both, then writes the code cache of V8 of a bundle, after
 * its CRC-32.
 * Sparkplug is off while they run, because a cache also lists the functions that it compiled, and each later run would
 * compile these at once. It is on again before the caches are written, because a cache is only valid for its V8 flags.
 * Arguments: the name of the bundle, and the URL of the stub.
 */
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { get } = require('node:http');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { crc32 } = require('node:zlib');
const { loadBundles } = require('./load.cjs');

const [bundle, url] = process.argv.slice(2);
const remote = [['appearance', 'get', '--json'], ['discussions', 'list', 'mr/1', '-p', '1', '--json']];
const sandboxed = [
  ['discussions', 'list', 'mr/12', '-p', 'acme/app', '--json', '--sandbox'],
  ['discussions', 'view', 'mr/12', '-p', 'acme/app', '--sandbox'],
];
const requestPaths = ['/-/health', '/api/v4/user', '/api/v4/projects/1/issues/1/discussions'];

const settings = mkdtempSync(join(tmpdir(), 'colloquy-build-'));
for (const name of Object.keys(process.env)) {
  if (/^(COLLOQUY|GITLAB|CI_)|_PROXY$/i.test(name)) delete process.env[name];
}
Object.assign(process.env, {
  COLLOQUY_URL: url, COLLOQUY_TOKEN: 'token', COLLOQUY_CONFIG_DIR: settings, COLLOQUY_V8_FLAGS: 'off',
});
setFlagsFromString('--no-sparkplug');

const { run, scripts } = loadBundles();

const runCommand = async (main, args) => {
  process.argv = [process.execPath, 'colloquy', ...args];
  const code = await main(async () => undefined);
  if (code !== 0) throw new Error(`${args.join(' ')} exited with ${code}`);
};

/** Captures the first line that the server prints, which has its URL. */
const firstLine = () => new Promise((resolve) => {
  const { write } = process.stdout;
  process.stdout.write = (text, ...rest) => {
    process.stdout.write = write;
    resolve(JSON.parse(text));
    rest.at(-1)?.();
    return true;
  };
});

const request = (address) => new Promise((resolve, reject) => {
  get(address, { headers: { 'private-token': 'root-token' } }, (response) => response.resume().on('end', resolve))
    .on('error', reject);
});

/** Runs the server and sends it typical first requests. */
const serve = async (main) => {
  const line = firstLine();
  const serving = runCommand(main, ['serve', '--json', '--quiet']);
  const { url: serverUrl } = await line;
  for (const path of requestPaths) await request(serverUrl + path);
  process.emit('SIGTERM');
  await serving;
};

const runCommands = async (main, commands) => { for (const args of commands) await runCommand(main, args); };

/** What runs for the cache of each bundle. */
const runs = {
  // Only what most commands have in common: a larger cache takes longer to load.
  cli: () => runCommands(run('cli').main, remote),
  frequent: () => runCommands(run('frequent').main, remote),
  serve: () => serve(run('serve').main),
  server: async () => {
    await runs.serve();
    await runCommands(run('frequent').main, sandboxed);
  },
};

const warm = async () => {
  await runs[bundle]();
  setFlagsFromString('--sparkplug');
  const cache = scripts[bundle].createCachedData();
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(cache));
  writeFileSync(`dist/${bundle}.cache`, Buffer.concat([sum, cache]));
};

warm().catch((error) => {
  console.error(error);
  process.exitCode = 1;
}).finally(() => rmSync(settings, { recursive: true, force: true }));
