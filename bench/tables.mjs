/**
 * A list of 5,000 threads as a table on a terminal, compared with ndjson. The terminal is emulated by `script`
 * (util-linux).
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { started } from './child.mjs';
import { interleaved, report } from './rounds.mjs';

const [bin, stub] = ['../bin/colloquy.cjs', './stub.mjs'].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const settings = mkdtempSync(join(tmpdir(), 'colloquy-bench-'));
const service = await started(stub);
const env = {
  PATH: process.env.PATH, TERM: 'xterm-256color', COLLOQUY_URL: service.line, COLLOQUY_TOKEN: 'token',
  COLLOQUY_CONFIG_DIR: settings,
};

/** The lines that the program prints on a terminal. */
const shown = (format, rows) => () => {
  const command = `"${process.execPath}" "${bin}" discussions list mr/12 -p 1 --quiet -o ${format}`;
  const { status, stdout, stderr } = spawnSync('script', ['-qec', command, '/dev/null'],
    { env, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1e9, encoding: 'latin1' });
  const lines = stdout.split('\n').length - 1;
  if (status !== 0 || lines !== rows) throw new Error(`${format}: ${status}, ${lines} lines ${stderr}`);
};

report('5,000 threads on a terminal',
  await interleaved({ ndjson: shown('ndjson', 5_000), table: shown('table', 5_001) }, Number(process.argv[2] ?? 11)));
await service.stop();
rmSync(settings, { recursive: true });
