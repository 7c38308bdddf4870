import { spawn, spawnSync } from 'node:child_process';
import { ended, type Ended } from './program.js';

/** Packages of Debian are for its own Python, which need not be the first one on the path. */
const pythons = ['python3', '/usr/bin/python3'];

/** The first Python that has a package, if any. */
export const pythonWith = (name: string): readonly string[] =>
  pythons.filter((python) => spawnSync(python, ['-c', `import ${name}`]).status === 0).slice(0, 1);

/** Runs a script of `test/fixtures`. */
export const runPython = (python: string, script: string, ...words: readonly string[]): Promise<Ended> =>
  ended(spawn(python, [script, ...words], { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' } }));
