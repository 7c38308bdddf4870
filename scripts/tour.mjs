/**
 * Runs typical commands against the demo world of the test server, which runs in this process. Stops at the first
 * command that fails, with its exit code.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadBundles } from './build/load.cjs';
import { startServer } from '../dist/lib/server/index.js';

/** What each command shows, its words, and the fault rule of the server for it. */
const tour = [
  ['list the open threads', ['discussions', 'list', 'mr/12', '--unresolved']],
  ['read those on a file', ['discussions', 'view', 'mr/12', '--path', 'src/delivery/send.ts', '--context', '1']],
  ['write a comment that each pipeline updates',
    ['notes', 'upsert', 'mr/12', '--key', 'tests', '-m', '214 tests passed.', '--quiet']],
  ['add a comment once, though the connection breaks before the response',
    ['notes', 'add', 'mr/12', '-m', 'The documentation covers this now.'], 'POST * => reset after times=1'],
  ['resolve a thread', ['discussions', 'resolve', 'mr/12', '53a25ddd', '--quiet']],
  ['change the appearance', ['appearance', 'set', '--title', 'Acme']],
  ['list child epics', ['epics', 'list', '&1']],
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
  for (const [purpose, args, rule] of tour) {
    await server.faults(rule === undefined ? [] : [rule]);
    const fault = rule === undefined ? '' : ` (fault: ${rule})`;
    process.stdout.write(`\n# ${purpose}${fault}\n$ colloquy ${args.map(quoted).join(' ')}\n`);
    process.argv = [process.execPath, 'colloquy', ...args];
    const code = await main();
    if (code !== 0) {
      process.exitCode = code;
      console.error(`the tour stopped: colloquy ${args.join(' ')} exited with ${code}`);
      break;
    }
  }
  if (!process.exitCode) {
    console.log('\n# next\n$ bin/colloquy.cjs discussions view mr/12 --sandbox\n$ bin/colloquy.cjs serve');
  }
} finally {
  await server.close();
  rmSync(settings, { recursive: true });
}
