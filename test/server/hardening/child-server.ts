import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, beforeAll, onTestFinished } from 'vitest';

const bundles = join(import.meta.dirname, '../../../node_modules/.cache');

/** Servers in processes of their own, with limits that a shell sets for them. Called once in a test file. */
export const childServers = () => {
  let program: string;
  beforeAll(async () => {
    mkdirSync(bundles, { recursive: true });
    program = join(mkdtempSync(join(bundles, 'colloquy-child-')), 'server.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'served.ts')], outfile: program, bundle: true, platform: 'node', format: 'esm',
      packages: 'external', logLevel: 'error',
    });
  });
  afterAll(() => { rmSync(join(program, '..'), { recursive: true, force: true }); });

  /**
   * Starts one; it ends with the test.
   * @param limit what the shell does before, such as `ulimit -f 600;`
   */
  const start = async (limit: string, ...args: string[]): Promise<{ readonly url: string; readonly kill: () => Promise<void> }> => {
    const child = spawn('bash', ['-c', `${limit} exec "$0" "$@"`, process.execPath, program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    const gone = new Promise((resolve) => { child.once('exit', resolve); });
    const kill = async () => {
      child.kill('SIGKILL');
      await gone;
    };
    onTestFinished(kill);
    for await (const url of createInterface({ input: child.stdout })) return { url, kill };
    throw new Error('the server did not start');
  };
  return start;
};
