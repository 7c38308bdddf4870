/**
 * Runs typical commands against the demo world of the test server, which runs in this process. Stops at the first
 * command that fails, with its exit code.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBundles } from './build/load.cjs';
import { startServer } from '../dist/lib/server/index.js';

const tour = [
  ['discussions', 'list', 'mr/12'],
  ['notes', 'add', 'mr/12', '-m', 'The documentation covers this now.'],
  ['discussions', 'resolve', 'mr/12', '53a25ddd'],
  ['discussions', 'get', 'mr/12', '53a25ddd'],
  ['appearance', 'set', '--title', 'Acme', '--header-message', 'Deliveries are back.'],
  ['appearance', 'get'],
  ['epics', 'list', '&1'],
];

const quoted = (word) => /^[\w./-]+$/.test(word) ? word : `'${word}'`;

const settings = mkdtempSync(join(tmpdir(), 'colloquy-tour-'));
const server = await startServer();
for (const name of Object.keys(process.env)) {
  if (/^(COLLOQUY|GITLAB|CI)(_|$)|_PROXY$/i.test(name)) delete process.env[name];
}
Object.assign(process.env, {
  COLLOQUY_URL: server.url, COLLOQUY_TOKEN: 'root-token', COLLOQUY_CONFIG_DIR: settings,
  COLLOQUY_PROJECT: 'acme/app', COLLOQUY_GROUP: 'acme',
});

try {
  const { main } = loadBundles().run('cli');
  for (const args of tour) {
    process.stdout.write(`\n$ colloquy ${args.map(quoted).join(' ')}\n`);
    process.argv = [process.execPath, 'colloquy', ...args];
    const code = await main();
    if (code !== 0) {
      process.exitCode = code;
      console.error(`the tour stopped: colloquy ${args.join(' ')} exited with ${code}`);
      break;
    }
  }
} finally {
  await server.close();
  rmSync(settings, { recursive: true });
}
