'use strict';

/**
 * Runs commands against `serve`, then writes a code cache of V8 of a bundle, before its CRC-32.
 * Sparkplug is off while they run, because a cache also lists the functions that it compiled, and each later run would
 * compile these at once. It is on again before the caches are written, because a cache is only valid for its V8 flags.
 * Arguments: the names of the bundle and of the cache.
 */
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { get } = require('node:http');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { crc32 } = require('node:zlib');
const { loadBundles } = require('./load.cjs');

const noteable = ['mr/12', '-p', 'acme/app'];
const getAppearance = ['appearance', 'get', '--json'];
const listDiscussions = ['discussions', 'list', ...noteable, '--json'];

/** By cache, what runs first. A cache has the functions that have run, and a larger one takes longer to load. */
const commandsOf = {
  // Only what most commands have in common.
  cli: [getAppearance],
  gets: [getAppearance],
  lists: [listDiscussions],
  writes: [['notes', 'add', ...noteable, '-m', 'text']],
  serve: [],
  server: [[...listDiscussions, '--sandbox']],
};

const requestPaths = ['/-/health', '/api/v4/user', '/api/v4/projects/1/issues/1/discussions'];

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

/** Sends a server typical first requests, then runs the commands against it. */
const runAll = async (run, bundle, cache) => {
  const line = firstLine();
  const serving = runCommand(run('serve').main, ['serve', '--json', '--quiet']);
  const { url } = await line;
  for (const path of requestPaths) await request(url + path);
  process.env.COLLOQUY_URL = url;
  try {
    const main = bundle === 'serve' ? null : run(bundle === 'server' ? 'reads' : bundle).main;
    for (const args of commandsOf[cache]) await runCommand(main, args);
  } finally {
    process.emit('SIGTERM');
    await serving;
  }
};

const writeCache = async (bundle, name) => {
  const { run, scripts } = loadBundles();
  await runAll(run, bundle, name);
  setFlagsFromString('--sparkplug');
  const cache = scripts[bundle].createCachedData();
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(cache));
  writeFileSync(`dist/${name}.cache`, Buffer.concat([cache, sum]));
};

const main = async () => {
  const settings = mkdtempSync(join(tmpdir(), 'colloquy-build-'));
  for (const name of Object.keys(process.env)) {
    if (/^(COLLOQUY|GITLAB|CI_)|_PROXY$/i.test(name)) delete process.env[name];
  }
  Object.assign(process.env, { COLLOQUY_TOKEN: 'root-token', COLLOQUY_CONFIG_DIR: settings, COLLOQUY_V8_FLAGS: 'off' });
  setFlagsFromString('--no-sparkplug');
  try {
    await writeCache(...process.argv.slice(2));
  } finally {
    rmSync(settings, { recursive: true, force: true });
  }
};

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
