#!/usr/bin/env node
'use strict';

const { closeSync, existsSync, openSync, readFileSync, readSync, statSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const dist = join(__dirname, '..', 'dist');

const ifReadable = (read) => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

/** The output of a command that is always the same, written at build time. */
const constantFor = (command) =>
  /^[a-z-]+( [a-z]+)?$/.test(command) ? ifReadable(() => readFileSync(join(dist, 'constant', command))) : undefined;

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

/** Reads a file into memory that another file may have used: the system takes longer to provide memory than to read. */
const readInto = (memory, path) => {
  const file = openSync(path);
  try {
    let size = 0;
    for (let count = -1; count !== 0; size += count) count = readSync(file, memory, { offset: size });
    return memory.subarray(0, size);
  } finally {
    closeSync(file);
  }
};

/**
 * The V8 code cache of a bundle, before its CRC-32: V8 does not check the content, and a damaged one would kill it. V8
 * copies a cache that does not start at a multiple of 8 bytes. Compressed responses load `node:zlib` as well;
 * `node:crypto` takes longer, and few commands load it.
 */
const undamaged = (bytes) => {
  if (bytes === undefined || bytes.length < 4) return undefined;
  const cache = bytes.subarray(0, -4);
  return require('node:zlib').crc32(cache) === bytes.readUInt32BE(cache.length) ? cache : undefined;
};

/** Runs a bundle with a code cache, if it is there. The bundles have only ASCII: to decode UTF-8 takes longer. */
const run = (name, cacheName = name) => {
  const filename = join(dist, `${name}.cjs`);
  const cache = join(dist, `${cacheName}.cache`);
  const sizes = [filename, cache].map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0);
  const memory = Buffer.allocUnsafeSlow(Math.max(...sizes));
  const source = readInto(memory, filename).latin1Slice();
  const cachedData = undamaged(ifReadable(() => readInto(memory, cache)));
  const { Script } = require('node:vm');
  const script = new Script(source, { filename, cachedData });
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

/** The bundle for a command, and the code cache if it has another name: what is in it and not used takes time. */
const bundleFor = (words) => {
  if (mapsCommands(words)) return ['cli'];
  const [first, verb] = words;
  const name = { d: 'discussions', n: 'notes' }[first] ?? first;
  if (name === 'serve') return ['serve'];
  const bundles = JSON.parse(readFileSync(join(__dirname, 'bundles.json')));
  for (const [bundle, caches] of Object.entries(bundles)) {
    const cache = Object.keys(caches).find((one) =>
      Object.hasOwn(caches[one], name) && caches[one][name].includes(verb));
    if (cache) return [bundle, cache];
  }
  return ['cli'];
};

const args = process.argv.slice(2);
const constant = constantFor(args.length === 0 ? '--help' : args.join(' '));
if (constant) print(constant);
else if (!existsSync(join(dist, 'cli.cjs'))) fail('colloquy is not built yet; run: npm install && npm run build');
else {
  // An exit before main() has settled is a failure.
  process.exitCode = 1;
  const [bundle, cache] = bundleFor(args);
  run(bundle, cache).main().then((code) => {
    process.exitCode = code;
    // What was read is printed, and closing sockets and freeing memory takes time. Other commands may still write.
    if (code === 0 && bundle === 'reads') process.exit();
  });
}
