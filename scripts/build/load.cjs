'use strict';

const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const root = join(__dirname, '..', '..');

/**
 * Loads the program into this process without code caches; `scripts` has the compiled scripts by file, to create the
 * caches from. The script names are relative, because a cache contains them.
 */
const loadProgram = (bundle = 'cli') => {
  const bin = join(root, 'bin');
  const fromBin = createRequire(join(bin, 'colloquy.cjs'));
  const scripts = {};
  let server;
  const run = (file) => {
    scripts[file] = new Script(readFileSync(join(root, file), 'latin1'), { filename: `colloquy/${file}` });
    const module = { exports: {} };
    scripts[file].runInThisContext()(module.exports, requirePart, module, bin);
    return module.exports;
  };
  const requirePart = (name) => name.endsWith('/serve.cjs') ? server ??= run('dist/serve.cjs') : fromBin(name);
  return { main: run(`dist/${bundle}.cjs`).main, scripts };
};

module.exports = { loadProgram };
