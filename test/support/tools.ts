import { spawnSync } from 'node:child_process';
import { chromium } from './browser-programs.js';
import { newerNodes } from './newer-nodes.js';
import { postgresPrograms } from './postgres.js';
import { pythonWith } from './python.js';
import { standaloneProgram } from './standalone.js';
import { terminalPrograms } from './terminal-programs.js';

const runs = (program: string, ...words: readonly string[]): boolean => spawnSync(program, words).status === 0;
const debian = (name: string): string => `apt-get install ${name}`;

/** What `npm run test:all` uses and `npm test` does not, with the way to get it. */
const tools = {
  PostgreSQL: { isThere: () => postgresPrograms() !== undefined, get: debian('postgresql') },
  'a terminal': { isThere: () => terminalPrograms().length > 0, get: debian('tmux') },
  bash: { isThere: () => runs('bash', '--version'), get: debian('bash') },
  fish: { isThere: () => runs('fish', '--version'), get: debian('fish') },
  zsh: { isThere: () => runs('zsh', '--version'), get: debian('zsh') },
  pytest: { isThere: () => runs('python3', '-m', 'pytest', '--version'), get: debian('python3-pytest') },
  'python-gitlab': { isThere: () => pythonWith('gitlab').length > 0, get: debian('python3-gitlab') },
  Chromium: { isThere: () => chromium() !== undefined, get: debian('chromium') },
  'the standalone program': { isThere: () => standaloneProgram() !== undefined, get: 'npm run standalone' },
  'newer Nodes': { isThere: () => newerNodes().length > 0, get: 'set COLLOQUY_TEST_NODES to their programs, separated as in PATH' },
};

export type Tool = keyof typeof tools;

/**
 * The tools that this machine lacks. With `COLLOQUY_TEST_TOOLS=optional` their tests are left out, which stderr says.
 * @throws Error otherwise, if there is one
 */
export const missingTools = (): ReadonlySet<Tool> => {
  const missing = (Object.keys(tools) as Tool[]).filter((name) => !tools[name].isThere());
  const list = missing.map((name) => `${name}: ${tools[name].get}`);
  if (missing.length > 0 && process.env['COLLOQUY_TEST_TOOLS'] !== 'optional') {
    throw new Error(['these tools are missing:', ...list, 'install them, or set COLLOQUY_TEST_TOOLS=optional'].join('\n  '));
  }
  for (const line of list) process.stderr.write(`left out, for want of ${line}\n`);
  return new Set(missing);
};
