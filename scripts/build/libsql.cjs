'use strict';

/**
 * Replaces libsql in the bundle of the server, and loads it. libsql detects the C library with two packages that make
 * Node write a diagnostic report, which takes longer than loading libsql. On Linux this module reads it from a file
 * instead; if that fails, the packages detect it.
 */
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');

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

const replacements = (library) => ({
  '@neon-rs/load': { currentTarget: () => `linux-${arch}-${library === 'musl' ? 'musl' : 'gnu'}` },
  'detect-libc': { familySync: () => library, GLIBC: 'glibc', MUSL: 'musl' },
});

const library = cLibrary();
if (library !== null) {
  const inLauncher = createRequire(join(__dirname, 'colloquy.cjs'));
  const inLibsql = createRequire(inLauncher.resolve('libsql'));
  for (const [name, exports] of Object.entries(replacements(library))) {
    const id = inLibsql.resolve(name);
    inLibsql.cache[id] ??= { id, filename: id, loaded: true, exports };
  }
}

module.exports = require('libsql');
