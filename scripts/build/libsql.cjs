'use strict';

/**
 * Stands in the server's bundle in place of libsql, and loads it. To learn which C library there is, the two packages
 * that libsql asks have Node write a report about itself, which takes longer than loading libsql; on Linux a file names
 * it. Where that says nothing, they are asked.
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

const answers = (library) => ({
  '@neon-rs/load': { currentTarget: () => `linux-${arch}-${library === 'musl' ? 'musl' : 'gnu'}` },
  'detect-libc': { familySync: () => library, GLIBC: 'glibc', MUSL: 'musl' },
});

const library = cLibrary();
if (library !== null) {
  const inLauncher = createRequire(join(__dirname, 'colloquy.cjs'));
  const inLibsql = createRequire(inLauncher.resolve('libsql'));
  for (const [name, exports] of Object.entries(answers(library))) {
    const id = inLibsql.resolve(name);
    inLibsql.cache[id] ??= { id, filename: id, loaded: true, exports };
  }
}

module.exports = require('libsql');
