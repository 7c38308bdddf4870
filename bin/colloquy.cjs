#!/usr/bin/env node
'use strict';

const { existsSync, readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const dist = join(__dirname, '..', 'dist');

const fileIfExists = (name) => {
  try {
    return readFileSync(join(dist, name));
  } catch {
    return undefined;
  }
};

/** The output of a command that is always the same, written at build time. */
const constantFor = (command) =>
  /^[a-z-]+( [a-z]+)?$/.test(command) ? fileIfExists(join('constant', command)) : undefined;

const fail = (reason) => {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
};

const print = (bytes) => {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code === 'EPIPE') return;
      if (error.code !== 'EAGAIN') return fail(`colloquy: cannot write (${error.code})`);
    }
  }
};

/**
 * The V8 code cache of a bundle, before its CRC-32: V8 does not check the content, and a damaged one would kill it. V8
 * copies a cache that does not start at a multiple of 8 bytes. Compressed responses load `node:zlib` as well;
 * `node:crypto` takes longer, and few commands load it.
 */
const cacheOf = (name) => {
  const bytes = fileIfExists(`${name}.cache`);
  if (!bytes || bytes.length < 4) return undefined;
  const cache = bytes.subarray(0, -4);
  return require('node:zlib').crc32(cache) === bytes.readUInt32BE(cache.length) ? cache : undefined;
};

/** Runs a bundle with its code cache. The bundles have only ASCII: to decode UTF-8 takes longer. */
const run = (name) => {
  const file = join(dist, `${name}.cjs`);
  const { Script } = require('node:vm');
  const cachedData = cacheOf(name);
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, requirePart, module, __dirname);
  return module.exports;
};

let server;

/** The `require` of the bundles: the server is a bundle too. */
const requirePart = (name) => name.endsWith('/server.cjs') ? server ??= run('server') : require(name);

/** The map of commands loads them all. */
const mapsCommands = (words) =>
  words.some((word) => /^(-h|--help)$/.test(word)) && words.some((word) => word.startsWith('--json'));

const bundleFor = (words) => {
  if (mapsCommands(words)) return 'cli';
  const [first, verb] = words;
  const name = { d: 'discussions', n: 'notes' }[first] ?? first;
  if (name === 'serve') return 'serve';
  const bundles = JSON.parse(readFileSync(join(__dirname, 'bundles.json')));
  return Object.keys(bundles).find((bundle) =>
    Object.hasOwn(bundles[bundle], name) && bundles[bundle][name].includes(verb)) ?? 'cli';
};

const args = process.argv.slice(2);
const constant = constantFor(args.length === 0 ? '--help' : args.join(' '));
if (constant) print(constant);
else if (!existsSync(join(dist, 'cli.cjs'))) fail('colloquy is not built yet; run: npm install && npm run build');
else {
  // An exit before main() has settled is a failure.
  process.exitCode = 1;
  run(bundleFor(args)).main().then((code) => { process.exitCode = code; });
}
