#!/usr/bin/env node
'use strict';

const { existsSync, readFileSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const dist = join(__dirname, '..', 'dist');

const bytesOf = (name) => {
  try {
    return readFileSync(join(dist, name));
  } catch {
    return undefined;
  }
};

/** The output of a call that never varies, written at build time. */
const constantFor = (call) => /^[a-z-]+( [a-z]+)?$/.test(call) ? bytesOf(join('constant', call)) : undefined;

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

/** Runs a bundle with V8's code cache, which lies beside it. */
const run = (name) => {
  const file = join(dist, `${name}.cjs`);
  const { Script } = require('node:vm');
  const script = new Script(readFileSync(file, 'utf8'), { filename: file, cachedData: bytesOf(`${name}.cache`) });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, requirePart, module, __dirname);
  return module.exports;
};

const bundles = {};

/** What the bundles ask for: some of it is a bundle too. */
const requirePart = (name) => {
  const [, bundle] = /\/(parts\/server)\.cjs$/.exec(name) ?? [];
  return bundle ? bundles[bundle] ??= run(bundle) : require(name);
};

const args = process.argv.slice(2);
const constant = constantFor(args.length === 0 ? '--help' : args.join(' '));
if (constant) print(constant);
else if (!existsSync(join(dist, 'cli.cjs'))) fail('colloquy is not built yet; run: npm install && npm run build');
else {
  // What ends without having said how has failed.
  process.exitCode = 1;
  run('cli').main().then((code) => { process.exitCode = code; });
}
