'use strict';

/**
 * What the launcher of a standalone program has in place of files and of `node_modules`: all files of the package are
 * assets of the executable, by their paths.
 */
const { getRawAsset } = require('node:sea');
const { isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');

/** The folder of the launcher, in error messages too. */
const folder = 'colloquy/bin';

/** @throws an error of Node if there is no such asset */
const assetAt = (path) => Buffer.from(getRawAsset(path.replace(/^(?:colloquy|\.\.)\//, '')));

const assetIfThere = (path) => {
  try {
    return assetAt(path);
  } catch {
    return undefined;
  }
};

/** An open file is the asset itself. */
const files = {
  existsSync: () => true,
  statSync: (path) => {
    const asset = assetIfThere(path);
    return asset && { size: asset.length };
  },
  openSync: assetAt,
  readSync: (asset, memory, { offset }) => asset.copy(memory, offset, offset),
  closeSync: () => undefined,
  readFileSync: assetAt,
  writeSync: require('node:fs').writeSync,
};

const libraries = {};

const libraryAt = (path) => {
  const module = { exports: {} };
  const run = compileFunction(assetAt(path).toString(), ['exports', 'require', 'module'], { filename: path });
  run(module.exports, require, module);
  return module.exports;
};

const requireInFile = (name) => {
  if (name.startsWith('../')) return libraries[name] ??= libraryAt(name);
  if (isBuiltin(name)) return require(name);
  throw Object.assign(new Error(`the standalone program does not contain ${name}`), { code: 'MODULE_NOT_FOUND' });
};

module.exports = { folder, files, requireInFile };
