'use strict';

const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const root = join(__dirname, '..', '..');

/**
 * Loads bundles of the program into this process without code caches; `scripts` has the compiled scripts by name, to
 * create the caches from. The file names are relative, because a cache contains them.
 */
const loadBundles = () => {
  const bin = join(root, 'bin');
  const fromBin = createRequire(join(bin, 'colloquy.cjs'));
  const scripts = {};
  let server;
  const run = (name) => {
    const file = `dist/${name}.cjs`;
    scripts[name] = new Script(readFileSync(join(root, file), 'utf8'), { filename: `colloquy/${file}` });
    const module = { exports: {} };
    scripts[name].runInThisContext()(module.exports, requirePart, module, bin);
    return module.exports;
  };
  const requirePart = (name) => name.endsWith('/server.cjs') ? server ??= run('server') : fromBin(name);
  return { run, scripts };
};

module.exports = { loadBundles };
