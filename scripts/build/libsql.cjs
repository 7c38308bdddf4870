'use strict';

/**
 * Replaces the two packages with which libsql detects the C library: they make Node write a diagnostic report, which
 * takes longer than loading libsql. On Linux this module reads it from a file instead; if that fails, the packages
 * detect it.
 */
const { readFileSync } = require('node:fs');

const { arch, platform } = process;

const cLibrary = () => {
  if (platform !== 'linux' || (arch !== 'x64' && arch !== 'arm64')) return null;
  try {
    const text = readFileSync('/usr/bin/ldd', 'latin1');
    return text.includes('musl') ? 'musl' : text.includes('GNU C Library') ? 'glibc' : null;
  } catch {
    return null;
  }
};

const library = cLibrary();

exports.GLIBC = 'glibc';
exports.MUSL = 'musl';
exports.familySync = () => library ?? require('detect-libc').familySync();
exports.currentTarget = () => library === null ? require('@neon-rs/load').currentTarget()
  : `linux-${arch}-${library === 'musl' ? 'musl' : 'gnu'}`;

/** Loads the native part of libsql. Package managers that do not hoist install it where only libsql finds it. */
exports.requireNative = (name) => {
  try {
    return require(name);
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    const { createRequire } = require('node:module');
    const inLauncher = createRequire(`${__dirname}/colloquy.cjs`);
    return createRequire(inLauncher.resolve('libsql'))(name);
  }
};
