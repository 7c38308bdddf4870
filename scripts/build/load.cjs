'use strict';

const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const { Script } = require('node:vm');

const root = join(__dirname, '..', '..');

/** Runs the bundle in this process, without a code cache; `script` is what a cache can be made from. */
const loadProgram = (file = join(root, 'dist', 'cli.cjs')) => {
  const script = new Script(readFileSync(file, 'latin1'), { filename: file });
  const module = { exports: {} };
  const bin = join(root, 'bin');
  script.runInThisContext()(module.exports, createRequire(join(bin, 'colloquy.cjs')), module, bin);
  return { main: module.exports.main, script };
};

module.exports = { loadProgram };
